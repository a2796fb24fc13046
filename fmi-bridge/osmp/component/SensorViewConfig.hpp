#pragma once

#include <optional>
#include <vector>

#include "fmi-bridge/osmp/wire/FieldReader.hpp"

namespace openmi::osmp {

/// What the side that gives sensor views can do.
struct ViewOffer {
  double start = 0.0;  ///< of the simulation, in s
  double step = 0.0;   ///< at which views come, in s
  /// What it says itself, an encoded SensorViewConfiguration; its fields win over those of the request. Empty: nothing.
  osi::Message own = {};
};

/// The configuration that a request is answered with: the request, where there is one, with the time at which the
/// simulation begins, without a cycle time that is no multiple of the step, and with what the giver says itself.
/// \param request  an encoded SensorViewConfiguration; may be empty
/// \throws osi::WireError  malformed
std::vector<std::byte> AnswerRequest(osi::Message request, const ViewOffer& offer);

/// Whether two encoded messages hold the same data: the same fields, written in any order.
/// \throws osi::WireError  malformed
bool HoldSameData(osi::Message a, osi::Message b);

}  // namespace openmi::osmp
