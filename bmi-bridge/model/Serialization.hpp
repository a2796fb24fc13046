#pragma once

#include "bmi-bridge/model/Model.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi::bmi {

/// Whether a model has the four reserved variables through which the engine of NextGen takes and gives states.
///
/// They are in no list of variables. A model has them if it knows their units: `ngen::trigger` (create, free), `bytes`
/// (size) and `ngen::opaque` (state). The question changes nothing in the model.
/// Source: the serialization protocol of NOAA-OWP/ngen, pull request 957, versions 0.1 and 0.2.
bool OffersSerialization(Model& model);

/// The state of a model that offers serialization.
/// \throws ModelError  the model does not give it, or gives a size that is impossible
Bytes Serialized(Model& model);

/// Sets a model to a state.
/// \throws ModelError  the model does not take it
void Deserialize(Model& model, ByteView state);

}  // namespace openmi::bmi
