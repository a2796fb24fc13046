#pragma once

#include <memory>
#include <string>
#include <vector>

#include "openmi/sdk/Problem.hpp"
#include "openmi/standard/IArgument.hpp"
#include "openmi/standard/IBaseValueSet.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/ValueSets.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi {

// What crosses the border between two processes, as bytes and back. Reading trusts nothing: every Read throws
// FormatError where the bytes are not what was expected.

inline void Write(StateWriter& writer, const std::string& text) {
  writer.Write(std::string_view(text));
}
inline void Write(StateWriter& writer, std::size_t count) {
  writer.Write(static_cast<std::int64_t>(count));
}

void WriteValue(StateWriter& writer, const Value& value);
Value ReadValue(StateReader& reader);

/// Quantities and qualities come back as Quantity and Quality; anything else as its caption, type and missing value.
void WriteDefinition(StateWriter& writer, const IValueDefinition& definition);
std::unique_ptr<const IValueDefinition> ReadDefinition(StateReader& reader);

/// Null is a place, too: none.
void WriteSpatial(StateWriter& writer, const ISpatialDefinition* spatial);
std::shared_ptr<const ISpatialDefinition> ReadSpatial(StateReader& reader);

/// Null comes back as nothing.
void WriteTimeSet(StateWriter& writer, const ITimeSet* times);
std::unique_ptr<TimeSet> ReadTimeSet(StateReader& reader);

/// Values of any kind but a user's objects. \throws TypeError  objects
void WriteValues(StateWriter& writer, const IBaseValueSet& values);
std::unique_ptr<ITimeSpaceValueSet> ReadValues(StateReader& reader);

void WriteProblems(StateWriter& writer, const Problems& problems);
Problems ReadProblems(StateReader& reader);

}  // namespace openmi
