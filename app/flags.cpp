#include "app/flags.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace slipset::app {

std::string with_flag(const std::string& text, const std::string& setting) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 22> flags = {
      {{"columns", "--columns ROLE=NAME"},
       {"units", "--units KIND=UNIT"},
       {"angle unit", "--units angle=deg, or --units angle=rad"},
       {"friction unit", "--units friction=- or --units force=-: over the normal force; --units force=N: newtons"},
       {"bad rows", "--skip-bad-rows"},
       {"radial sign", "--columns radial=-NAME, or --sense -1"},
       {"drift", "--detrend, with --zero-at start, middle or end"},
       {"zero", "--zero-at start, middle or end"},
       {"normal force", "--columns normal=NAME, or --normal-force N; stick-slip: --weight N"},
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
