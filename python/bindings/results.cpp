#include "python/bindings/results.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/result_folder.hpp"
#include "slipset/report/run_report.hpp"
#include "slipset/systems/bodies/body_world.hpp"

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

// What pictures of a world need besides its table: shapes, and where those stand that the table does not list.
nb::list bodies_of(const Answer& answer) {
  nb::list all;
  const auto* const world = dynamic_cast<const BodyWorld*>(answer.system.get());
  for (std::size_t b = 0; world && b < world->bodies.size(); ++b) {
    const RigidBody& body = world->bodies[b];
    const BodyState& state = world->states[b];
    nb::dict one;
    one["name"] = body.name;
    one["kind"] = std::string(kBodyKindNames[static_cast<std::size_t>(body.shape.kind)]);
    one["radius"] = body.shape.radius;
    one["half"] = array_of(Eigen::VectorXd(body.shape.half));
    one["free"] = !body.prescribed;
    one["listed"] = body.is_listed();
    one["position"] = array_of(Eigen::VectorXd(state.position));
    const Quaternion& q = state.orientation;
    one["orientation"] = array_of(Eigen::VectorXd(Eigen::Vector4d(q.w(), q.x(), q.y(), q.z())));
    all.append(one);
  }
  return all;
}

// The body at a row of the table, as a line in the plane of its path; none for a point.
NumbersOut outline_of(const Answer& answer, std::size_t row) {
  std::vector<Vec2> line;
  const bool is_world = dynamic_cast<const BodyWorld*>(answer.system.get());
  if (answer.system && !is_world && answer.table && row < answer.table->size())
    line = outline_at(*answer.system, answer.table->rows()[row]);
  NewArray out({line.size(), 2});
  for (std::size_t k = 0; k < line.size(); ++k) Eigen::Map<Vec2>(out.data + 2 * k) = line[k];
  return out.array;
}

// The coordinates that span the plane of the path.
std::vector<std::string> plane_of(const Answer& answer) {
  if (!answer.system || answer.system->dofs() < 2) return {};
  const auto names = answer.system->coordinates();
  const auto plane = answer.system->figure_plane();
  return {names[static_cast<std::size_t>(plane[0])], names[static_cast<std::size_t>(plane[1])]};
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
      .def_prop_ro("bodies", &bodies_of, nb::sig("def bodies(self) -> list[dict[str, typing.Any]]"))
      .def_prop_ro("plane", &plane_of)
      .def("outline", &outline_of, "row"_a)
      .def(
          "save",
          [](const Answer& a, const std::string& json, const std::string& folder, const std::string& format) {
            return save(a.results, json, folder, format);
          },
          "json"_a, "folder"_a, "format"_a);
}

}  // namespace slipset::python
