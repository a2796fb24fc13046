#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Dimension.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "openmi/standard.hpp"
#include "tests/conformance/Fault.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/standard.hpp"
#include "timespace/times/TimeSet.hpp"
#include "timespace/values/ValueSets.hpp"

/// \file
/// Places, value definitions, value sets and exchange items of the sample component, each with the faults of its own.

namespace openmi::sample {

/// Two unit squares that drift east with every step.
class Squares final : public DescribedAs<IElementSet> {
 public:
  explicit Squares(Fault fault) : fault_(fault) {}
  void Drift() { ++drift_; }

  int ElementCount() const override { return 2; }
  std::string SpatialReferenceSystemWkt() const override {
    return fault_ == Fault::NoReferenceSystem ? "" : kLocalMetresWkt;
  }
  int Version() const override { return fault_ == Fault::VersionStays ? 0 : drift_; }
  openmi::ElementType ElementType() const override {
    return fault_ == Fault::SixthElementType ? static_cast<openmi::ElementType>(5) : openmi::ElementType::Polygon;
  }
  const IIdentifiable* GetElementId(int index) const override { return &ids_[Checked(index)]; }
  int GetElementIndex(const IIdentifiable& id) const override {
    for (int i = 0; i < 2; ++i) {
      if (ids_[i].Id() == id.Id()) return i;
    }
    return fault_ == Fault::UnknownIdIsTheFirst ? 0 : -1;
  }
  int GetFaceCount(int element) const override { return Checked(element), 0; }
  std::vector<int> GetFaceVertexIndices(int, int) const override {
    throw RangeError({}, "expected a face, found none");
  }
  int GetVertexCount(int element) const override { return Checked(element), 4; }
  double GetVertexMCoordinate(int element, int vertex) const override { return Checked(element, vertex), 0.0; }
  double GetVertexXCoordinate(int element, int vertex) const override {
    Checked(element, vertex);
    const bool east = vertex == 1 || vertex == 2;
    return 2.0 * element + (east != (fault_ == Fault::PolygonsRunClockwise) ? 1.0 : 0.0) + 0.001 * drift_;
  }
  double GetVertexYCoordinate(int element, int vertex) const override {
    return Checked(element, vertex), vertex >= 2 ? 1.0 : 0.0;
  }
  double GetVertexZCoordinate(int element, int vertex) const override { return Checked(element, vertex), 0.0; }
  bool HasM() const override { return false; }
  bool HasZ() const override { return false; }

 private:
  int Checked(int element, int vertex = 0) const {
    if (fault_ == Fault::ElementsBeyondTheLast && element == 2) return 0;
    if (element < 0 || element > 1 || vertex < 0 || vertex > 3) throw RangeError({}, "expected an element, found none");
    return element;
  }
  Fault fault_;
  Identifier ids_[2] = {Identifier("west"), Identifier("east")};
  int drift_ = 0;
};

/// m3 s-1.
class Discharge final : public DescribedAs<IQuantity> {
 public:
  explicit Discharge(Fault fault) : fault_(fault), unit_(fault) {}
  Value MissingDataValue() const override {
    if (fault_ == Fault::QuantityOfTexts || fault_ == Fault::MissingValueIsAText) return "none";
    return -999.0;
  }
  openmi::ValueType ValueType() const override {
    return {fault_ == Fault::QuantityOfTexts ? ValueKind::String : ValueKind::Double};
  }
  const IUnit& Unit() const override { return unit_; }

 private:
  class CubicMetresPerSecond final : public DescribedAs<IUnit> {
   public:
    explicit CubicMetresPerSecond(Fault fault) : fault_(fault) {
      SetCaption("m3 s-1");
      if (fault != Fault::DimensionOfAnotherUnit) {
        dimension_ = openmi::Dimension::Of({{DimensionBase::Length, 3.0}, {DimensionBase::Time, -1.0}});
      }
    }
    double ConversionFactorToSI() const override { return fault_ == Fault::FactorIsZero ? 0.0 : 1.0; }
    double OffSetToSI() const override { return 0.0; }
    const IDimension& Dimension() const override { return dimension_; }

   private:
    Fault fault_;
    openmi::Dimension dimension_;
  };
  Fault fault_;
  CubicMetresPerSecond unit_;
};

/// Doubles of which nobody says what they are.
class BareDefinition final : public DescribedAs<IValueDefinition> {
 public:
  Value MissingDataValue() const override { return -999.0; }
  openmi::ValueType ValueType() const override { return {ValueKind::Double}; }
};

/// "low", "high", "flood", in this order.
class Stage final : public DescribedAs<IQuality> {
 public:
  explicit Stage(Fault fault)
      : fault_(fault), low_("low"), high_("high"), flood_(fault == Fault::CategoryWithoutValue ? Value() : "flood") {}
  Value MissingDataValue() const override { return ""; }
  openmi::ValueType ValueType() const override { return {ValueKind::String}; }
  bool IsOrdered() const override { return true; }
  std::span<const ICategory* const> Categories() const override {
    if (fault_ == Fault::CategoriesChangeOrder) std::swap(list_[0], list_[2]);
    return list_;
  }

 private:
  class Category final : public DescribedAs<ICategory> {
   public:
    explicit Category(openmi::Value value) : value_(std::move(value)) {}
    openmi::Value Value() const override { return value_; }

   private:
    openmi::Value value_;
  };
  Fault fault_;
  Category low_;
  Category high_;
  Category flood_;
  mutable std::vector<const ICategory*> list_ = {&low_, &high_, &flood_};
};

/// One row of values of any type.
class Row final : public ValueSetBase {
 public:
  Row(openmi::ValueType type, Fault fault) : ValueSetBase(type), fault_(fault) {}
  using ValueSetBase::GetValue;
  Value GetValue(std::span<const std::size_t> indices) const override {
    if (fault_ == Fault::TooManyIndicesAccepted && indices.size() > 2) indices = indices.first(2);
    return ValueSetBase::GetValue(indices);
  }
  std::vector<std::vector<Value>> Values2D() const override {
    auto all = ValueSetBase::Values2D();
    if (fault_ == Fault::Values2DLacksARow && !all.empty()) all.pop_back();
    return all;
  }
  std::vector<Value> values;

 protected:
  std::size_t Times() const override { return values.empty() ? 0 : 1; }
  std::size_t Elements(std::size_t) const override { return values.size(); }
  Value At(std::size_t, std::size_t element) const override { return values[element]; }
  void Put(std::size_t, std::size_t element, const Value& value) override { values[element] = value; }
  void Resize(std::size_t, std::size_t elements) override { values.resize(elements); }
  void ResizeTimes(std::size_t) override {}

 private:
  Fault fault_;
};

/// Holds the values of the last step, and answers with them.
class Output final : public OutputOf<ITimeSpaceOutput> {
 public:
  Output(std::string id, std::unique_ptr<const IValueDefinition> definition, const Squares* squares,
         IBaseLinkableComponent* component, Fault fault)
      : OutputOf(std::move(id), std::move(definition), component),
        fault_(fault),
        squares_(squares),
        times_(fault == Fault::StampsAreSaidToBeSpans),
        values_(ValueDefinition().ValueType(), fault),
        others_(ValueDefinition().ValueType(), fault) {}

  void SetCaption(const std::string& caption) override {
    if (fault_ != Fault::CaptionIsFixed || Caption().empty()) OutputOf::SetCaption(caption);
  }
  const ITimeSet* TimeSet() const override { return &times_; }
  const ISpatialDefinition* SpatialDefinition() const override { return squares_; }
  const ITimeSpaceValueSet& Values() const override { return values_; }
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query) override {
    if (fault_ == Fault::StrangersRefused) {
      bool known = false;
      for (const IBaseInput* consumer : Consumers()) known = known || consumer == &query;
      if (!known) throw LinkError({.item = Id()}, "expected a registered consumer, found another");
    }
    if (fault_ != Fault::AnswersWithOtherValues) return values_;
    others_.values.assign(values_.values.size(), Value(-1.0));
    return others_;
  }
  void RemoveConsumer(IBaseInput& consumer) override {
    OutputOf::RemoveConsumer(consumer);
    if (fault_ == Fault::ProviderStays) consumer.SetProvider(this);
  }
  void Publish(double time, std::vector<Value> values) {
    values_.values = std::move(values);
    times_.SetSingle(Stamp{time}, Days{fault_ == Fault::DurationIsNegative ? -1.0 : 0.0});
  }
  void Tell() {
    if (fault_ != Fault::SilentValues) RaiseItemChanged("values");
    if (fault_ != Fault::RefreshForgotten) RefreshAdaptedOutputs();
  }
  void Clear() {
    values_.values.clear();
    times_.Clear();
  }

 private:
  Fault fault_;
  const Squares* squares_;
  openmi::TimeSet times_;
  Row values_;
  Row others_;
};

class Input final : public InputOf<ITimeSpaceInput> {
 public:
  Input(std::string id, const Squares& squares, IBaseLinkableComponent* component, Fault fault)
      : InputOf(std::move(id), std::make_unique<Discharge>(Fault::None), component), fault_(fault), squares_(squares) {}
  const ITimeSet* TimeSet() const override { return &times_; }
  const ISpatialDefinition* SpatialDefinition() const override { return &squares_; }
  void SetProvider(IBaseOutput* provider) override {
    if (fault_ != Fault::ProviderForgotten) InputOf::SetProvider(provider);
  }
  const ITimeSpaceValueSet* Values() const override { return values_; }
  void SetValues(const IBaseValueSet* values) override { values_ = dynamic_cast<const ITimeSpaceValueSet*>(values); }

  void Promise(double begin, double end) { times_.SetHorizon(Stamp{begin}, Stamp{end}); }
  /// The sum of what the provider gives at `time`; 0 without a provider.
  double Pull(double time) {
    if (Provider() == nullptr) return 0.0;
    times_.SetSingle(Stamp{fault_ == Fault::AsksBeforeItsHorizon ? time - 100.0 : time});
    SetValues(&Provider()->GetValues(*this));
    double sum = 0.0;
    for (const Value& value : values_->GetElementValuesForTime(0)) sum += value.Number().value_or(0.0);
    return sum;
  }

 private:
  Fault fault_;
  const Squares& squares_;
  openmi::TimeSet times_;
  const ITimeSpaceValueSet* values_ = nullptr;
};

}  // namespace openmi::sample
