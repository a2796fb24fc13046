#include "timespace/items/NumericInput.hpp"

#include <fmt/format.h>

#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "openmi/standard/IBaseOutput.hpp"

namespace openmi {

NumericInput::NumericInput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                           std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent* component,
                           InputTime asks)
    : InputOf(std::move(id), std::move(definition), component),
      asks_(asks),
      time_set_(asks == InputTime::Span),
      where_(std::move(where)) {}

Stamp NumericInput::EarliestNeeded() const {
  const double offset_hours = time_set_.OffsetFromUtcInHours();
  const double begin = time_set_.Horizon().Begin().mjd;
  return Stamp{offset_hours == 0.0 ? begin : begin - offset_hours / 24.0};
}

Where NumericInput::Place() const {
  return {.component = Component() ? Component()->Caption() : "", .item = Id()};
}

void NumericInput::SetDefault(double value) {
  step_->only_default = value;
  default_.assign(ElementCount() == 1 ? 0 : ElementCount(), value);
  has_default_ = true;
  if (Provider() == nullptr) ShowDefault();
}

void NumericInput::ShowDefault() {
  if (!has_default_) {
    step_->row = {};
  } else if (ElementCount() == 1) {
    step_->row = {&step_->only_default, 1};
  } else {
    step_->row = default_;
  }
}

void NumericInput::SetProvider(IBaseOutput* provider) {
  InputOf::SetProvider(provider);
  is_linked_ = provider != nullptr;
  provider_items_ = dynamic_cast<ITimeSpaceOutput*>(provider);
  if (provider == nullptr) ShowDefault();
}

void NumericInput::SetValues(const IBaseValueSet* values) {
  if (values == nullptr) {
    values_ = nullptr;
    ShowDefault();
    return;
  }
  const auto* time_space = dynamic_cast<const ITimeSpaceValueSet*>(values);
  if (time_space == nullptr) {
    throw TypeError(Place(), fmt::format("expected values by time and element, found a set of {} indices",
                                         values->NumberOfIndices()));
  }
  Take(*time_space);
}

void NumericInput::Take(const ITimeSpaceValueSet& values) {
  if (const INumericRows* rows = numeric_rows_(values)) {
    const std::size_t count = rows->RowCount();
    step_->row = count == 0 ? std::span<const double>() : rows->Row(count - 1);
  } else {
    const std::size_t times = values.GetIndexCount({});
    const std::size_t last = times == 0 ? 0 : times - 1;
    const std::size_t elements = times == 0 ? 0 : values.GetIndexCount(std::span(&last, 1));
    copy_.resize(elements);
    for (std::size_t element = 0; element < elements; ++element) {
      const Value value = values.GetValue(static_cast<int>(last), static_cast<int>(element));
      if (!value.IsEmpty() && !value.Number()) {
        throw TypeError(Place(), fmt::format("expected numbers, found a value of type {}", value.Type().Name()));
      }
      copy_[element] = value.Number().value_or(kNotANumber);
    }
    step_->row = copy_;
  }
  values_ = &values;
  RaiseItemChanged("values");
}

void NumericInput::Pull(Stamp from, Stamp to) {
  IBaseOutput* provider = Provider();
  if (provider == nullptr) {
    if (values_ != nullptr) ShowDefault();
    return;
  }
  if (asks_ == InputTime::Span) {
    time_set_.SetSingle(from, to - from);
  } else {
    time_set_.SetSingle(to);
  }
  if (provider_items_ != nullptr) {
    Take(provider_items_->GetValues(*this));
  } else {
    SetValues(&provider->GetValues(*this));
  }
  if (step_->row.size() != ElementCount()) {
    throw LinkError(
        Place(),
        fmt::format("expected {} values from '{}', found {}", ElementCount(), provider->Id(), step_->row.size()),
        "put a spatial adaptor on the link");
  }
}

}  // namespace openmi
