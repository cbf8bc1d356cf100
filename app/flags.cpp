#include "app/flags.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace slipset::app {

std::string with_flag(const std::string& text, const std::string& setting) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 18> flags = {
      {{"columns", "--columns ROLE=NAME"},
       {"units", "--units KIND=UNIT"},
       {"angle unit", "--units angle=rad"},
       {"normal force", "--columns normal=NAME, or --normal-force N"},
       {"sense", "--sense -1, or --sense auto"},
       {"misalignment", "--misalignment auto"},
       {"axes", "--axes DEGREES"},
       {"shapes", "--reservoir spline --direction series"},
       {"hull", "--hull"},
       {"prominence", "--prominence X"},
       {"method", "--method M"},
       {"output folder", "--out DIR"},
       {"resume", "--resume"},
       {"frame rate", "--fps F"},
       {"mark", "--colour '#d02030', --tolerance DEG, --region X,Y,W,H"},
       {"second mark", "--second COLOUR"},
       {"scale", "--scale M, or --length with --between"},
       {"chessboard corners", "--squares 9x6"}}};
  for (const auto& [name, flag] : flags)
    if (name == setting) return text + " (" + std::string(flag) + ")";
  return text;
}

}  // namespace slipset::app
