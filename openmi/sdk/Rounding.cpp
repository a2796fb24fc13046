#include "openmi/sdk/Rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace openmi {

namespace {

constexpr int kDecimalDigits = 12;  // the longest factors in use have 11 (a cubic foot is 0.028316846592 m3)
// Ratios p / q with p * q up to this limit are so rare that a match within a few units in the last place is meant.
constexpr double kRatioLimit = 1e12;

std::optional<double> ShortDecimal(double value, double tolerance) {
  const std::string text = fmt::format("{:.{}e}", value, kDecimalDigits - 1);
  double rounded = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  if (std::abs(rounded - value) <= tolerance) return rounded;
  return std::nullopt;
}

/// The simplest ratio within the tolerance, by continued fractions.
std::optional<double> Ratio(double value, double tolerance) {
  double p_before = 0.0, p = 1.0, q_before = 1.0, q = 0.0;
  double rest = value;
  for (int i = 0; i < 40; ++i) {
    const double whole = std::floor(rest);
    const double p_next = whole * p + p_before;
    const double q_next = whole * q + q_before;
    if (p_next * q_next > kRatioLimit) return std::nullopt;
    p_before = p;
    q_before = q;
    p = p_next;
    q = q_next;
    if (p > 0.0 && std::abs(p / q - value) <= tolerance) return p / q;
    if (rest == whole) return std::nullopt;
    rest = 1.0 / (rest - whole);
  }
  return std::nullopt;
}

}  // namespace

double ExactNear(double value, double uncertainty) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  if (std::abs(value) <= uncertainty) return 0.0;
  const double size = std::abs(value);
  const double relative = std::max(4.0 * std::numeric_limits<double>::epsilon(), uncertainty / size);
  const auto with_sign = [value](double found) { return std::copysign(found, value); };
  if (const auto found = ShortDecimal(size, relative * size)) return with_sign(*found);
  if (const auto found = Ratio(size, relative * size)) return with_sign(*found);
  if (const auto found = ShortDecimal(1.0 / size, relative / size)) return with_sign(1.0 / *found);
  // A long decimal number per minute, hour or day, or multiplied by one of them.
  for (const double span : {60.0, 3600.0, 86400.0}) {
    if (const auto found = ShortDecimal(size * span, relative * size * span)) return with_sign(*found / span);
    if (const auto found = ShortDecimal(size / span, relative * size / span)) return with_sign(*found * span);
  }
  return value;
}

}  // namespace openmi
