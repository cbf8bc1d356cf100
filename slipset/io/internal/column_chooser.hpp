// Which column of a file has which role, and its unit. For io's own use.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "slipset/io/internal/signal_table.hpp"
#include "slipset/io/measured_columns.hpp"

namespace slipset::internal {

// In one way of writing: "Friction Force" and "F_t" are written in many.
std::string plain_name(std::string_view name);

// The file's columns, of whichever format.
struct ColumnSource {
  std::string file;
  bool has_names = true;
  std::vector<std::string> names{};
  std::vector<ColumnUnit> units{};

  std::string list() const;  // for messages
  // By name (case does not count) or number from 1.
  std::optional<std::size_t> find(std::string_view name) const;
};

class ColumnChooser {
 public:
  ColumnChooser(const ColumnSource& source, const std::vector<MeasuredRole>& roles, const ColumnChoice& choice);

  // Names and units of all roles, without numbers. Throws InvalidInput as read_measured().
  std::vector<MeasuredColumn> columns();
  // Where they are in the file; after columns().
  const std::vector<std::optional<std::size_t>>& places() const { return places_; }

 private:
  using Assigned = std::map<std::string, std::string, std::less<>>;

  bool taken(std::size_t place) const;
  bool needed(const MeasuredRole& role) const;
  void place_given(std::vector<MeasuredColumn>& all);
  void place_usual(std::vector<MeasuredColumn>& all);
  enum class Match { plain, with_unit, any_unit };
  std::optional<std::size_t> usual_place(const MeasuredRole& role, Match match, MeasuredColumn& column) const;
  bool found(std::string_view role) const;
  bool replaced(const MeasuredRole& role) const;
  void require_all() const;
  void find_unit_of(MeasuredColumn& column, const MeasuredRole& role, const ColumnUnit& in_file) const;
  void require_units_used(const std::vector<MeasuredColumn>& all) const;
  void require_units_together(const std::vector<MeasuredColumn>& all) const;

  const ColumnSource& source_;
  const std::vector<MeasuredRole>& roles_;
  Assigned columns_, units_;
  std::vector<std::optional<std::size_t>> places_;
};

}  // namespace slipset::internal
