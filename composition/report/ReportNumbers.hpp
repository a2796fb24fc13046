#pragma once

#include <string>
#include <string_view>

namespace openmi {

/// A number to be read by people: `significant` digits, thousands set apart by thin spaces, powers of ten written
/// out (1.2 × 10⁻⁷) below 0.0001 and from 10^12. An en dash where missing (NaN); the same in every locale.
std::string FormatNumber(double value, int significant = 5);

/// A fixed number of decimals, thousands set apart; an en dash where missing.
std::string FormatFixed(double value, int decimals);

/// A share as per cent, "+3.2 %"; the sign always shown. An en dash where missing.
std::string FormatPercent(double share, int decimals = 1);

/// A relative difference: "0", or "3.1 × 10⁻¹³", or per cent where it is large enough to be read so.
std::string FormatRelative(double share);

/// A number of bytes as "1.4 MB".
std::string FormatBytes(double bytes);

/// Seconds of work as "3.2 ms", "41 s", "2 min 5 s" or "3 h 12 min".
std::string FormatSeconds(double seconds);

/// A unit as it is printed: "m3 s-1" becomes "m³ s⁻¹". What is no exponent is left as it is.
std::string PrettyUnit(std::string_view unit);

/// `exponent` of ten as "10⁻³".
std::string PowerOfTen(int exponent);

}  // namespace openmi
