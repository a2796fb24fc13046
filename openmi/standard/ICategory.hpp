#pragma once

#include "openmi/standard/IDescribable.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi {

/// One of the values that a quality can have.
///
/// Source: OGC 11-014r3, requirement 3.5 (/req/value-definition/ICategory), table 8.
class ICategory : public virtual IDescribable {
 public:
  /// The value of the category, for example "blue" of "red", "green" and "blue"; not empty.
  virtual openmi::Value Value() const = 0;
};

}  // namespace openmi
