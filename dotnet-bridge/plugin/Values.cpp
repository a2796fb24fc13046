#include "dotnet-bridge/plugin/Values.hpp"

#include <optional>
#include <vector>

#include "dotnet-bridge/plugin/Border.hpp"
#include "dotnet-bridge/plugin/Meaning.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "timespace/values/NumberRows.hpp"

namespace openmi::dotnet {
namespace {

std::vector<int> Ints(std::span<const std::size_t> indices) {
  std::vector<int> ints;
  for (const std::size_t index : indices) ints.push_back(static_cast<int>(index));
  return ints;
}

/// What a component throws at an index becomes the error that the interface states.
template <class Ask>
auto Indexed(Ask&& ask) {
  try {
    return ask();
  } catch (const ModelError& error) {
    throw RangeError(error.Place(), error.Problem(), error.Remedy());
  }
}
template <class Set>
void Typed(Set&& set) {
  try {
    set();
  } catch (const ModelError& error) {
    if (error.Problem().find("InvalidCastException") == std::string::npos) {
      throw RangeError(error.Place(), error.Problem(), error.Remedy());
    }
    throw TypeError(error.Place(), error.Problem(), error.Remedy());
  }
}

class ManagedValues : public ITimeSpaceValueSet {
 public:
  ManagedValues(Thing thing, openmi::ValueType type) : thing_(std::move(thing)), type_(type) {}

  std::size_t GetIndexCount(std::span<const std::size_t> indices) const override {
    return static_cast<std::size_t>(Indexed([&] { return TheBorder().GetIndexCount(Number(), Ints(indices)); }));
  }
  Value GetValue(std::span<const std::size_t> indices) const override {
    return Indexed([&] { return TheBorder().GetValue(Number(), Ints(indices)); });
  }
  std::size_t NumberOfIndices() const override {
    return static_cast<std::size_t>(TheBorder().NumberOfIndices(Number()));
  }
  void SetValue(std::span<const std::size_t> indices, const Value& value) override {
    Typed([&] { TheBorder().SetValue(Number(), Ints(indices), value); });
    OnChanged();
  }
  openmi::ValueType ValueType() const override { return type_; }

  std::vector<Value> GetElementValuesForTime(int time_index) const override {
    return *Indexed([&] { return TheBorder().GetElementValuesForTime(Number(), time_index); });
  }
  std::vector<Value> GetTimeSeriesValuesForElement(int element_index) const override {
    return *Indexed([&] { return TheBorder().GetTimeSeriesValuesForElement(Number(), element_index); });
  }
  Value GetValue(int time_index, int element_index) const override {
    return Indexed([&] { return TheBorder().GetValueAt(Number(), time_index, element_index); });
  }
  void SetElementValuesForTime(int time_index, std::span<const Value> values) override {
    Typed([&] { TheBorder().SetElementValuesForTime(Number(), time_index, values); });
    OnChanged();
  }
  void SetTimeSeriesValuesForElement(int element_index, std::span<const Value> values) override {
    Typed([&] { TheBorder().SetTimeSeriesValuesForElement(Number(), element_index, values); });
    OnChanged();
  }
  void SetValue(int time_index, int element_index, const Value& value) override {
    Typed([&] { TheBorder().SetValueAt(Number(), time_index, element_index, value); });
    OnChanged();
  }
  std::vector<std::vector<Value>> Values2D() const override {
    std::vector<std::vector<Value>> rows(static_cast<std::size_t>(TheBorder().RowCount(Number())));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = GetElementValuesForTime(static_cast<int>(i));
    return rows;
  }
  void SetValues2D(const std::vector<std::vector<Value>>& values) override {
    Typed([&] { TheBorder().SetValues2D(Number(), std::span<const std::vector<Value>>(values)); });
    OnChanged();
  }

 protected:
  int Number() const { return thing_.Number(); }
  virtual void OnChanged() {}

 private:
  Thing thing_;
  openmi::ValueType type_;
};

class ManagedNumbers final : public ManagedValues, public INumericRows {
 public:
  using ManagedValues::ManagedValues;
  std::size_t RowCount() const override { return static_cast<std::size_t>(TheBorder().RowCount(Number())); }
  std::span<const double> Row(std::size_t row) const override {
    if (row >= rows_.size()) rows_.resize(row + 1);
    std::optional<std::vector<double>>& copy = rows_[row];
    if (!copy) {
      Indexed([&] {
        copy.emplace(static_cast<std::size_t>(TheBorder().RowSize(Number(), static_cast<int>(row))));
        return 0;
      });
      TheBorder().CopyRow(Number(), static_cast<int>(row), copy->data(), static_cast<int>(copy->size()));
    }
    return *copy;
  }

 protected:
  void OnChanged() override { rows_.clear(); }

 private:
  mutable std::vector<std::optional<std::vector<double>>> rows_;
};

}  // namespace

std::unique_ptr<ITimeSpaceValueSet> ValuesOf(Thing values) {
  const ValueType type = TypeOf(TheBorder().ValueSetType(values.Number()));
  const bool is_numeric =
      type.kind == ValueKind::Double || type.kind == ValueKind::Integer || type.kind == ValueKind::Boolean;
  if (is_numeric && TheBorder().NumberOfIndices(values.Number()) == 2) {
    return std::make_unique<ManagedNumbers>(std::move(values), type);
  }
  return std::make_unique<ManagedValues>(std::move(values), type);
}

void SetInputValues(int input, const IBaseValueSet* values) {
  if (values == nullptr) return TheBorder().SetInputValues(input, nullptr);
  std::vector<std::vector<double>> rows;
  NumberRows numbers;
  for (std::size_t row = 0; row < numbers.Count(*values); ++row) {
    const std::span<const double> from = numbers.Row(*values, row);
    rows.emplace_back(from.begin(), from.end());
  }
  TheBorder().SetInputValues(input, &rows);
}

}  // namespace openmi::dotnet
