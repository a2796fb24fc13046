#include "openmi/sdk/Dimension.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace openmi {

Dimension Dimension::Of(std::initializer_list<std::pair<DimensionBase, double>> powers) {
  Dimension dimension;
  for (const auto& [base, power] : powers) dimension.powers_.at(static_cast<std::size_t>(base)) = power;
  return dimension;
}

double Dimension::GetPower(DimensionBase base) const {
  return powers_.at(static_cast<std::size_t>(base));
}

std::string Dimension::Text() const {
  return DimensionText(*this);
}

Dimension CopyOf(const IDimension& dimension) {
  std::array<double, kDimensionBaseCount> powers{};
  for (std::size_t i = 0; i < powers.size(); ++i) powers[i] = dimension.GetPower(static_cast<DimensionBase>(i));
  return Dimension(powers);
}

bool SameDimension(const IDimension& a, const IDimension& b) {
  for (std::size_t i = 0; i < kDimensionBaseCount; ++i) {
    const auto base = static_cast<DimensionBase>(i);
    if (a.GetPower(base) != b.GetPower(base)) return false;
  }
  return true;
}

std::string DimensionText(const IDimension& dimension) {
  constexpr const char* kLetters = "LMTIKNJE";
  std::string text;
  for (std::size_t i = 0; i < kDimensionBaseCount; ++i) {
    const double power = dimension.GetPower(static_cast<DimensionBase>(i));
    if (power == 0.0) continue;
    if (!text.empty()) text += ' ';
    text += kLetters[i];
    if (power != 1.0) text += fmt::format("{}", power);
  }
  return text.empty() ? "1" : text;
}

}  // namespace openmi
