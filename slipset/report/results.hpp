// What a command gives back: JSON, text, files, figures. The functions *_results of this folder fill it; a program
// prints the JSON or the text and writes the files together.               docs/output.md
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "slipset/io/figure.hpp"

namespace slipset {

struct Results {
  std::string name;                                          // of the JSON file: "run" for run.json
  std::string json;                                          // one object, indented
  std::string text;                                          // the same for people
  std::vector<std::pair<std::string, std::string>> files{};  // name and content
  std::vector<Figure> figures{};
  // Name, and what makes the content when it is written: large files, of which one at a time is in memory. They may refer
  // to what the results were made from.
  std::vector<std::pair<std::string, std::function<std::string()>>> late_files{};
  std::string last_line{};  // to be printed after the names of the files; may be empty
};

}  // namespace slipset
