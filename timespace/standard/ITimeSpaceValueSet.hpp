#pragma once

#include <span>
#include <vector>

#include "openmi/standard/IBaseValueSet.hpp"

namespace openmi {

/// Values by time and element. Index 0 stands for the time of data without time and for the element of data without
/// place.
///
/// Every accessor throws RangeError for an index outside its range and TypeError for a value of another type; setters
/// throw TypeError on a view that cannot be written.
///
/// Source: OGC 11-014r3, requirement 6.2 (/req/value-set/ITimeSpaceValueSet), table 18.
class ITimeSpaceValueSet : public virtual IBaseValueSet {
 public:
  /// The values of all elements at one time.
  virtual std::vector<Value> GetElementValuesForTime(int time_index) const = 0;

  /// The values of one element at all times. Where a row is shorter than the index, the value is empty; where all rows
  /// are, RangeError is thrown.
  virtual std::vector<Value> GetTimeSeriesValuesForElement(int element_index) const = 0;

  using IBaseValueSet::GetValue;
  virtual Value GetValue(int time_index, int element_index) const = 0;

  virtual void SetElementValuesForTime(int time_index, std::span<const Value> values) = 0;

  virtual void SetTimeSeriesValuesForElement(int element_index, std::span<const Value> values) = 0;

  using IBaseValueSet::SetValue;
  virtual void SetValue(int time_index, int element_index, const Value& value) = 0;

  /// All values: the outer list is time, the inner ones elements; rows may have different lengths.
  virtual std::vector<std::vector<Value>> Values2D() const = 0;
  virtual void SetValues2D(const std::vector<std::vector<Value>>& values) = 0;
};

}  // namespace openmi
