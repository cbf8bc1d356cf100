// Which studies there are. To add one:
//   1. studies/PAPER/FIGURE.toml: parameters, and what is known (it is built into the program);
//   2. a function of type StudyCode in slipset/studies/, under the name PAPER-FIGURE in its paper's list below.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipset/studies/study.hpp"
#include "slipset/studies/study_files.hpp"

namespace slipset {

struct StudyEntry {
  std::string_view name;  // PAPER-FIGURE, as the file is called
  StudyCode code;
};

// One list per paper, each in its own source file.
std::vector<StudyEntry> quinn2004_studies();
std::vector<StudyEntry> walker2016_studies();
std::vector<StudyEntry> walker2019_studies();
std::vector<StudyEntry> konyukhov2007_studies();
std::vector<StudyEntry> hoffmann2007_studies();

// All of them, in the order of the lists.
std::span<const StudyEntry> study_entries();
// Throws InvalidInput with the nearest name.
StudyCode find_study_code(std::string_view name);

// The file of a study. Throws InvalidInput with the nearest name.
const StudyFile& study_file(std::string_view name);
Study built_in_study(std::string_view name);

}  // namespace slipset
