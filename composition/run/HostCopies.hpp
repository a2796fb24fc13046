#pragma once

#include <map>
#include <memory>

#include "openmi/standard/IBaseExchangeItem.hpp"
#include "openmi/standard/IBaseValueSet.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"

namespace openmi {

/// Copies, in objects of the host's own types, of what a component's items show: they outlive its code.
/// \throws LinkError  values that are objects of the component's own type, which cannot be copied
std::unique_ptr<const IValueDefinition> HostCopyOf(const IValueDefinition& definition);
/// \param times  null gives null
std::unique_ptr<TimeSet> HostCopyOf(const ITimeSet* times);
/// The values by time and element; numbers stay contiguous.
std::unique_ptr<ITimeSpaceValueSet> HostCopyOf(const ITimeSpaceValueSet& values, const ValueType& type);
/// Values under any number of indices.
std::unique_ptr<IBaseValueSet> HostCopyOf(const IBaseValueSet& values);
/// An element set keeps its elements; any other definition its count, reference system and version.
std::unique_ptr<const ISpatialDefinition> HostCopyOf(const ISpatialDefinition& where);

/// Copies of places, each made once, however many items share it.
class PlaceCopies {
 public:
  /// \param where  null gives null
  std::shared_ptr<const ISpatialDefinition> Of(const ISpatialDefinition* where);
  const std::map<const ISpatialDefinition*, std::shared_ptr<const ISpatialDefinition>>& All() const { return copies_; }

 private:
  std::map<const ISpatialDefinition*, std::shared_ptr<const ISpatialDefinition>> copies_;
};

/// Whether an item of a new version of a component can stand where one stood: the same kind of values and unit, stamps
/// or spans, the same elements in the same order.
/// \throws LinkError  it cannot, and why
void RequireSameKind(const ITimeSpaceExchangeItem& before, const ITimeSpaceExchangeItem& now);
/// Whether two definitions with the same elements lie elsewhere, so that weights have to be made again.
bool HasMoved(const ISpatialDefinition& before, const ISpatialDefinition& now);

}  // namespace openmi
