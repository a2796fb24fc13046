#pragma once

namespace openmi {

/// The double nearest to the ratio of whole numbers, or the short decimal number, that `value` is meant to be: removes
/// the last-digit noise of products and quotients of unit factors (0.0010000000000000002 is 0.001, 0.55555555555555558
/// is 5/9). Without such a number near by, `value` itself.
///
/// \param uncertainty  how far the exact number may lie from `value`, absolute; at least four units in the last place
/// are
///                     always allowed
double ExactNear(double value, double uncertainty = 0.0);

}  // namespace openmi
