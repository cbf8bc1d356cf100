#include "slipset/report/measurements/record_roles.hpp"

namespace slipset {

MeasuredRole time_role() {
  return {"time", {"time"}, "s", {{"t"}, {"zeit"}, {"elapsedtime"}, {"timestamp"}, {"temps"}, {"tempo"}, {"tiempo"}}};
}

MeasuredRole angle_role() {
  return {"angle",
          {"angle"},
          "",
          {{"phi"},
           {"φ"},
           {"rotation"},
           {"position"},
           {"rotationangle"},
           {"angularposition"},
           {"winkel"},
           {"drehwinkel"},
           {"angolo"},
           {"ángulo"}},
          false,
          {"time", "rate"}};
}

MeasuredRole rate_role() {
  return {"rate",
          {"rotation"},
          "",
          {{"rpm", "rpm"},
           {"rotationrate"},
           {"rotationspeed"},
           {"rotationalspeed"},
           {"angularvelocity"},
           {"omega"},
           {"rotation"},
           {"speed"},
           {"ω"},
           {"drehzahl"},
           {"winkelgeschwindigkeit"}},
          true};
}

MeasuredRole tangential_role() {
  return {"tangential",
          {"force"},
          "N",
          {{"ft"},
           {"lambdat"},
           {"fy"},
           {"friction"},
           {"frictionforce"},
           {"tangentialforce"},
           {"ftan"},
           {"tangentialkraft"},
           {"reibkraft"},
           {"reibungskraft"}}};
}

MeasuredRole radial_role() {
  return {"radial",
          {"force"},
          "N",
          {{"fr"},
           {"lambdar"},
           {"fx"},
           {"lateral"},
           {"radialforce"},
           {"lateralforce"},
           {"frad"},
           {"radialkraft"},
           {"querkraft"},
           {"seitenkraft"}}};
}

MeasuredRole normal_role() {
  return {"normal",
          {"force"},
          "N",
          {{"fn"}, {"lambdan"}, {"fz"}, {"load"}, {"normalforce"}, {"normalload"}, {"normalkraft"}, {"anpresskraft"}}};
}

std::vector<UsualName> coefficient_names() {
  return {{"mu", "-"},
          {"µ", "-"},
          {"μ", "-"},
          {"cof", "-"},
          {"fnorm", "-"},
          {"coefficient", "-"},
          {"frictioncoefficient", "-"},
          {"coefficientoffriction", "-"},
          {"reibwert", "-"},
          {"reibzahl", "-"},
          {"reibungszahl", "-"},
          {"reibungskoeffizient", "-"}};
}

std::vector<UsualName> and_more(std::vector<UsualName> names, const std::vector<UsualName>& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

MeasuredRole required(MeasuredRole role) {
  role.optional = false;
  return role;
}
MeasuredRole if_there(MeasuredRole role) {
  role.optional = true;
  return role;
}

}  // namespace slipset
