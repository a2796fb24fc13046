#pragma once

#include <cstddef>
#include <string>

namespace openmi {

/// What went through a link between the end of the warm-up and the present time of its consumer.
struct LinkBalanceFigures {
  std::string unit;                  ///< of the amounts ("m3", "kg", "m")
  double left = 0.0;                 ///< from the provider's rows, over its own steps
  double arrived = 0.0;              ///< from the values that the consumer used, over its steps
  double outside = 0.0;              ///< the part of `left` that lies outside the targets
  double relative_difference = 0.0;  ///< (arrived + outside - left) / |left - outside|; 0 where the numerator is 0
  std::size_t missing = 0;           ///< values missing on either side; steps with one count in none of the amounts
  bool is_weighed = true;            ///< false: no step could be balanced; amounts are NaN
  std::string note;                  ///< where areas come from; if nothing was balanced, why
};

}  // namespace openmi
