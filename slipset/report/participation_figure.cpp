#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "slipset/core/angle.hpp"
#include "slipset/report/structure_figures.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

constexpr std::size_t kMostModes = 4;

// The modes that grow most, by their numbers.
std::vector<std::size_t> growing_most(const StructureAnswer& a) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < a.spectrum.pairs.size(); ++i)
    if (a.spectrum.pairs[i].grows()) numbers.push_back(i);
  std::stable_sort(numbers.begin(), numbers.end(), [&](std::size_t i, std::size_t j) {
    return a.spectrum.pairs[i].growth_rate() > a.spectrum.pairs[j].growth_rate();
  });
  if (numbers.size() > kMostModes) numbers.resize(kMostModes);
  return numbers;
}

std::string panel_title(const StructureAnswer& a, std::size_t mode) {
  const Eigenpair& m = a.spectrum.pairs[mode];
  return fmt::format("mode {}: {:.5g} Hz, {:+.3g} 1/s", mode + 1, m.frequency() / (2 * kPi), m.growth_rate());
}

// For gnuplot, in quotes.
std::string two_lines(const std::string& first, const std::string& second) {
  return fmt::format("{}.\"\\n\".{}", gnuplot_string(first), gnuplot_string(second));
}

double largest_part(const std::vector<Participation>& contacts) {
  double most = 0;
  for (const Participation& p : contacts) most = std::max(most, std::abs(p.growth));
  return most > 0 ? most : 1;
}

// Seen along one axis: the contacts whose normals point to the viewer, and those that point away.
struct ContactView {
  Eigen::Index axis, right, up;
  struct Side {
    bool positive;
    std::vector<std::size_t> contacts;
  };
  std::vector<Side> sides;
};

ContactView view_of(const std::vector<StructureContact>& contacts) {
  Vec3 along = Vec3::Zero();
  for (const StructureContact& c : contacts) along += c.normal.cwiseAbs2();
  ContactView view{};
  along.maxCoeff(&view.axis);
  view.right = view.axis == 0 ? 1 : 0;
  view.up = view.axis == 2 ? 1 : 2;
  for (const bool positive : {true, false}) {
    ContactView::Side side{positive, {}};
    for (std::size_t k = 0; k < contacts.size(); ++k)
      if ((contacts[k].normal[view.axis] >= 0) == positive) side.contacts.push_back(k);
    if (!side.contacts.empty()) view.sides.push_back(side);
  }
  return view;
}

void add_maps(Figure& figure, const StructureSetup& setup, const StructureAnswer& a,
              const std::vector<std::size_t>& modes, const std::vector<Vec3>& places, const ContactView& view,
              const Vec2& centre, double extent) {
  const std::vector<StructureContact>& contacts = setup.structure().contacts;
  const char* names[] = {"x", "y", "z"};
  figure.add(fmt::format(
      "set size ratio -1\nset xlabel '{0} [m]'\nset ylabel '{1} [m]'\nset xtics {2}\nset ytics {2}\nset "
      "cblabel 'part of the growth "
      "rate [1/s]' offset 1.2\nset palette defined (-1 '#1f4e79', -0.5 '#7fb2dd', 0 '#eeeeee', 0.5 '#f0a07c', "
      "1 '#c0392b')\nunset key",
      names[view.right], names[view.up], round_step(extent / 5)));
  Vec2 half = Vec2::Zero();
  for (const Vec3& p : places) half = half.cwiseMax((Vec2(p[view.right], p[view.up]) - centre).cwiseAbs());
  half.array() += 0.12 * extent;
  figure.add(fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]", centre.x() - half.x(), centre.x() + half.x(),
                         centre.y() - half.y(), centre.y() + half.y()));
  for (std::size_t s = 0; s < view.sides.size(); ++s) {  // the slip, at up to so many contacts
    constexpr std::size_t kMostArrows = 24;
    const std::vector<std::size_t>& all = view.sides[s].contacts;
    Rows arrows;
    for (std::size_t j = 0; j < all.size(); j += 1 + all.size() / kMostArrows) {
      const StructureContact& c = contacts[all[j]];
      const Vec3 slip = c.tangents() * c.slip.normalized() * 0.09 * extent;
      arrows.push_back({places[all[j]][view.right], places[all[j]][view.up], slip[view.right], slip[view.up]});
    }
    figure.add_data(fmt::format("slip-{}", s + 1), arrows);
  }
  const double size = std::clamp(16 / std::sqrt(static_cast<double>(contacts.size())), 0.4, 2.5);
  for (const std::size_t i : modes) {
    const double most = largest_part(a.participation[i]);
    figure.add(fmt::format("set cbrange [{}:{}]", -most, most));
    for (std::size_t s = 0; s < view.sides.size(); ++s) {
      Rows rows;
      for (const std::size_t k : view.sides[s].contacts)
        rows.push_back({places[k][view.right], places[k][view.up], a.participation[i][k].growth});
      const std::string data = figure.add_data(fmt::format("mode{}-{}", i + 1, s + 1), rows);
      const std::string side =
          view.sides.size() < 2
              ? ""
              : fmt::format(", normals along {}{}", view.sides[s].positive ? "+" : "-", names[view.axis]);
      figure.add(
          fmt::format("set title '{0}{1}'\nplot '{2}-slip-{3}.dat' using 1:2:3:4 with vectors head filled size "
                      "graph 0.015,20 lc rgb '#aaaaaa', '{4}' using 1:2:3 with points pt 7 ps {5:.2f} lc "
                      "palette, '{4}' using 1:2 with points pt 6 ps {5:.2f} lw 0.5 lc rgb '#666666'",
                      panel_title(a, i), side, figure.name(), s + 1, data, size));
    }
  }
}

Figure map_of_contacts(const StructureSetup& setup, const StructureAnswer& a, const std::vector<std::size_t>& modes,
                       const std::vector<Vec3>& places) {
  const ContactView view = view_of(setup.structure().contacts);
  Vec2 low = Vec2::Constant(INFINITY), high = -low;
  for (const Vec3& p : places) {
    low = low.cwiseMin(Vec2(p[view.right], p[view.up]));
    high = high.cwiseMax(Vec2(p[view.right], p[view.up]));
  }
  const Vec2 extents = high - low;
  const double extent = extents.maxCoeff() > 0 ? extents.maxCoeff() : 1;
  const std::size_t panels = modes.size() * view.sides.size(), columns = std::min<std::size_t>(panels, 2);
  const std::size_t rows = (panels + columns - 1) / columns;
  // Of a panel about 320 pixels wide, with the same scale on both axes.
  const double shape = (extents.y() + 0.24 * extent) / (extents.x() + 0.24 * extent);
  const int height = static_cast<int>(std::clamp(320 * shape, 150.0, 420.0)) + 110;
  Figure figure("participation", columns == 1 ? 640 : 1100, static_cast<int>(rows) * height + 50);
  figure.add(
      fmt::format("set multiplot layout {},{} title {} noenhanced", rows, columns,
                  two_lines(setup.title(), "energy from the contacts; arrows: slip of the body against the surface")));
  add_maps(figure, setup, a, modes, places, view, (low + high) / 2, extent);
  figure.add("unset multiplot");
  return figure;
}

Figure bars_of_contacts(const StructureSetup& setup, const StructureAnswer& a, const std::vector<std::size_t>& modes) {
  constexpr std::size_t kMostNames = 24, kLongestName = 20;
  const std::vector<StructureContact>& contacts = setup.structure().contacts;
  const std::size_t columns = modes.size() < 2 ? 1 : 2, rows = (modes.size() + columns - 1) / columns;
  Figure figure("participation", columns == 1 ? 640 : 1100, static_cast<int>(rows) * 340 + 50);
  figure.add(fmt::format(
      "set multiplot layout {},{} title {} noenhanced\nunset key\nset ylabel 'part of the growth rate "
      "[1/s]'\nset xrange [0.4:{}]\nset xzeroaxis lt 1 lc rgb '#888888'\nset boxwidth 0.8\nset style "
      "fill solid noborder",
      rows, columns, two_lines(setup.title(), "energy from the contacts"), static_cast<double>(contacts.size()) + 0.6));
  std::size_t longest = 0;
  for (const StructureContact& contact : contacts) longest = std::max(longest, contact.name.size());
  if (contacts.size() <= kMostNames && longest <= kLongestName) {
    std::string tics;
    for (std::size_t k = 0; k < contacts.size(); ++k)
      tics += fmt::format("{}{} {}", k == 0 ? "" : ", ", gnuplot_string(contacts[k].name), k + 1);
    const bool turned = contacts.size() * (longest + 1) > 80;
    figure.add(fmt::format("set xtics noenhanced{} ({})", turned ? " rotate by 90 right" : "", tics));
  } else {
    figure.add("set xlabel 'number of the contact'");
  }
  for (const std::size_t i : modes) {
    Rows parts;
    for (std::size_t k = 0; k < contacts.size(); ++k)
      parts.push_back({static_cast<double>(k + 1), a.participation[i][k].growth});
    const std::string data = figure.add_data(fmt::format("mode{}", i + 1), parts);
    figure.add(
        fmt::format("set title '{0}'\nplot '{1}' using 1:($2 >= 0 ? $2 : NaN) with boxes lc rgb '#c0392b', '{1}' "
                    "using 1:($2 < 0 ? $2 : NaN) with boxes lc rgb '#1f4e79'",
                    panel_title(a, i), data));
  }
  figure.add("unset multiplot");
  return figure;
}

}  // namespace

std::optional<std::vector<Vec3>> contact_places(const StructureSetup& setup) {
  if (!setup.mesh()) return std::nullopt;
  const StructureMesh& mesh = *setup.mesh();
  std::multimap<Eigen::Index, std::size_t> nodes_of;  // by an unknown that moves them along x
  for (std::size_t node = 0; node < mesh.unknowns.size(); ++node)
    for (const std::size_t j : {std::size_t{0}, std::size_t{3}})
      if (mesh.unknowns[node][j] >= 0) nodes_of.emplace(mesh.unknowns[node][j], node);
  std::vector<Vec3> places;
  for (const StructureContact& contact : setup.structure().contacts) {
    const auto [from, to] = nodes_of.equal_range(contact.displacements[0]);
    const auto found = std::find_if(from, to, [&](const auto& entry) {
      const std::array<Eigen::Index, 6>& u = mesh.unknowns[entry.second];
      return (u[1] == contact.displacements[1] || u[4] == contact.displacements[1]) &&
             (u[2] == contact.displacements[2] || u[5] == contact.displacements[2]);
    });
    if (found == to) return std::nullopt;
    places.push_back(mesh.grid.points[found->second]);
  }
  return places;
}

std::optional<Figure> participation_figure(const StructureSetup& setup, const StructureAnswer& answer) {
  const std::vector<std::size_t> modes = growing_most(answer);
  if (modes.empty() || setup.structure().contacts.empty()) return std::nullopt;
  const std::optional<std::vector<Vec3>> places = contact_places(setup);
  return places ? map_of_contacts(setup, answer, modes, *places) : bars_of_contacts(setup, answer, modes);
}

}  // namespace slipset
