// Where results go: files of a folder, written together; JSON or text on standard output.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/options.hpp"
#include "slipset/report/results.hpp"

namespace slipset::app {

// --out, else out/NAME of the input file, or of a file inside out/ a folder of its name beside it; empty with --json
// alone: then there are no files.
std::filesystem::path output_folder(const CommonOptions& options, const std::filesystem::path& input);
// Throws InvalidInput if the results RESULT.json in a folder that nobody asked for are those of other files: of two
// records with one name the second would replace the first. `files` as typed, the key of the same name in the JSON.
void require_same_files(const CommonOptions& options, const std::filesystem::path& folder, const std::string& result,
                        const std::vector<std::string>& files);
// Throws InvalidInput where the folder cannot be written: asked before the work is done. Does nothing for "".
void require_writable(const std::filesystem::path& folder);

// Files first: if they cannot be written, nothing is printed that looks like success.
void write_results(const Results& results, const std::filesystem::path& folder, const CommonOptions& options);
// Why a figure has its script and data but no picture, on standard error.
void warn_about_figures(const std::vector<std::string>& problems);

}  // namespace slipset::app
