#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/ForeignComponent.hpp"
#include "timespace/standard.hpp"

/// A provider by somebody else, with times and places, made of the standard's interfaces alone: no contiguous rows, no
/// history, local time, -999 for "no value". Each update is an hour; only the newest values are kept.
namespace foreign {

class Moment final : public openmi::ITime {
 public:
  Moment(double mjd, double days) : mjd_(mjd), days_(days) {}
  double StampAsModifiedJulianDay() const override { return mjd_; }
  double DurationInDays() const override { return days_; }

 private:
  double mjd_;
  double days_;
};

/// One time, at an offset from UTC.
class Clock final : public openmi::ITimeSet {
 public:
  bool HasDurations() const override { return false; }
  double OffsetFromUtcInHours() const override { return -5.0; }
  const openmi::ITime& TimeHorizon() const override { return horizon_; }
  std::span<const openmi::ITime* const> Times() const override { return list_; }
  void Set(double utc) {
    now_ = Moment(utc - 5.0 / 24.0, 0.0);
    list_ = {&now_};
  }

 private:
  Moment now_{0.0, 0.0};
  Moment horizon_{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  std::vector<const openmi::ITime*> list_;
};

/// One time, two elements.
class Pair final : public openmi::ITimeSpaceValueSet {
 public:
  explicit Pair(openmi::ValueKind kind) : kind_(kind) {}
  std::vector<openmi::Value> values;

  std::size_t GetIndexCount(std::span<const std::size_t> indices) const override {
    return values.empty() ? 0 : indices.empty() ? 1 : 2;
  }
  openmi::Value GetValue(std::span<const std::size_t> indices) const override { return values.at(indices[1]); }
  std::size_t NumberOfIndices() const override { return 2; }
  void SetValue(std::span<const std::size_t> indices, const openmi::Value& value) override {
    values.at(indices[1]) = value;
  }
  openmi::ValueType ValueType() const override { return {kind_}; }
  std::vector<openmi::Value> GetElementValuesForTime(int) const override { return values; }
  std::vector<openmi::Value> GetTimeSeriesValuesForElement(int element) const override {
    return {values.at(static_cast<std::size_t>(element))};
  }
  openmi::Value GetValue(int, int element) const override { return values.at(static_cast<std::size_t>(element)); }
  void SetElementValuesForTime(int, std::span<const openmi::Value> row) override {
    values.assign(row.begin(), row.end());
  }
  void SetTimeSeriesValuesForElement(int element, std::span<const openmi::Value> series) override {
    values.at(static_cast<std::size_t>(element)) = series[0];
  }
  void SetValue(int, int element, const openmi::Value& value) override {
    values.at(static_cast<std::size_t>(element)) = value;
  }
  std::vector<std::vector<openmi::Value>> Values2D() const override { return {values}; }
  void SetValues2D(const std::vector<std::vector<openmi::Value>>& rows) override { values = rows.at(0); }

 private:
  openmi::ValueKind kind_;
};

class Places final : public Described<openmi::ISpatialDefinition> {
 public:
  Places() : Described("two places") {}
  int ElementCount() const override { return 2; }
  std::string SpatialReferenceSystemWkt() const override { return {}; }
  int Version() const override { return 0; }
};

/// Plain words.
class Word final : public Described<openmi::IValueDefinition> {
 public:
  Word() : Described("word") {}
  openmi::Value MissingDataValue() const override { return std::string(); }
  openmi::ValueType ValueType() const override { return {openmi::ValueKind::String}; }
};

/// Two kinds of soil.
class Soil final : public Described<openmi::IQuality> {
 public:
  Soil() : Described("soil") {}
  openmi::Value MissingDataValue() const override { return std::string(); }
  openmi::ValueType ValueType() const override { return {openmi::ValueKind::String}; }
  std::span<const openmi::ICategory* const> Categories() const override { return list_; }
  bool IsOrdered() const override { return false; }

 private:
  class Kind final : public Described<openmi::ICategory> {
   public:
    explicit Kind(std::string name) : Described(std::move(name)) {}
    openmi::Value Value() const override { return Caption(); }
  };
  Kind sand_{"sand"};
  Kind clay_{"clay"};
  std::vector<const openmi::ICategory*> list_{&sand_, &clay_};
};

class SeriesOutput final : public Named<openmi::ITimeSpaceOutput> {
 public:
  SeriesOutput(std::string id, openmi::IBaseLinkableComponent* component, const openmi::IValueDefinition& definition,
               bool has_times = true)
      : Named(std::move(id)),
        component_(component),
        definition_(definition),
        values_(definition.ValueType().kind),
        has_times_(has_times) {}
  openmi::IBaseLinkableComponent* Component() const override { return component_; }
  openmi::IEvent<openmi::ExchangeItemChangeEventArgs>& ItemChanged() override { return changed_; }
  const openmi::IValueDefinition& ValueDefinition() const override { return definition_; }
  std::span<openmi::IBaseAdaptedOutput* const> AdaptedOutputs() const override { return adapted_; }
  void AddAdaptedOutput(openmi::IBaseAdaptedOutput& adapted) override { adapted_.push_back(&adapted); }
  void RemoveAdaptedOutput(openmi::IBaseAdaptedOutput& adapted) override { std::erase(adapted_, &adapted); }
  void AddConsumer(openmi::IBaseInput& consumer) override {
    consumers_.push_back(&consumer);
    consumer.SetProvider(this);
  }
  std::span<openmi::IBaseInput* const> Consumers() const override { return consumers_; }
  void RemoveConsumer(openmi::IBaseInput& consumer) override {
    std::erase(consumers_, &consumer);
    consumer.SetProvider(nullptr);
  }
  const openmi::ITimeSpaceValueSet& GetValues(const openmi::IBaseExchangeItem&) override { return values_; }
  const openmi::ITimeSpaceValueSet& Values() const override { return values_; }
  const openmi::ISpatialDefinition* SpatialDefinition() const override { return &places_; }
  const openmi::ITimeSet* TimeSet() const override { return has_times_ ? &clock_ : nullptr; }
  void Put(double utc, std::vector<openmi::Value> values) {
    clock_.Set(utc);
    values_.values = std::move(values);
    for (openmi::IBaseAdaptedOutput* adapted : adapted_) adapted->Refresh();
  }

 private:
  openmi::IBaseLinkableComponent* component_;
  const openmi::IValueDefinition& definition_;
  Event<openmi::ExchangeItemChangeEventArgs> changed_;
  std::vector<openmi::IBaseAdaptedOutput*> adapted_;
  std::vector<openmi::IBaseInput*> consumers_;
  Pair values_;
  Places places_;
  Clock clock_;
  bool has_times_;
};

/// `flow` is the hour and ten times the hour, the first of them -999 at the third hour; `word` a text, `soil` a
/// category; `height` does not change and has no times. It initializes the adapted outputs it knows and no others.
class Series : public Named<openmi::IBaseLinkableComponent> {
 public:
  using S = openmi::LinkableComponentStatus;
  Series() : Named("foreign-series") {}
  std::vector<openmi::IAdaptedOutputFactory*>& AdaptedOutputFactories() override { return factories_; }
  std::span<openmi::IArgument* const> Arguments() const override { return {}; }
  std::span<openmi::IBaseInput* const> Inputs() const override { return {}; }
  std::span<openmi::IBaseOutput* const> Outputs() const override { return outputs_; }
  S Status() const override { return status_; }
  openmi::IEvent<openmi::LinkableComponentStatusChangeEventArgs>& StatusChanged() override { return changed_; }
  void Initialize() override { status_ = S::Initialized; }
  std::vector<std::string> Validate() override {
    status_ = S::Valid;
    return {};
  }
  void Prepare() override {
    for (openmi::IBaseOutput* output : outputs_) {
      for (openmi::IBaseAdaptedOutput* adapted : output->AdaptedOutputs()) adapted->Initialize();
    }
    Publish();
    status_ = S::Updated;
  }
  void Update(std::span<openmi::IBaseOutput* const>) override {
    status_ = S::Updating;
    ++hour_;
    Publish();
    status_ = hour_ < 24 ? S::Updated : S::Done;
  }
  void Finish() override { status_ = S::Finished; }

 private:
  void Publish() {
    const double utc = 57357.0 + hour_ / 24.0;
    flow_.Put(utc, {hour_ == 3 ? -999.0 : static_cast<double>(hour_), 10.0 * hour_});
    word_.Put(utc, {"hour " + std::to_string(hour_), std::string("and more")});
    height_.Put(utc, {120.5, 98.25});
    soil_.Put(utc, {std::string("sand"), std::string("clay")});
  }
  Discharge discharge_;
  Word text_;
  Soil soil_kinds_;
  SeriesOutput flow_{"flow", this, discharge_};
  SeriesOutput word_{"word", this, text_};
  SeriesOutput height_{"height", this, discharge_, false};
  SeriesOutput soil_{"soil", this, soil_kinds_, false};
  std::vector<openmi::IBaseOutput*> outputs_{&flow_, &word_, &height_, &soil_};
  std::vector<openmi::IAdaptedOutputFactory*> factories_;
  Event<openmi::LinkableComponentStatusChangeEventArgs> changed_;
  S status_ = S::Created;
  int hour_ = 0;
};

}  // namespace foreign
