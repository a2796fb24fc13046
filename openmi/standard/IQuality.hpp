#pragma once

#include <span>

#include "openmi/standard/ICategory.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi {

/// A value definition in categories.
///
/// The text of the standard says that the values are strings; in the official binaries they are ICategory objects.
/// Readers accept both.
///
/// Source: OGC 11-014r3, requirement 3.4 (/req/value-definition/IQuality), table 7.
class IQuality : public virtual IValueDefinition {
 public:
  /// All categories.
  ///
  /// When `IsOrdered()`, the order is always the same, from first to last; otherwise the order is unspecified. The list
  /// and its members live as long as the quality.
  virtual std::span<const ICategory* const> Categories() const = 0;

  /// Whether the order of the categories has a meaning.
  virtual bool IsOrdered() const = 0;
};

}  // namespace openmi
