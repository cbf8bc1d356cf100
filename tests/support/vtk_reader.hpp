// Reads back what io/vtk_file.hpp writes: an independent reader of one .vtu with arrays in base64.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace slipset::test {

inline std::string from_base64(const std::string& text) {
  const auto value = [](char c) -> unsigned {
    if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A');
    if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a' + 26);
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0' + 52);
    if (c == '+') return 62;
    if (c == '/') return 63;
    throw std::runtime_error("not base64");
  };
  std::string bytes;
  unsigned bits = 0, held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | value(c);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 255U);
  }
  return bytes;
}

struct VtkRead {
  std::size_t points = 0, cells = 0;
  std::map<std::string, std::string> types;  // of the arrays, by name
  std::map<std::string, std::vector<double>> arrays;
};

inline std::string attribute(const std::string& tag, const std::string& name) {
  const std::string front = name + "=\"";
  const std::size_t from = tag.find(front) + front.size();
  return tag.substr(from, tag.find('"', from) - from);
}

template <class Number>
std::vector<double> numbers_in(const std::string& bytes) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) throw std::runtime_error("no length");
  std::memcpy(&size, bytes.data(), sizeof size);
  if (size != bytes.size() - sizeof size) throw std::runtime_error("wrong length");
  std::vector<Number> numbers(size / sizeof(Number));
  if (size > 0) std::memcpy(numbers.data(), bytes.data() + sizeof size, size);
  return {numbers.begin(), numbers.end()};
}

inline VtkRead read_vtk(const std::string& text) {
  VtkRead read;
  const std::size_t piece = text.find("<Piece ");
  const std::string head = text.substr(piece, text.find('>', piece) - piece);
  read.points = std::stoul(attribute(head, "NumberOfPoints"));
  read.cells = std::stoul(attribute(head, "NumberOfCells"));
  for (std::size_t at = text.find("<DataArray "); at != std::string::npos; at = text.find("<DataArray ", at + 1)) {
    const std::size_t end = text.find('>', at);
    const std::string tag = text.substr(at, end - at), type = attribute(tag, "type"), name = attribute(tag, "Name");
    const std::string bytes = from_base64(text.substr(end + 1, text.find('<', end) - end - 1));
    read.types[name] = type;
    read.arrays[name] = type == "Float64" ? numbers_in<double>(bytes)
                        : type == "Int64" ? numbers_in<std::int64_t>(bytes)
                                          : numbers_in<std::uint8_t>(bytes);
  }
  return read;
}

}  // namespace slipset::test
