#pragma once

#include <optional>

#include "fmi-bridge/osmp/wire/FieldReader.hpp"

namespace openmi::osmp {

/// What the provider of sensor views offers.
struct ViewOffer {
  double start = 0.0;  ///< start time of the simulation, s
  double step = 0.0;   ///< time between views, s
  /// The provider's own encoded SensorViewConfiguration; its fields replace those of the request. Empty: none.
  osi::Message own = {};
};

/// Makes the configuration that answers a request.
///
/// It holds the fields of the request, the start time of the simulation, and the provider's own fields. A cycle time
/// that is not a multiple of the step is omitted.
/// \param request  an encoded SensorViewConfiguration; may be empty
/// \throws osi::WireError  a message is malformed
Bytes AnswerRequest(osi::Message request, const ViewOffer& offer);

/// Whether two encoded messages hold the same data: the same fields, in any order.
/// \throws osi::WireError  a message is malformed
bool HoldSameData(osi::Message a, osi::Message b);

}  // namespace openmi::osmp
