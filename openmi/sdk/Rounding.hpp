#pragma once

namespace openmi {

/// The exact number that `value` approximates: a ratio of whole numbers or a short decimal number.
///
/// Removes the error in the last digits of products and quotients of unit factors: 0.0010000000000000002 becomes 0.001,
/// 0.55555555555555558 becomes the double nearest to 5/9. When there is no such number near `value`, the result is
/// `value`.
/// \param uncertainty  the largest distance of the exact number from `value`, absolute; four units in the last place
///   are always allowed
double ExactNear(double value, double uncertainty = 0.0);

}  // namespace openmi
