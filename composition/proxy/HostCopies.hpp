#pragma once

#include <map>
#include <memory>
#include <string>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseExchangeItem.hpp"
#include "openmi/standard/IBaseValueSet.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {

/// Copies what a component's items show into objects of the engine's own types, which outlive the component's code.
/// \throws LinkError  values are objects of the component's own type, which cannot be copied
std::unique_ptr<const IValueDefinition> HostCopyOf(const IValueDefinition& definition);
/// \param times  null returns null
std::unique_ptr<TimeSet> HostCopyOf(const ITimeSet* times);
/// The values by time and element; numbers stay contiguous.
std::unique_ptr<ITimeSpaceValueSet> HostCopyOf(const ITimeSpaceValueSet& values, const ValueType& type);
/// Values with any number of indices.
std::unique_ptr<IBaseValueSet> HostCopyOf(const IBaseValueSet& values);
/// Copies an element set with its elements; any other definition with its count, reference system and version.
std::unique_ptr<const ISpatialDefinition> HostCopyOf(const ISpatialDefinition& where);

/// Copies of spatial definitions. Each is copied once, even if several items share it.
class PlaceCopies {
 public:
  /// \param where  null returns null
  std::shared_ptr<const ISpatialDefinition> Of(const ISpatialDefinition* where);
  const std::map<const ISpatialDefinition*, std::shared_ptr<const ISpatialDefinition>>& All() const { return copies_; }

 private:
  std::map<const ISpatialDefinition*, std::shared_ptr<const ISpatialDefinition>> copies_;
};

/// Whether values are numbers, so that rows of them are kept.
bool HoldsNumbers(const IValueDefinition& definition);
/// Requires that an input takes numbers.
/// \throws TypeError  it takes others; the message names `place` and `remedy`
void RequireNumbers(const IValueDefinition& definition, const Where& place, std::string remedy);
/// Whether two ends carry messages of different types. An end without a type, which is empty, fits any type; one that
/// takes several types states "osi3::GroundTruth or osi3::SensorView".
bool MessagesDiffer(const std::string& one, const std::string& other);

/// Requires that an item of a new version of a component can replace the earlier one: the same kind of values and unit,
/// stamps or spans, the same elements in the same order.
/// \throws LinkError  it cannot; the message says why
void RequireSameKind(const ITimeSpaceExchangeItem& before, const ITimeSpaceExchangeItem& now);
/// Whether the elements of two definitions with the same elements have other coordinates, so that weights must be
/// computed again.
bool HasMoved(const ISpatialDefinition& before, const ISpatialDefinition& now);

}  // namespace openmi
