// What the programs print, in one place: what cannot be written to standard output is an error, and control characters
// of names and titles do not reach the terminal.
#pragma once

#include <string>
#include <string_view>

namespace slipset::app {

// As it is: JSON, files. Throws InvalidInput if it cannot be written, as on a full disk.
void print_exactly(std::string_view text);
// For people: control characters are shown as \x1b. Throws likewise.
void print(std::string_view text);
// "slipset: TEXT" and the end of a line, on standard error. Does not throw: there is nowhere left to say it.
void tell(std::string_view text);

// `text` with control characters, other than the ends of lines and tabulators, as \x1b.
std::string shown(std::string_view text);
// Where standard output or standard error is closed, a file that is opened later would take its place, and what is
// printed.
void occupy_standard_streams();

}  // namespace slipset::app
