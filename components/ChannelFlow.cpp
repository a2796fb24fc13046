#include "components/ChannelFlow.hpp"

#include <algorithm>
#include <cmath>

namespace openmi {

UniformFlow FlowOf(const Channel& channel, double discharge, double guess) {
  const double conveyance = discharge * channel.roughness / std::sqrt(channel.slope);
  const double bank = 2.0 * std::sqrt(1.0 + channel.run * channel.run);
  double depth = guess;
  if (!(depth > 0.0)) {
    // Of a wide channel, or of one that is a triangle.
    depth = channel.bottom_width > 0.0 ? std::pow(conveyance / channel.bottom_width, 0.6)
                                       : std::pow(conveyance / channel.run, 0.375);
  }
  // Newton's method in logarithms: ln Q is nearly linear in ln depth, with a slope between 2/3 and 8/3.
  double growth = 0.0;
  constexpr int kMost = 50;
  for (int i = 0; i < kMost; ++i) {
    const double area = channel.Area(depth);
    const double perimeter = channel.bottom_width + bank * depth;
    const double excess = 5.0 / 3.0 * std::log(area) - 2.0 / 3.0 * std::log(perimeter) - std::log(conveyance);
    growth = depth * (5.0 / 3.0 * channel.TopWidth(depth) / area - 2.0 / 3.0 * bank / perimeter);
    const double change = std::clamp(-excess / growth, -2.0, 2.0);
    depth *= std::exp(change);
    if (std::fabs(change) < 1e-12) break;
  }
  UniformFlow flow{.depth = depth, .area = channel.Area(depth), .width = channel.TopWidth(depth)};
  flow.velocity = discharge / flow.area;
  // dQ/dA = (dQ/dy) / width, and dQ/dy = Q growth / y.
  flow.celerity = discharge * growth / (depth * flow.width);
  return flow;
}

}  // namespace openmi
