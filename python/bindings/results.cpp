#include "python/bindings/results.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/result_folder.hpp"

namespace slipset::python {
namespace {

using namespace nb::literals;

PictureFormat format_of(const std::string& name) {
  for (const PictureFormat format : {PictureFormat::png, PictureFormat::svg, PictureFormat::pdf})
    if (ending_of(format) == "." + name) return format;
  throw InvalidInput("format: found \"" + name + "\"; expected png, svg or pdf");
}

// All files of a set, or none, as the program writes them. What could not be drawn is told.
std::pair<std::vector<std::string>, std::vector<std::string>> save(const Results& results, const std::string& json,
                                                                   const std::filesystem::path& folder,
                                                                   const std::string& format) {
  const PictureFormat pictures = format_of(format);
  std::vector<std::string> names, problems;
  ResultFolder files(folder, results.name);
  files.require_free({results.name + ".json"});
  for (const auto& [name, content] : results.files) write_file(files.path() / name, content);
  for (const auto& [name, content] : results.late_files) write_file(files.path() / name, content());
  write_file(files.path() / (results.name + ".json"), json + "\n");
  for (const Figure& figure : results.figures)
    if (const auto saved = figure.save(files.path(), pictures); !saved.problem.empty())
      problems.push_back("could not draw the figure: " + saved.problem);
  for (const auto& path : files.publish()) names.push_back(path.string());
  return {names, problems};
}

}  // namespace

void bind_answer(nb::module_& m) {
  nb::class_<Answer>(m, "Answer")
      .def_prop_ro("json", [](const Answer& a) { return a.results.json; })
      .def_prop_ro("text", [](const Answer& a) { return a.results.text; })
      .def_ro("succeeded", &Answer::succeeded)
      .def_ro("stopped", &Answer::stopped)
      .def_prop_ro("columns", [](const Answer& a) { return a.table ? a.table->names() : std::vector<std::string>{}; })
      .def(
          "column",
          [](nb::handle_t<Answer> self, const std::string& name) {
            const Answer& answer = nb::cast<const Answer&>(self);
            if (!answer.table) throw InvalidInput("there is no table");
            return view_of((*answer.table)[name], self);
          },
          "name"_a)
      .def(
          "file",
          [](const Answer& a, const std::string& name) {
            for (const auto& [file, content] : a.results.files)
              if (file == name) return nb::bytes(content.data(), content.size());
            for (const auto& [file, content] : a.results.late_files)
              if (file == name) {
                const std::string made = content();
                return nb::bytes(made.data(), made.size());
              }
            throw InvalidInput("there is no file " + name);
          },
          "name"_a)
      .def_prop_ro("files",
                   [](const Answer& a) {
                     std::vector<std::string> names;
                     for (const auto& [file, content] : a.results.files) names.push_back(file);
                     for (const auto& [file, content] : a.results.late_files) names.push_back(file);
                     return names;
                   })
      .def(
          "save",
          [](const Answer& a, const std::string& json, const std::string& folder, const std::string& format) {
            return save(a.results, json, folder, format);
          },
          "json"_a, "folder"_a, "format"_a);
}

}  // namespace slipset::python
