// A table of numbers: named columns of one length, each an array.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slipset {

class Table {
 public:
  Table() = default;
  explicit Table(std::vector<std::string> names);

  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return columns_.empty() ? 0 : columns_.front().size(); }  // rows
  bool has(std::string_view name) const;
  // The place of a column, and the column. Throws InvalidInput, with the names that there are, if there is none.
  std::size_t column(std::string_view name) const;
  const std::vector<double>& operator[](std::string_view name) const { return columns_[column(name)]; }
  const std::vector<double>& operator[](std::size_t column) const { return columns_[column]; }
  double& at(std::size_t row, std::size_t column) { return columns_[column][row]; }

  // One number per column. Throws InvalidInput for another count.
  void add_row(std::span<const double> numbers);
  void add_row(std::initializer_list<double> numbers) { add_row(std::span(numbers.begin(), numbers.size())); }
  // One number per row.
  void add_column(std::string name, std::vector<double> numbers);
  void clear();  // of rows

  // One row, read across the columns.
  class Row {
   public:
    class Iterator {
     public:
      using iterator_category = std::input_iterator_tag;
      using value_type = double;
      using difference_type = std::ptrdiff_t;
      using pointer = const double*;
      using reference = const double&;
      Iterator() = default;
      Iterator(const std::vector<double>* column, std::size_t row) : column_(column), row_(row) {}
      const double& operator*() const { return (*column_)[row_]; }
      Iterator& operator++() {
        ++column_;
        return *this;
      }
      Iterator operator++(int) {
        const Iterator before = *this;
        ++column_;
        return before;
      }
      bool operator==(const Iterator& other) const { return column_ == other.column_; }

     private:
      const std::vector<double>* column_ = nullptr;
      std::size_t row_ = 0;
    };

    Row(const Table& table, std::size_t row) : table_(&table), row_(row) {}
    double operator[](std::size_t column) const { return table_->columns_[column][row_]; }
    std::size_t size() const { return table_->columns_.size(); }
    Iterator begin() const { return {table_->columns_.data(), row_}; }
    Iterator end() const { return {table_->columns_.data() + size(), row_}; }
    std::vector<double> numbers() const { return {begin(), end()}; }

   private:
    const Table* table_;
    std::size_t row_;
  };

  // All rows, to be walked through: for (const auto row : table.rows()) row[column].
  class Rows {
   public:
    class Iterator {
     public:
      using iterator_category = std::input_iterator_tag;
      using value_type = Row;
      using difference_type = std::ptrdiff_t;
      using pointer = void;
      using reference = Row;
      Iterator(const Table& table, std::size_t row) : table_(&table), row_(row) {}
      Row operator*() const { return {*table_, row_}; }
      Iterator& operator++() {
        ++row_;
        return *this;
      }
      bool operator==(const Iterator& other) const { return row_ == other.row_; }

     private:
      const Table* table_;
      std::size_t row_;
    };

    explicit Rows(const Table& table) : table_(&table) {}
    std::size_t size() const { return table_->size(); }
    bool empty() const { return size() == 0; }
    Row operator[](std::size_t row) const { return {*table_, row}; }
    Row front() const { return {*table_, 0}; }
    Row back() const { return {*table_, size() - 1}; }
    Iterator begin() const { return {*table_, 0}; }
    Iterator end() const { return {*table_, size()}; }
    std::vector<std::vector<double>> numbers() const;

   private:
    const Table* table_;
  };
  Rows rows() const { return Rows(*this); }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace slipset
