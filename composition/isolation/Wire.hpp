#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/isolation/KnownPlaces.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/standard/IArgument.hpp"
#include "openmi/standard/IBaseValueSet.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"
#include "timespace/times/TimeSet.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {

// Conversion of what the two processes exchange to bytes and back. Reading trusts nothing: every Read function throws
// FormatError if the bytes are not as expected.

inline void Write(StateWriter& writer, const std::string& text) {
  writer.Write(std::string_view(text));
}
inline void Write(StateWriter& writer, std::size_t count) {
  writer.Write(static_cast<std::int64_t>(count));
}

void WriteValue(StateWriter& writer, const Value& value);
Value ReadValue(StateReader& reader);

/// Quantities and qualities are read back as Quantity and Quality; any other definition as its caption, type and
/// missing value.
void WriteDefinition(StateWriter& writer, const IValueDefinition& definition);
std::unique_ptr<const IValueDefinition> ReadDefinition(StateReader& reader);

/// Writes a spatial definition; null is a value too.
/// \param known  the element sets that crossed before; null: elements are written whole
void WriteSpatial(StateWriter& writer, const ISpatialDefinition* spatial, KnownPlaces* known = nullptr);
/// \param known  null: elements are not named
std::shared_ptr<const ISpatialDefinition> ReadSpatial(StateReader& reader, KnownPlaces* known = nullptr);

/// Writes a time set; null is read back as null.
void WriteTimeSet(StateWriter& writer, const ITimeSet* times);
std::unique_ptr<TimeSet> ReadTimeSet(StateReader& reader);

/// What an exchange item is made of.
struct ItemDescription {
  std::string id, caption, description;
  std::unique_ptr<const IValueDefinition> definition;
  std::shared_ptr<const ISpatialDefinition> spatial;
  std::unique_ptr<TimeSet> times;
};
/// \param known  see WriteSpatial
void WriteItem(StateWriter& writer, const ITimeSpaceExchangeItem& item, KnownPlaces* known = nullptr);
ItemDescription ReadItem(StateReader& reader, KnownPlaces* known = nullptr);

/// Writes values of any kind except a user's objects.
/// \throws TypeError  the values are objects
void WriteValues(StateWriter& writer, const IBaseValueSet& values);
std::unique_ptr<ITimeSpaceValueSet> ReadValues(StateReader& reader);

void WriteProblems(StateWriter& writer, const Problems& problems);
Problems ReadProblems(StateReader& reader);

}  // namespace openmi
