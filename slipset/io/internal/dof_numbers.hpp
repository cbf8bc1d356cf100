// Numbers, from 0, of degrees of freedom that a file knows by node and direction. For io's own use.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "slipset/io/matrix_file.hpp"

namespace slipset::internal {

class DofNumbers {
 public:
  // In order of their first appearance.
  std::int32_t number(const DofLabel& label);
  const DofLabel& label(Eigen::Index number) const { return labels_[static_cast<std::size_t>(number)]; }
  std::size_t count() const { return labels_.size(); }

  // Sorted by node, then direction; and the number that each has then.
  std::vector<DofLabel> sorted() const;
  std::vector<std::int32_t> numbers_when_sorted() const;

 private:
  struct Hash {
    std::size_t operator()(const DofLabel& label) const {
      return std::hash<std::int64_t>()(label.node * 1'000'003 + label.dof);
    }
  };
  std::unordered_map<DofLabel, std::int32_t, Hash> number_;
  std::vector<DofLabel> labels_;
};

std::string told(const DofLabel& label);  // "node 7, dof 2"

}  // namespace slipset::internal
