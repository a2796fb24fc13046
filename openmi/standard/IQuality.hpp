#pragma once

#include <span>

#include "openmi/standard/ICategory.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi {

/// A value definition in categories.
///
/// The text of the standard says its values are strings, the official binaries say they are ICategory objects: readers
/// accept both.
///
/// Source: OGC 11-014r3, requirement 3.4 (/req/value-definition/IQuality), table 7.
class IQuality : public virtual IValueDefinition {
 public:
  /// The categories there are. In an unspecified order unless IsOrdered(); then always in the same, from first to last.
  /// The list and its members live as long as the quality.
  virtual std::span<const ICategory* const> Categories() const = 0;

  /// Whether the order of the categories means something.
  virtual bool IsOrdered() const = 0;
};

}  // namespace openmi
