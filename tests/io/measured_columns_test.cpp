#include "slipset/io/measured_columns.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "tests/support/near.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using slipset::test::near;
using slipset::test::TemporaryFolder;

namespace {

const std::vector<MeasuredRole> kRoles = {{"angle", {"angle"}, "", {{"phi"}}, false, {"time", "rate"}},
                                          {"time", {"time"}, "s", {{"t"}}, true},
                                          {"rate", {"rotation"}, "", {{"rpm", "rpm"}}, true},
                                          {"friction", {"force", "number"}, "N", {{"ft"}, {"mu", "-"}}},
                                          {"normal", {"force"}, "N", {{"fn"}}}};

Measured read(const std::string& text, const ColumnChoice& choice = {}) {
  const TemporaryFolder folder;
  write_file(folder.path() / "t.csv", text);
  return read_measured(folder.path() / "t.csv", kRoles, choice);
}

void fails(const std::string& text, const std::string& message, const ColumnChoice& choice = {}) {
  INFO(text);
  CHECK_THROWS_WITH_AS(read(text, choice), doctest::Contains(message.c_str()), InvalidInput);
}

const std::string kRows = "\n1,2,3\n4,5,6\n";

}  // namespace

TEST_CASE("A8 measured columns: units come from the header, a row of units, a name, an option; else they are assumed") {
  Measured m = read("phi [mrad],Ft (µN),Fn" + std::string("\n1,2,3\n4,5,6\n"), {{}, {"normal=daN"}});
  CHECK(m.column("angle").values[1] == near(4e-3, 1e-14));
  CHECK(m.column("friction").values[1] == near(5e-6, 1e-14));
  CHECK(m.column("normal").values[1] == near(60, 1e-14));
  CHECK(m.column("angle").from == "header");
  CHECK(m.column("friction").unit == "µN");
  CHECK(m.column("normal").from == "option");
  m = read("phi,Ft,Fn\n\xb0,mN,N" + kRows);  // Latin-1
  CHECK(m.column("angle").unit == "°");
  CHECK(m.column("angle").from == "unit row");
  CHECK(m.column("friction").values[0] == near(2e-3, 1e-14));
  m = read("angle_deg,mu,Fn" + kRows);
  CHECK(m.column("angle").from == "name");
  CHECK(m.column("angle").values[0] == near(std::acos(-1.0) / 180, 1e-14));
  CHECK(m.column("friction").quantity == "number");
  CHECK(m.column("normal").from == "assumed");
  m = read("phi,Ft/N,Fn in N" + kRows);
  CHECK(m.column("angle").unit.empty());  // the caller decides
  CHECK(m.column("angle").values[1] == 4);
  CHECK(m.column("friction").from == "header");
}

TEST_CASE("A8 measured columns: contradictions, unknown units and half of the units are refused") {
  fails("phi [deg],Ft [µN],Fn [N]" + kRows, "column Ft: the file says \"µN\" (header), and units say \"N\"",
        {{}, {"force=N"}});
  fails("phi [deg],Ft [lb],Fn [N]" + kRows, "column Ft: \"lb\" is a mass; for a force write lbf");
  fails("phi [deg],Ft [stone],Fn [N]" + kRows, "column Ft: unknown unit \"stone\"; known for a force: N");
  fails("phi [N],Ft [N],Fn [N]" + kRows, "column phi: \"N\" is a unit of force");
  fails("phi [deg],Ft [mN],Fn" + kRows, "nothing says the unit of column Fn");
  fails("phi [deg],Ft [N],Fn [N]\ndeg,mN,N" + kRows, "two units");
  fails("phi_deg,Ft,Fn" + kRows, "its name says \"deg\", and units say \"rad\"", {{}, {"angle=rad"}});
  fails("phi [deg],mu,Fn" + kRows, "no such column", {{}, {"time=s"}});
  fails("phi [deg],Ft,Fn" + kRows, "given twice", {{}, {"force=N", "force=mN"}});
  fails("phi [deg],Ft,Fn" + kRows, "did you mean \"force\"", {{}, {"forc=N"}});
  fails("phi [deg],Ft,Fn" + kRows, "units for friction: unknown unit \"stone\"", {{}, {"force=stone"}});
  // The caller may name what the file writes in words that are no unit.
  Measured m = read("phi [deg],Ft (left),Fn" + kRows, {{}, {"force=N"}});
  CHECK(m.column("friction").from == "option, for the file's \"left\"");
  // And say which of two meanings it has.
  m = read("phi [-],Ft [lb],Fn [N]" + kRows, {{}, {"friction=lbf", "angle=rad"}});
  CHECK(m.column("friction").values[0] == near(2 * 4.4482216152605, 1e-14));
  CHECK(m.column("angle").values[0] == 1);
  fails("phi [deg],Ft [lb],Fn [N]" + kRows, "\"lb\" is a mass", {{}, {"friction=N"}});
  fails("phi [-],Ft [N],Fn [N]" + kRows, "is a unit of numbers", {{}, {"angle=deg"}});
}

TEST_CASE(
    "A9 A16 measured columns: roles that are given take their column; its negative; all that is missing at once") {
  // The column is named as one role, and used as another.
  Measured m = read("phi,Fn,normal" + kRows, {{"friction=Fn"}, {}});
  CHECK(m.column("friction").values[0] == 2);
  CHECK(m.column("normal").values[0] == 3);
  m = read("phi,Ft,Fn" + kRows, {{"friction=-Ft", "normal=-3"}, {}});
  CHECK(m.column("friction").values == std::vector<double>{-2, -5});
  CHECK(m.column("friction").negated);
  CHECK(m.column("normal").values == std::vector<double>{-3, -6});
  m = read("phi,-Ft,Fn" + kRows, {{"friction=-Ft"}, {}});  // its name
  CHECK(m.column("friction").values == std::vector<double>{2, 5});
  fails("a,b [N],c" + kRows,
        "no column for angle (or time and rate), friction, normal; found a, b [N], c; name them, as in "
        "angle=NAME,friction=NAME,normal=NAME");
  fails("phi,Ft,Fn" + kRows, "no column \"Fx\"", {{"friction=Fx"}, {}});
  fails("phi,Ft,Fn" + kRows, "used twice", {{"friction=Ft", "normal=2"}, {}});
  fails("phi,Ft,ft,Fn\n1,2,3,4\n1,2,3,4\n", "columns 2 and 3 are both named ft");
  // Without names: the columns that are needed and no others.
  CHECK(read("1,2,3\n4,5,6\n").column("normal").values == std::vector<double>{3, 6});
  fails("1,2,3,4\n4,5,6,7\n", "found 4 columns without names");
}

TEST_CASE("measured columns: time and rotation replace an angle") {
  Measured m = read("t,rpm,Ft,Fn\n0,60,1,2\n1,60,3,4\n");
  CHECK_FALSE(m.column("angle").found());
  CHECK(m.column("rate").values[0] == near(2 * std::acos(-1.0), 1e-14));
  // They are not read where there is an angle: text there does not matter.
  m = read("t,phi,Ft,Fn\n10:01,1,1,2\n10:02,2,3,4\n", {{"angle=phi", "friction=Ft", "normal=Fn"}, {}});
  CHECK_FALSE(m.column("time").found());
}

TEST_CASE("measured columns: rows that are no numbers are refused, or left out and counted") {
  const std::string text = "phi,Ft,Fn\n,,\n1,2,3\n4,nan,6\n7,8\n9,10,11\n1,2,3\nEND OF DATA\n";
  fails(text, "t.csv:4: not a finite number in column 2 (Ft): \"nan\"; fix the row, comment it out with #");
  const Measured m = read(text, {{}, {}, true});
  CHECK(m.skipped == 3);
  CHECK(m.columns[0].values == std::vector<double>{1, 9, 1});
  REQUIRE(m.notes.size() == 1);
  CHECK(m.notes[0].find("3 of 6 rows left out; the first one: ") == 0);
  // A gap in the first row does not make it a header.
  const std::string first = "phi,Ft,Fn\n1,,3\n4,5,6\n7,8,9\n1,2,3\n";
  fails(first, "t.csv:2: a number is missing in column 2 (Ft)");
  fails("phi,Ft,Fn\n1,2,\n4,5,6\n7,8,9\n", "t.csv:2: not all of the fields are numbers: \"1,2,\"");
  CHECK(read(first, {{}, {}, true}).skipped == 1);
  CHECK(read(first, {{}, {}, true}).columns[4].values == std::vector<double>{6, 9, 3});
  fails("phi,Ft,Fn\n1,2,3\n4,5,6\nx,y,z\nx,y,z\nx,y,z\n", "3 of 5 rows would be left out", {{}, {}, true});
}

// Version 4: type 0 (little endian, double), rows, one column, real, the length of the name.
TEST_CASE("measured columns: MATLAB files have the rule of text: no more rows left out than kept, and some kept") {
  const TemporaryFolder folder;
  const auto of = [&](const std::vector<double>& friction) {
    std::string bytes;
    const auto add = [&](const std::string& name, const std::vector<double>& values) {
      const std::int32_t header[] = {0, static_cast<std::int32_t>(values.size()), 1, 0,
                                     static_cast<std::int32_t>(name.size() + 1)};
      bytes.append(reinterpret_cast<const char*>(header), sizeof header);
      bytes.append(name.c_str(), name.size() + 1);
      bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
    };
    const std::vector<double> others(friction.size(), 1.0);
    for (const char* name : {"phi", "Fn", "more", "much_more"}) add(name, others);
    add("Ft", friction);
    write_file(folder.path() / "t.mat", bytes);
    return read_measured(folder.path() / "t.mat", kRoles, {{}, {}, true});
  };
  CHECK(of({1, NAN, 3}).skipped == 1);
  CHECK(of({1, NAN, 3, NAN}).rows == 2);
  CHECK_THROWS_WITH_AS(of({1, NAN, NAN}), doctest::Contains("2 of 3 rows would be left out, the first one: "),
                       InvalidInput);
  CHECK_THROWS_WITH_AS(of({NAN, NAN, NAN}), doctest::Contains("3 of 3 rows would be left out"), InvalidInput);
}

TEST_CASE("measured columns: of a role that is only named, neither unit nor numbers are read") {
  const TemporaryFolder folder;
  write_file(folder.path() / "t.csv", "phi,Fn [furlong],Ft\n1,,2\n3,,4\n");
  std::vector<MeasuredRole> roles = kRoles;
  roles.back().name_only = true;
  Measured m = read_measured(folder.path() / "t.csv", roles, {});
  CHECK(m.column("normal").name == "Fn");
  CHECK(m.column("normal").values.empty());
  CHECK(m.column("friction").values == std::vector<double>{2, 4});
}
