#pragma once

#include <map>
#include <optional>
#include <string>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/ssp/SystemStructure.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::ssp {

/// Whether two units are defined by the same base unit, whatever their names.
bool IsSameUnit(const fmi::UnitDefinition& a, const fmi::UnitDefinition& b);

/// Warns of a connector with another unit than its variable: SSP does not say that the value is converted.
/// \param connector  for the message
/// \param stated     name of the unit of the connector; empty: none
/// \param own        unit of the variable
/// \param units      those of the system structure
void WarnOfUnit(const std::string& connector, const std::string& stated, const fmi::UnitDefinition& own,
                const std::map<std::string, fmi::UnitDefinition>& units, const Where& where, Problems& problems);

/// What a connection of SSP says of a link, beside its ends.
struct LinkTransformation {
  Transformation transformation;
  std::string start_element;  ///< "x[2,1]": the link takes one element of the output; empty: all of them
};

/// The connection that the adaptors of a link mean.
///
/// Adaptors that an import adds by itself mean nothing more: conversions of units and types, and interpolation in time
/// where steps do not meet.
/// \param from_unit, to_unit  names of the units of both variables; empty: none
/// \param conversion  between these units; nothing: they are the same, or not known
/// \param file      for messages
/// \param problems  receives an error for adaptors that SSP has no transformation for
/// \returns nothing after an error
std::optional<LinkTransformation> TransformationOf(const LinkSpec& link, const fmi::Variable& from,
                                                   const fmi::Variable& to, const std::string& from_unit,
                                                   const std::string& to_unit,
                                                   const std::optional<LinearConversion>& conversion,
                                                   const std::string& file, Problems& problems);

/// The element of a transformation.
/// \pre  it is not None
XmlElement ElementOf(const Transformation& transformation);

}  // namespace openmi::ssp
