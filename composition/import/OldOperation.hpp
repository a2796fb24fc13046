#pragma once

#include "composition/model/CompositionFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Turns a data operation of 1.4, or an adapted output of the reference SDK of 2.0, into the adaptor that computes the
/// same, and appends it to the adaptors of `link`.
///
/// The unknown, and arguments that have no counterpart, are reported and left out.
/// \param old       id, arguments and (of 2.0) factory, as the project states them
/// \param where     for messages
/// \param link      receives the adaptor, after those that it has
/// \param problems  receives what was left out, or means something else now
/// Source: ElementMapper, SmartBuffer, LinearConversionDataOperation, SmartBufferDataOperation of the OATC SDK 1.4;
///   SpatialAdaptedOutputFactory, TimeBufferFactory of the OATC SDK 2.0.
void AddOldOperation(const AdaptorSpec& old, const Where& where, LinkSpec& link, Problems& problems);

/// Gives the adaptors of a link of 1.4 the order in which its SDK computed (mapping, buffer in time, linear
/// conversion), and adds the buffer, which each output of that SDK has.
void CompleteVersion1(LinkSpec& link);

}  // namespace openmi
