#pragma once

#include <limits>
#include <string>

#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi {

/// Numbers with a unit.
class Quantity final : public DescribedAs<IQuantity> {
 public:
  /// \param caption  the unit's caption where empty
  /// \param missing  the value that stands for "no data"; a number of the kind. With integers, which have no NaN, a
  /// missing
  ///                 value of NaN becomes the smallest integer there is
  /// \param kind     Double or Integer
  /// \throws TypeError  another kind, or a missing value that is not of it
  explicit Quantity(openmi::Unit unit, const std::string& caption = {},
                    Value missing = std::numeric_limits<double>::quiet_NaN(), ValueKind kind = ValueKind::Double);

  const openmi::Unit& Unit() const override { return unit_; }
  Value MissingDataValue() const override { return missing_; }
  openmi::ValueType ValueType() const override { return {kind_, nullptr}; }

  /// MissingDataValue() as a double.
  double MissingDouble() const { return missing_double_; }

 private:
  openmi::Unit unit_;
  Value missing_;
  ValueKind kind_;
  double missing_double_;
};

}  // namespace openmi
