#pragma once

#include <string>

#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi {

/// A value definition in numbers with a unit.
class Quantity final : public DescribedAs<IQuantity> {
 public:
  /// \param caption  empty: the caption of the unit
  /// \param missing  the value that means "no data", a number of the kind. For integers, which have no NaN, a missing
  ///   value of NaN becomes the smallest integer
  /// \param kind     Double or Integer
  /// \throws TypeError  another kind, or a missing value of another type
  explicit Quantity(openmi::Unit unit, const std::string& caption = {}, Value missing = kNotANumber,
                    ValueKind kind = ValueKind::Double);

  const openmi::Unit& Unit() const override { return unit_; }
  Value MissingDataValue() const override { return missing_; }
  openmi::ValueType ValueType() const override { return {kind_, nullptr}; }

 private:
  openmi::Unit unit_;
  Value missing_;
  ValueKind kind_;
};

}  // namespace openmi
