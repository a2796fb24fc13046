#include "composition/record/ConservedQuantity.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "composition/record/DescribeSeries.hpp"

namespace openmi {
namespace {

constexpr std::array<std::string_view, 4> kSpeeds{"wind", "speed", "velocity", "celerity"};
constexpr std::array<std::string_view, 13> kDepths{"rain",  "precip",      "snow",         "evap",     "runoff",
                                                   "melt",  "infil",       "recharge",     "percolat", "drainage",
                                                   "depth", "throughfall", "transpiration"};

/// All names of an item, in lower case.
std::string NamesOf(const IBaseExchangeItem& item) {
  std::string names = item.Id() + ' ' + item.Caption() + ' ' + item.ValueDefinition().Caption() + ' ';
  std::ranges::transform(names, names.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return names;
}

template <std::size_t count>
bool HasAny(const std::string& names, const std::array<std::string_view, count>& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return names.find(word) != std::string::npos; });
}

/// Whether the unit is in millimetres: "mm", "mm h-1", "mm/d"; its first word is the unit of length.
bool CountsMillimetres(const IBaseExchangeItem& item) {
  const std::string unit = UnitText(item);
  return unit.starts_with("mm") && (unit.size() == 2 || std::isalnum(static_cast<unsigned char>(unit[2])) == 0);
}

}  // namespace

AmountKind AmountKindOf(const IBaseExchangeItem& item) {
  const IUnit* unit = UnitOf(item);
  if (unit == nullptr) return {};
  const IDimension& d = unit->Dimension();
  for (const DimensionBase other :
       {DimensionBase::Temperature, DimensionBase::ElectricCurrent, DimensionBase::AmountOfSubstance,
        DimensionBase::LuminousIntensity, DimensionBase::Currency}) {
    if (d.GetPower(other) != 0.0) return {};
  }
  const double time = d.GetPower(DimensionBase::Time);
  if (time != 0.0 && time != -1.0) return {};
  return {d.GetPower(DimensionBase::Length), d.GetPower(DimensionBase::Mass), time == -1.0};
}

bool NamesSpeed(const ITimeSpaceOutput& source, const ITimeSpaceInput& target) {
  return HasAny(NamesOf(source) + NamesOf(target), kSpeeds);
}

bool IsDepthOfMatter(const ITimeSpaceOutput& source, const ITimeSpaceInput& target) {
  if (NamesSpeed(source, target)) return false;
  return HasAny(NamesOf(source) + NamesOf(target), kDepths) || CountsMillimetres(source) || CountsMillimetres(target);
}

bool IsDepthOfMatter(const ITimeSpaceOutput& source) {
  const std::string names = NamesOf(source);
  return !HasAny(names, kSpeeds) && (HasAny(names, kDepths) || CountsMillimetres(source));
}

}  // namespace openmi
