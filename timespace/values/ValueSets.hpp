#pragma once

#include <span>
#include <vector>

#include "openmi/sdk/Few.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"

namespace openmi {

/// Implements the accessors of a value set by time and element with six small functions of the derived class.
class ValueSetBase : public ITimeSpaceValueSet {
 public:
  std::size_t GetIndexCount(std::span<const std::size_t> indices) const override;
  Value GetValue(std::span<const std::size_t> indices) const override;
  std::size_t NumberOfIndices() const override { return 2; }
  void SetValue(std::span<const std::size_t> indices, const Value& value) override;
  openmi::ValueType ValueType() const override { return type_; }

  std::vector<Value> GetElementValuesForTime(int time_index) const override;
  std::vector<Value> GetTimeSeriesValuesForElement(int element_index) const override;
  Value GetValue(int time_index, int element_index) const override;
  void SetElementValuesForTime(int time_index, std::span<const Value> values) override;
  void SetTimeSeriesValuesForElement(int element_index, std::span<const Value> values) override;
  void SetValue(int time_index, int element_index, const Value& value) override;
  std::vector<std::vector<Value>> Values2D() const override;
  void SetValues2D(const std::vector<std::vector<Value>>& values) override;

 protected:
  explicit ValueSetBase(openmi::ValueType type) : type_(type) {}

  /// The number of times.
  virtual std::size_t Times() const = 0;
  /// The number of elements at one time; `time` is valid.
  virtual std::size_t Elements(std::size_t time) const = 0;
  /// The value of one element at one time; both indices are valid.
  virtual Value At(std::size_t time, std::size_t element) const = 0;
  /// Sets the value of one element at one time; both indices are valid.
  /// \throws TypeError  the value has another type, or the set is a view
  virtual void Put(std::size_t time, std::size_t element, const Value& value) = 0;
  /// Sets the number of elements at one time; `time` is valid.
  /// \throws TypeError  the set is a view
  virtual void Resize(std::size_t time, std::size_t elements) = 0;
  /// Sets the number of times.
  /// \throws TypeError  the set is a view
  virtual void ResizeTimes(std::size_t times) = 0;

  /// `row`, when it is a valid index.
  /// \throws RangeError  `row` is not less than `count`
  static std::size_t CheckedRow(std::size_t row, std::size_t count) {
    if (row >= count) [[unlikely]]
      ThrowRow(row, count);
    return row;
  }

 private:
  [[noreturn]] static void ThrowRow(std::size_t row, std::size_t count);
  std::size_t CheckedTime(std::int64_t time) const;
  std::size_t CheckedElement(std::size_t time, std::int64_t element) const;
  openmi::ValueType type_;
};

/// Numbers by time and element. The set owns them; each row is contiguous.
class NumericValueSet final : public ValueSetBase, public INumericRows {
 public:
  /// \param kind  Double, Integer or Boolean: the type of the numbers as Values
  explicit NumericValueSet(ValueKind kind = ValueKind::Double) : ValueSetBase({kind}) {}
  NumericValueSet(std::size_t times, std::size_t elements, double value = 0.0, ValueKind kind = ValueKind::Double)
      : ValueSetBase({kind}), rows_(times, std::vector<double>(elements, value)) {}

  std::size_t RowCount() const override { return rows_.size(); }
  std::span<const double> Row(std::size_t row) const override { return rows_[CheckedRow(row, rows_.size())]; }
  /// Replaces one row by a copy of `values`, which may have another length.
  /// \throws std::out_of_range  there is no such row
  void SetRow(std::size_t row, std::span<const double> values) { rows_.at(row).assign(values.begin(), values.end()); }
  void ResizeTimes(std::size_t times) override { rows_.resize(times); }
  void Resize(std::size_t time, std::size_t elements) override { rows_.at(time).resize(elements); }

 protected:
  std::size_t Times() const override { return rows_.size(); }
  std::size_t Elements(std::size_t time) const override { return rows_[time].size(); }
  Value At(std::size_t time, std::size_t element) const override;
  void Put(std::size_t time, std::size_t element, const Value& value) override;

 private:
  std::vector<std::vector<double>> rows_;
};

/// The base class of read-only value sets over rows of numbers that another object keeps.
class ReadOnlyRows : public ValueSetBase, public INumericRows {
 protected:
  explicit ReadOnlyRows(ValueKind kind) : ValueSetBase({kind}) {}
  std::size_t Times() const override { return RowCount(); }
  std::size_t Elements(std::size_t time) const override { return Row(time).size(); }
  Value At(std::size_t time, std::size_t element) const override;
  void Put(std::size_t time, std::size_t element, const Value& value) override;
  void ResizeTimes(std::size_t times) override;
  void Resize(std::size_t time, std::size_t elements) override;
};

/// A read-only view of rows that another object keeps. Outputs of the SDK answer with it.
class RowsView final : public ReadOnlyRows {
 public:
  explicit RowsView(ValueKind kind = ValueKind::Double) : ReadOnlyRows(kind) {}

  std::size_t RowCount() const override { return rows_.size(); }
  std::span<const double> Row(std::size_t row) const override { return rows_[CheckedRow(row, rows_.size())]; }

  void Clear() { rows_.clear(); }
  /// Adds a row after the others; borrowed.
  void Add(std::span<const double> row) { rows_.push_back(row); }
  /// Makes `row` the only row; borrowed.
  void SetSingle(std::span<const double> row) { rows_.SetOnly(row); }

 private:
  Few<std::span<const double>> rows_;
};

/// Values of any type by time and element: texts, bytes, categories, objects of a user's type.
class ObjectValueSet final : public ValueSetBase {
 public:
  explicit ObjectValueSet(openmi::ValueType type) : ValueSetBase(type) {}
  ObjectValueSet(openmi::ValueType type, std::size_t times, std::size_t elements)
      : ValueSetBase(type), rows_(times, std::vector<Value>(elements)) {}
  void ResizeTimes(std::size_t times) override { rows_.resize(times); }
  void Resize(std::size_t time, std::size_t elements) override { rows_.at(time).resize(elements); }

 protected:
  std::size_t Times() const override { return rows_.size(); }
  std::size_t Elements(std::size_t time) const override { return rows_[time].size(); }
  Value At(std::size_t time, std::size_t element) const override { return rows_[time][element]; }
  void Put(std::size_t time, std::size_t element, const Value& value) override;

 private:
  std::vector<std::vector<Value>> rows_;
};

}  // namespace openmi
