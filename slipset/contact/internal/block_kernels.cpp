#include "slipset/contact/internal/block_kernels.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define SLIPSET_HAS_AVX2_KERNELS
#include <immintrin.h>
#endif

namespace slipset::internal {
void subtract_products_plainly(const double* l, const double* blocks, const std::uint32_t* places, std::size_t count,
                               double* row) {
  for (std::size_t m = 0; m < count; ++m) {
    const double* const v = blocks + 9 * m;
    double* const w = row + 9 * static_cast<std::size_t>(places[m]);
    for (int j = 0; j < 9; j += 3)
      for (int r = 0; r < 3; ++r) w[j + r] -= l[r] * v[j] + l[3 + r] * v[j + 1] + l[6 + r] * v[j + 2];
  }
}

void add_products_plainly(const double* blocks, const std::uint32_t* places, std::size_t count, const double* x,
                          double sign, double* sum) {
  for (std::size_t m = 0; m < count; ++m) {
    const double* const v = blocks + 9 * m;
    const double* const y = x + 3 * static_cast<std::size_t>(places[m]);
    for (int r = 0; r < 3; ++r) sum[r] += sign * (v[r] * y[0] + v[3 + r] * y[1] + v[6 + r] * y[2]);
  }
}

namespace {

#ifdef SLIPSET_HAS_AVX2_KERNELS

// Entries 0 to 3 and 4 to 7 of the product at a time: entry 3j + r is Σ l[r + 3i] v[3j + i].
__attribute__((target("avx2,fma"))) void subtract_avx2(const double* l, const double* blocks,
                                                       const std::uint32_t* places, std::size_t count, double* row) {
  const __m256d low0 = _mm256_setr_pd(l[0], l[1], l[2], l[0]), low1 = _mm256_setr_pd(l[3], l[4], l[5], l[3]),
                low2 = _mm256_setr_pd(l[6], l[7], l[8], l[6]), high0 = _mm256_setr_pd(l[1], l[2], l[0], l[1]),
                high1 = _mm256_setr_pd(l[4], l[5], l[3], l[4]), high2 = _mm256_setr_pd(l[7], l[8], l[6], l[7]);
  constexpr int kLow = 0b11000000, kHigh = 0b11110000;  // lanes 0 0 0 3 and 0 0 3 3
  for (std::size_t m = 0; m < count; ++m) {
    const double* const v = blocks + 9 * m;
    double* const w = row + 9 * static_cast<std::size_t>(places[m]);
    __m256d low = _mm256_loadu_pd(w), high = _mm256_loadu_pd(w + 4);
    low = _mm256_fnmadd_pd(low0, _mm256_permute4x64_pd(_mm256_loadu_pd(v), kLow), low);
    high = _mm256_fnmadd_pd(high0, _mm256_permute4x64_pd(_mm256_loadu_pd(v + 3), kHigh), high);
    low = _mm256_fnmadd_pd(low1, _mm256_permute4x64_pd(_mm256_loadu_pd(v + 1), kLow), low);
    high = _mm256_fnmadd_pd(high1, _mm256_permute4x64_pd(_mm256_loadu_pd(v + 4), kHigh), high);
    low = _mm256_fnmadd_pd(low2, _mm256_permute4x64_pd(_mm256_loadu_pd(v + 2), kLow), low);
    high = _mm256_fnmadd_pd(high2, _mm256_permute4x64_pd(_mm256_loadu_pd(v + 5), kHigh), high);
    const double last = w[8] - (l[2] * v[6] + l[5] * v[7] + l[8] * v[8]);
    _mm256_storeu_pd(w, low);
    _mm256_storeu_pd(w + 4, high);
    w[8] = last;
  }
}

__attribute__((target("avx2,fma"))) void add_avx2(const double* blocks, const std::uint32_t* places, std::size_t count,
                                                  const double* x, double sign, double* sum) {
  const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
  __m256d sum0 = _mm256_setzero_pd(), sum1 = sum0, sum2 = sum0;
  for (std::size_t m = 0; m < count; ++m) {
    const double* const v = blocks + 9 * m;
    const double* const y = x + 3 * static_cast<std::size_t>(places[m]);
    sum0 = _mm256_fmadd_pd(_mm256_loadu_pd(v), _mm256_broadcast_sd(y), sum0);
    sum1 = _mm256_fmadd_pd(_mm256_loadu_pd(v + 3), _mm256_broadcast_sd(y + 1), sum1);
    sum2 = _mm256_fmadd_pd(_mm256_maskload_pd(v + 6, three), _mm256_broadcast_sd(y + 2), sum2);
  }
  const __m256d all = _mm256_fmadd_pd(_mm256_set1_pd(sign), _mm256_add_pd(_mm256_add_pd(sum0, sum1), sum2),
                                      _mm256_maskload_pd(sum, three));
  _mm256_maskstore_pd(sum, three, all);
}

bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

#else

constexpr bool has_avx2() { return false; }
constexpr auto* subtract_avx2 = subtract_products_plainly;
constexpr auto* add_avx2 = add_products_plainly;

#endif

}  // namespace

void subtract_products(const double* left, const double* blocks, const std::uint32_t* places, std::size_t count,
                       double* row) {
  (has_avx2() ? subtract_avx2 : subtract_products_plainly)(left, blocks, places, count, row);
}

void add_products(const double* blocks, const std::uint32_t* places, std::size_t count, const double* x, double sign,
                  double* sum) {
  (has_avx2() ? add_avx2 : add_products_plainly)(blocks, places, count, x, sign, sum);
}

}  // namespace slipset::internal
