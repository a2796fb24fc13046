#include "composition/conformance/Feed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "adaptors/base/AdaptorOffer.hpp"
#include "composition/conformance/DefinitionChecks.hpp"
#include "openmi/sdk/NestedValueSet.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "openmi/standard/IQuality.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/times/TimeSet.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi::conformance {
namespace {

/// One of the values `definition` allows, and not the one for missing data.
Value ConstantOf(const IValueDefinition& definition) {
  if (const auto* quality = dynamic_cast<const IQuality*>(&definition)) {
    if (!quality->Categories().empty()) return quality->Categories().front()->Value();
  }
  switch (definition.ValueType().kind) {
    case ValueKind::Boolean:
      return true;
    case ValueKind::Integer:
      return 1;
    case ValueKind::Double:
      return 1.0;
    case ValueKind::String:
      return "constant";
    case ValueKind::Binary:
      return Bytes{std::byte{1}};
    case ValueKind::Empty:
    case ValueKind::Object:
      break;
  }
  return {};
}

/// Fills `to` with `value` in the shape of `like`; ragged rows stay ragged.
void FillLike(const IBaseValueSet& like, const Value& value, std::vector<std::size_t>& indices, NestedValueSet& to) {
  const std::size_t count = like.GetIndexCount(indices);
  to.Resize(indices, count);
  indices.push_back(0);
  for (std::size_t i = 0; i < count; ++i) {
    indices.back() = i;
    if (indices.size() == like.NumberOfIndices()) {
      to.SetValue(indices, value);
    } else {
      FillLike(like, value, indices, to);
    }
  }
  indices.pop_back();
}

std::unique_ptr<IBaseValueSet> CoreValuesFor(const IBaseInput& input, const Feed::CoreValues& core_values) {
  if (core_values) {
    if (auto values = core_values(input)) return values;
  }
  const ValueType type = input.ValueDefinition().ValueType();
  const Value constant = ConstantOf(input.ValueDefinition());
  if (const IBaseValueSet* like = input.Values(); like != nullptr && like->NumberOfIndices() > 0) {
    auto values = std::make_unique<NestedValueSet>(type, like->NumberOfIndices());
    std::vector<std::size_t> indices;
    FillLike(*like, constant, indices, *values);
    return values;
  }
  return std::make_unique<NestedValueSet>(type, std::initializer_list<std::size_t>{1}, constant);
}

class CoreFeed final : public OutputOf<IBaseOutput> {
 public:
  CoreFeed(const IBaseInput& input, const Feed::CoreValues& core_values)
      : OutputOf("conformance-feed", nullptr, nullptr), input_(input), values_(CoreValuesFor(input, core_values)) {}
  const IValueDefinition& ValueDefinition() const override { return input_.ValueDefinition(); }
  const IBaseValueSet& GetValues(const IBaseExchangeItem&) override { return *values_; }
  const IBaseValueSet& Values() const override { return *values_; }

 private:
  const IBaseInput& input_;
  std::unique_ptr<IBaseValueSet> values_;
};

class TimeSpaceFeed final : public OutputOf<ITimeSpaceOutput> {
 public:
  TimeSpaceFeed(const ITimeSpaceInput& input, Findings* findings, Stamp& latest)
      : OutputOf("conformance-feed", nullptr, nullptr),
        input_(input),
        findings_(findings),
        latest_(latest),
        constant_(ConstantOf(input.ValueDefinition())),
        times_(input.TimeSet() != nullptr && input.TimeSet()->HasDurations()),
        numbers_(IsNumeric(*this) ? input.ValueDefinition().ValueType().kind : ValueKind::Double),
        objects_(input.ValueDefinition().ValueType()) {
    Fill(1);
  }
  const IValueDefinition& ValueDefinition() const override { return input_.ValueDefinition(); }
  const ISpatialDefinition* SpatialDefinition() const override { return input_.SpatialDefinition(); }
  const ITimeSet* TimeSet() const override { return input_.TimeSet() == nullptr ? nullptr : &times_; }
  const ITimeSpaceValueSet& Values() const override { return Set(); }
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query) override {
    const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(&query);
    const ITimeSet* times = item != nullptr ? item->TimeSet() : nullptr;
    if (times != nullptr && !times->Times().empty()) {
      if (findings_ != nullptr) CheckQuestion(query, *times);
      latest_ = std::max(latest_, LatestEndOf(times));
      Fill(times->Times().size());
    } else {
      Fill(1);
    }
    return Set();
  }

 private:
  const ITimeSpaceValueSet& Set() const {
    if (IsNumeric(*this)) return numbers_;
    return objects_;
  }
  void Fill(std::size_t times) {
    const ISpatialDefinition* where = input_.SpatialDefinition();
    const std::size_t elements = where == nullptr ? 1 : static_cast<std::size_t>(std::max(0, where->ElementCount()));
    if (times == filled_times_ && elements == filled_elements_) return;
    filled_times_ = times;
    filled_elements_ = elements;
    if (IsNumeric(*this)) {
      numbers_ = NumericValueSet(times, elements, constant_.Number().value_or(1.0), numbers_.ValueType().kind);
      return;
    }
    objects_ = ObjectValueSet(objects_.ValueType(), times, elements);
    for (std::size_t t = 0; t < times; ++t) {
      objects_.SetElementValuesForTime(static_cast<int>(t), std::vector<Value>(elements, constant_));
    }
  }
  void CheckQuestion(const IBaseExchangeItem& query, const ITimeSet& times) {
    const std::string who = "the question of input '" + query.Id() + "'";
    CheckTimeSet(*findings_, times, who);
    const ITime& horizon = times.TimeHorizon();
    const Stamp begin{horizon.StampAsModifiedJulianDay()};
    const Stamp asked{times.Times().front()->StampAsModifiedJulianDay()};
    findings_->Expect("9.6", !Before(asked, begin), [&] {
      return fmt::format("{}: expected no time before the start of its horizon, {}, found {}", who, TextOf(begin),
                         TextOf(asked));
    });
    const Stamp end = EndOf(horizon);
    const Stamp last{times.Times().back()->StampAsModifiedJulianDay()};
    findings_->Expect("9.6", !Before(end, last), [&] {
      return fmt::format("{}: expected no time after the end of its horizon, {}, found {}", who, TextOf(end),
                         TextOf(last));
    });
  }

  const ITimeSpaceInput& input_;
  Findings* findings_;
  Stamp& latest_;
  Value constant_;
  openmi::TimeSet times_;
  NumericValueSet numbers_;
  ObjectValueSet objects_;
  std::size_t filled_times_ = 0;
  std::size_t filled_elements_ = 0;
};

}  // namespace

Feed::Feed(IBaseInput& input, Findings* findings, const CoreValues& core_values)
    : input_(&input), latest_(std::make_unique<Stamp>(kFarPast)) {
  if (auto* time_space = dynamic_cast<ITimeSpaceInput*>(&input)) {
    output_ = std::make_unique<TimeSpaceFeed>(*time_space, findings, *latest_);
  } else {
    output_ = std::make_unique<CoreFeed>(input, core_values);
  }
}

void Feed::Link() {
  output_->AddConsumer(*input_);
  linked_ = true;
}

void Feed::Unlink() {
  if (linked_) output_->RemoveConsumer(*input_);
  linked_ = false;
}

}  // namespace openmi::conformance
