#pragma once

#include <string>
#include <string_view>

namespace openmi {

/// A number with `significant` digits for reading; the same text in every locale.
///
/// Thousands are separated by thin spaces; below 0.0001 and from 10^12 powers of ten are written (1.2 × 10⁻⁷). A
/// missing value (NaN) is an en dash.
std::string FormatNumber(double value, int significant = 5);

/// A large number as it is said, with three digits: "1 250", "170 million", "1.2 billion".
std::string CountInWords(double number);

/// A number with a fixed number of decimals, thousands separated; an en dash if missing.
std::string FormatFixed(double value, int decimals);

/// A share in per cent, "+3.2 %", always with its sign; an en dash if missing.
std::string FormatPercent(double share, int decimals = 1);

/// A relative difference: "0", or "3.1 × 10⁻¹³", or in per cent if it is large enough.
std::string FormatRelative(double share);

/// A number of bytes as "1.4 MB".
std::string FormatBytes(double bytes);

/// A computing time in seconds as "3.2 ms", "41 s", "2 min 5 s" or "3 h 12 min".
std::string FormatSeconds(double seconds);

/// A unit for reading: "m3 s-1" becomes "m³ s⁻¹". What is no exponent stays as it is.
std::string PrettyUnit(std::string_view unit);

/// The power of ten with `exponent`, as "10⁻³".
std::string PowerOfTen(int exponent);

}  // namespace openmi
