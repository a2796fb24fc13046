#pragma once

#include <span>
#include <vector>

#include "openmi/standard/IBaseValueSet.hpp"

namespace openmi {

/// Values by time and element.
///
/// Data without time have the time index 0 only; data without place have the element index 0 only.
///
/// Every accessor throws RangeError for an index outside its range. Setters throw TypeError for a value of another
/// type, and on a read-only view.
///
/// Source: OGC 11-014r3, requirement 6.2 (/req/value-set/ITimeSpaceValueSet), table 18.
class ITimeSpaceValueSet : public virtual IBaseValueSet {
 public:
  /// The values of all elements at one time; shape [elements].
  virtual std::vector<Value> GetElementValuesForTime(int time_index) const = 0;

  /// The values of one element at all times; shape [times].
  ///
  /// Where a row is too short to have the element, the value is empty. When all rows are too short, RangeError is
  /// thrown.
  virtual std::vector<Value> GetTimeSeriesValuesForElement(int element_index) const = 0;

  using IBaseValueSet::GetValue;
  /// The value of one element at one time.
  virtual Value GetValue(int time_index, int element_index) const = 0;

  /// Sets the values of all elements at one time.
  /// \param values  shape [elements]
  virtual void SetElementValuesForTime(int time_index, std::span<const Value> values) = 0;

  /// Sets the values of one element at all times.
  /// \param values  shape [times]
  virtual void SetTimeSeriesValuesForElement(int element_index, std::span<const Value> values) = 0;

  using IBaseValueSet::SetValue;
  /// Sets the value of one element at one time.
  virtual void SetValue(int time_index, int element_index, const Value& value) = 0;

  /// All values; shape [times][elements]. Rows may have different lengths.
  virtual std::vector<std::vector<Value>> Values2D() const = 0;
  /// Replaces all values.
  /// \param values  shape [times][elements]; rows may have different lengths
  virtual void SetValues2D(const std::vector<std::vector<Value>>& values) = 0;
};

}  // namespace openmi
