#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard.hpp"

/// A component written by somebody who has the interfaces of the standard and nothing else of the SDK but its errors:
/// no base class, no contiguous rows, no times, no places. Whatever the SDK does with components must do with this one.
///
/// One argument `factor` (double, 2 by default), an optional one `label` (string), a read-only one `kind`, an input
/// `inflow` and an output `outflow` of one value each. A step makes outflow = factor * inflow; without a provider the
/// inflow counts the steps. It is done after ten steps.
namespace foreign {

template <class Interface>
class Named : public Interface {
 public:
  explicit Named(std::string id) : id_(std::move(id)), caption_(id_) {}
  std::string Id() const override { return id_; }
  std::string Caption() const override { return caption_; }
  void SetCaption(const std::string& caption) override { caption_ = caption; }
  std::string Description() const override { return description_; }
  void SetDescription(const std::string& description) override { description_ = description; }

 private:
  std::string id_;
  std::string caption_;
  std::string description_;
};

template <class Interface>
class Described : public Interface {
 public:
  explicit Described(std::string caption) : caption_(std::move(caption)) {}
  std::string Caption() const override { return caption_; }
  void SetCaption(const std::string& caption) override { caption_ = caption; }
  std::string Description() const override { return description_; }
  void SetDescription(const std::string& description) override { description_ = description; }

 private:
  std::string caption_;
  std::string description_;
};

template <class Args>
class Event final : public openmi::IEvent<Args> {
 public:
  openmi::EventSubscription Add(std::function<void(const Args&)> handler) override {
    handlers_.emplace(++last_, std::move(handler));
    return static_cast<openmi::EventSubscription>(last_);
  }
  void Remove(openmi::EventSubscription subscription) override {
    handlers_.erase(static_cast<std::uint64_t>(subscription));
  }
  void Raise(const Args& args) {
    const auto now = handlers_;
    for (const auto& [number, handler] : now) {
      try {
        handler(args);
      } catch (...) {  // a listener does not stop the model
      }
    }
  }

 private:
  std::map<std::uint64_t, std::function<void(const Args&)>> handlers_;
  std::uint64_t last_ = 0;
};

/// m3/s.
class Discharge final : public Described<openmi::IQuantity> {
 public:
  Discharge() : Described("discharge") {}
  openmi::Value MissingDataValue() const override { return -999.0; }
  openmi::ValueType ValueType() const override { return {openmi::ValueKind::Double}; }
  const openmi::IUnit& Unit() const override { return unit_; }

 private:
  class Powers final : public openmi::IDimension {
   public:
    double GetPower(openmi::DimensionBase base) const override {
      return base == openmi::DimensionBase::Length ? 3.0 : base == openmi::DimensionBase::Time ? -1.0 : 0.0;
    }
  };
  class CubicMetresPerSecond final : public Described<openmi::IUnit> {
   public:
    CubicMetresPerSecond() : Described("m3 s-1") {}
    double ConversionFactorToSI() const override { return 1.0; }
    double OffSetToSI() const override { return 0.0; }
    const openmi::IDimension& Dimension() const override { return dimension_; }

   private:
    Powers dimension_;
  };
  CubicMetresPerSecond unit_;
};

/// At most one double, under one index.
class OneValue final : public openmi::IBaseValueSet {
 public:
  std::size_t GetIndexCount(std::span<const std::size_t> indices) const override {
    if (!indices.empty())
      throw openmi::RangeError({}, "expected no leading index, found " + std::to_string(indices.size()));
    return value_ ? 1 : 0;
  }
  openmi::Value GetValue(std::span<const std::size_t> indices) const override {
    Check(indices);
    return *value_;
  }
  std::size_t NumberOfIndices() const override { return 1; }
  void SetValue(std::span<const std::size_t> indices, const openmi::Value& value) override {
    Check(indices);
    if (!value.Number()) throw openmi::TypeError({}, "expected a double, found a " + value.Type().Name());
    value_ = *value.Number();
  }
  openmi::ValueType ValueType() const override { return {openmi::ValueKind::Double}; }
  void Assign(double value) { value_ = value; }
  void Clear() { value_.reset(); }

 private:
  void Check(std::span<const std::size_t> indices) const {
    if (indices.size() != 1 || !value_ || indices[0] != 0) {
      throw openmi::RangeError({}, "expected one index, which is 0 where there is a value", "ask GetIndexCount first");
    }
  }
  std::optional<double> value_;
};

template <class Interface>
class Item : public Named<Interface> {
 public:
  Item(std::string id, openmi::IBaseLinkableComponent* component)
      : Named<Interface>(std::move(id)), component_(component) {}
  openmi::IBaseLinkableComponent* Component() const override { return component_; }
  openmi::IEvent<openmi::ExchangeItemChangeEventArgs>& ItemChanged() override { return changed_; }
  const openmi::IValueDefinition& ValueDefinition() const override { return definition_; }
  void RaiseChanged() { changed_.Raise({this, ""}); }

 private:
  openmi::IBaseLinkableComponent* component_;
  Event<openmi::ExchangeItemChangeEventArgs> changed_;
  Discharge definition_;
};

class Input final : public Item<openmi::IBaseInput> {
 public:
  using Item::Item;
  openmi::IBaseOutput* Provider() const override { return provider_; }
  void SetProvider(openmi::IBaseOutput* provider) override { provider_ = provider; }
  const openmi::IBaseValueSet* Values() const override { return values_; }
  void SetValues(const openmi::IBaseValueSet* values) override { values_ = values; }

 private:
  openmi::IBaseOutput* provider_ = nullptr;
  const openmi::IBaseValueSet* values_ = nullptr;
};

class Output final : public Item<openmi::IBaseOutput> {
 public:
  using Item::Item;
  std::span<openmi::IBaseAdaptedOutput* const> AdaptedOutputs() const override { return adapted_; }
  void AddAdaptedOutput(openmi::IBaseAdaptedOutput& adapted_output) override { adapted_.push_back(&adapted_output); }
  void RemoveAdaptedOutput(openmi::IBaseAdaptedOutput& adapted_output) override {
    if (std::erase(adapted_, &adapted_output) == 0) {
      throw openmi::LinkError({.item = Id()},
                              "expected an adapted output of this output, found '" + adapted_output.Id() + "'");
    }
  }
  std::span<openmi::IBaseInput* const> Consumers() const override { return consumers_; }
  void AddConsumer(openmi::IBaseInput& consumer) override {
    if (consumer.Provider() != nullptr) {
      throw openmi::LinkError({.item = Id()}, "expected an input without provider, found '" + consumer.Id() + "'",
                              "remove it from its provider first");
    }
    consumers_.push_back(&consumer);
    consumer.SetProvider(this);
  }
  void RemoveConsumer(openmi::IBaseInput& consumer) override {
    if (std::erase(consumers_, &consumer) == 0) {
      throw openmi::LinkError({.item = Id()}, "expected a consumer of this output, found '" + consumer.Id() + "'");
    }
    consumer.SetProvider(nullptr);
  }
  const openmi::IBaseValueSet& GetValues(const openmi::IBaseExchangeItem&) override { return values_; }
  const openmi::IBaseValueSet& Values() const override { return values_; }
  void Assign(double value) {
    values_.Assign(value);
    RaiseChanged();
    for (openmi::IBaseAdaptedOutput* adapted : adapted_) adapted->Refresh();
  }

 private:
  std::vector<openmi::IBaseAdaptedOutput*> adapted_;
  std::vector<openmi::IBaseInput*> consumers_;
  OneValue values_;
};

class Argument final : public Named<openmi::IArgument> {
 public:
  Argument(std::string id, openmi::Value initial, openmi::ValueKind kind, bool optional, bool read_only)
      : Named(std::move(id)),
        initial_(initial),
        value_(std::move(initial)),
        kind_(kind),
        optional_(optional),
        read_only_(read_only) {}
  openmi::Value DefaultValue() const override { return initial_; }
  bool IsOptional() const override { return optional_; }
  bool IsReadOnly() const override { return read_only_; }
  std::optional<std::span<const openmi::Value>> PossibleValues() const override { return std::nullopt; }
  openmi::Value Value() const override { return value_; }
  void SetValue(const openmi::Value& value) override {
    if (read_only_)
      throw openmi::ArgumentError({.item = Id()}, "expected an argument that can be set, found a read-only one");
    if (value.Kind() != kind_) {
      throw openmi::ArgumentError({.item = Id()}, std::string("expected a ") + openmi::NameOf(kind_) + ", found a " +
                                                      openmi::NameOf(value.Kind()));
    }
    value_ = value;
  }
  std::string ValueAsString() const override {
    if (const auto* text = value_.As<std::string>()) return *text;
    if (const auto* number = value_.As<double>()) {
      char digits[32] = {};
      return {digits, std::to_chars(digits, digits + sizeof digits, *number).ptr};
    }
    return {};
  }
  void SetValueAsString(const std::string& text) override {
    if (kind_ == openmi::ValueKind::String) return SetValue(text);
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw openmi::ArgumentError({.item = Id()}, "expected a number, found '" + text + "'",
                                  "write it with a decimal point");
    }
    SetValue(number);
  }
  openmi::ValueType ValueType() const override { return {kind_}; }

 private:
  openmi::Value initial_;
  openmi::Value value_;
  openmi::ValueKind kind_;
  bool optional_;
  bool read_only_;
};

class Component : public Named<openmi::IBaseLinkableComponent> {
 public:
  using Status_ = openmi::LinkableComponentStatus;

  explicit Component(std::string id = "foreign") : Named(std::move(id)) {}

  std::vector<openmi::IAdaptedOutputFactory*>& AdaptedOutputFactories() override { return factories_; }
  std::span<openmi::IArgument* const> Arguments() const override { return arguments_; }
  std::span<openmi::IBaseInput* const> Inputs() const override {
    Require(status_ != Status_::Created, "Inputs");
    return inputs_;
  }
  std::span<openmi::IBaseOutput* const> Outputs() const override {
    Require(status_ != Status_::Created, "Outputs");
    return outputs_;
  }
  openmi::LinkableComponentStatus Status() const override { return status_; }
  openmi::IEvent<openmi::LinkableComponentStatusChangeEventArgs>& StatusChanged() override { return changed_; }

  void Initialize() override {
    Require(status_ == Status_::Created, "Initialize");
    Move(Status_::Initializing);
    Move(Status_::Initialized);
  }
  std::vector<std::string> Validate() override {
    Require(status_ == Status_::Initialized || status_ == Status_::Valid || status_ == Status_::Invalid, "Validate");
    Move(Status_::Validating);
    Move(Status_::Valid);
    return {};
  }
  void Prepare() override {
    Require(status_ == Status_::Initialized || status_ == Status_::Valid, "Prepare");
    Move(Status_::Preparing);
    for (openmi::IBaseAdaptedOutput* adapted : outflow_.AdaptedOutputs()) adapted->Initialize();
    outflow_.Assign(0.0);
    Move(Status_::Updated);
  }
  void Update(std::span<openmi::IBaseOutput* const>) override {
    if (status_ == Status_::Done) return;
    Require(status_ == Status_::Updated, "Update");
    Move(Status_::Updating);
    ++steps_;
    double inflow = steps_;
    if (openmi::IBaseOutput* provider = inflow_.Provider(); provider != nullptr) {
      inflow_.SetValues(&provider->GetValues(inflow_));
      const std::size_t first[] = {0};
      inflow = inflow_.Values()->GetValue(first).Number().value_or(-999.0);
    }
    outflow_.Assign(*factor_.Value().As<double>() * inflow);
    Move(steps_ < 10 ? Status_::Updated : Status_::Done);
  }
  void Finish() override {
    Require(status_ == Status_::Initialized || status_ == Status_::Valid || status_ == Status_::Updated ||
                status_ == Status_::Done,
            "Finish");
    Move(Status_::Finishing);
    Move(Status_::Finished);
  }

 private:
  void Require(bool fits, const char* call) const {
    if (fits) return;
    throw openmi::StateError({.component = Id()},
                             std::string("expected another status for ") + call + ", found number " +
                                 std::to_string(static_cast<int>(status_)),
                             "follow the order of calls");
  }
  void Move(openmi::LinkableComponentStatus status) {
    const openmi::LinkableComponentStatus old = std::exchange(status_, status);
    changed_.Raise({this, "", status, old});
  }

  Argument factor_{"factor", 2.0, openmi::ValueKind::Double, false, false};
  Argument label_{"label", {}, openmi::ValueKind::String, true, false};
  Argument kind_{"kind", "foreign", openmi::ValueKind::String, true, true};
  Input inflow_{"inflow", this};
  Output outflow_{"outflow", this};
  std::vector<openmi::IArgument*> arguments_{&factor_, &label_, &kind_};
  std::vector<openmi::IBaseInput*> inputs_{&inflow_};
  std::vector<openmi::IBaseOutput*> outputs_{&outflow_};
  std::vector<openmi::IAdaptedOutputFactory*> factories_;
  Event<openmi::LinkableComponentStatusChangeEventArgs> changed_;
  openmi::LinkableComponentStatus status_ = openmi::LinkableComponentStatus::Created;
  int steps_ = 0;
};

/// A factory that can make nothing.
class EmptyFactory final : public Named<openmi::IAdaptedOutputFactory> {
 public:
  EmptyFactory() : Named("empty") {}
  std::unique_ptr<openmi::IBaseAdaptedOutput> CreateAdaptedOutput(const openmi::IIdentifiable& adapted_output_id,
                                                                  openmi::IBaseOutput&, openmi::IBaseInput*) override {
    throw openmi::LinkError({}, "expected an id of this factory, found '" + adapted_output_id.Id() + "'",
                            "there are none");
  }
  std::vector<const openmi::IIdentifiable*> GetAvailableAdaptedOutputIds(const openmi::IBaseOutput&,
                                                                         const openmi::IBaseInput*) override {
    return {};
  }
};

}  // namespace foreign
