// Products of many 3x3 blocks, column by column in memory: the innermost loops of factors and sweeps. With AVX2 and FMA
// where the processor has them, else in plain C++; the last digits may differ between the two.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slipset::internal {

// row[place_m] −= left · blocks[m], places counted in blocks.
void subtract_products(const double* left, const double* blocks, const std::uint32_t* places, std::size_t count,
                       double* row);
// sum += sign · Σ blocks[m] x[place_m], places counted in vectors of three.
void add_products(const double* blocks, const std::uint32_t* places, std::size_t count, const double* x, double sign,
                  double* sum);

// The same in plain C++.
void subtract_products_plainly(const double* left, const double* blocks, const std::uint32_t* places, std::size_t count,
                               double* row);
void add_products_plainly(const double* blocks, const std::uint32_t* places, std::size_t count, const double* x,
                          double sign, double* sum);

}  // namespace slipset::internal
