#include "fmi-bridge/items/ValueItems.hpp"

#include <fmt/format.h>

#include <array>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/LastEndOf.hpp"

namespace openmi::items {
namespace {

std::size_t CountOf(const std::shared_ptr<const ISpatialDefinition>& where) {
  return where ? static_cast<std::size_t>(where->ElementCount()) : 1;
}

}  // namespace

ValueOutput::ValueOutput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                         std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent& component,
                         const ISteps& steps)
    : OutputOf(std::move(id), std::move(definition), &component),
      steps_(steps),
      where_(std::move(where)),
      count_(CountOf(where_)),
      bytes_(nullptr) {
  const openmi::ValueType type = ValueDefinition().ValueType();
  if (type.kind == ValueKind::Binary) {
    auto bytes = std::make_unique<BytesValueSet>(count_);
    bytes_ = bytes.get();
    values_ = std::move(bytes);
  } else {
    values_ = std::make_unique<ObjectValueSet>(type, 1, count_);
  }
}

const ITimeSpaceValueSet& ValueOutput::GetValues(const IBaseExchangeItem& query_specifier) {
  const ITimeSpaceExchangeItem* query = as_time_space_(query_specifier);
  const openmi::ITimeSet* times = query != nullptr ? query->TimeSet() : nullptr;
  if (times != nullptr) {
    const Stamp asked = LastEndOf(*times);
    while (Before(steps_.CurrentTime(), asked) && Component()->Status() == LinkableComponentStatus::Updated) {
      Component()->Update({});
    }
  }
  return *values_;
}

void ValueOutput::Publish(Stamp time) {
  time_set_.SetSingle(time);
  RefreshAdaptedOutputs();
  RaiseItemChanged("values");
}

ValueInput::ValueInput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                       std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent& component)
    : InputOf(std::move(id), std::move(definition), &component), where_(std::move(where)), count_(CountOf(where_)) {}

void ValueInput::SetProvider(IBaseOutput* provider) {
  InputOf::SetProvider(provider);
  provider_items_ = dynamic_cast<ITimeSpaceOutput*>(provider);
}

void ValueInput::Take(const ITimeSpaceValueSet& values) {
  values_ = &values;
  only_ = bytes_door_(values);
  if (only_ != nullptr && only_->Only() == nullptr) only_ = nullptr;
  RaiseItemChanged("values");
}

void ValueInput::SetValues(const IBaseValueSet* values) {
  values_ = dynamic_cast<const ITimeSpaceValueSet*>(values);
  only_ = nullptr;
  if (values != nullptr && values_ == nullptr) {
    throw TypeError(
        {.component = Component()->Caption(), .item = Id()},
        fmt::format("expected values by time and element, found a set of {} indices", values->NumberOfIndices()));
  }
  RaiseItemChanged("values");
}

void ValueInput::Pull(Stamp to) {
  IBaseOutput* provider = Provider();
  if (provider == nullptr) return;
  time_set_.SetSingle(to);
  if (provider_items_ != nullptr) {
    Take(provider_items_->GetValues(*this));
  } else {
    SetValues(&provider->GetValues(*this));
  }
  if (only_ != nullptr && count_ == 1) return;
  const std::size_t times = values_->GetIndexCount({});
  const std::array<std::size_t, 1> last{times == 0 ? 0 : times - 1};
  const std::size_t found = times == 0 ? 0 : values_->GetIndexCount(last);
  if (found != count_) {
    throw LinkError({.component = Component()->Caption(), .item = Id()},
                    fmt::format("expected {} values from '{}', found {}", count_, provider->Id(), found));
  }
}

Value ValueInput::Get(std::size_t element) const {
  if (values_ == nullptr) return {};
  const std::size_t times = values_->GetIndexCount({});
  if (times == 0) return {};
  return values_->GetValue(static_cast<int>(times - 1), static_cast<int>(element));
}

std::span<const std::byte> ValueInput::GetBytes(std::size_t element) {
  if (only_ != nullptr && element == 0) {
    if (const std::span<const std::byte>* only = only_->Only()) return *only;
  }
  if (values_ == nullptr) return {};
  const std::size_t times = values_->GetIndexCount({});
  if (times == 0) return {};
  if (const IBytesRows* door = bytes_door_(*values_)) return door->BytesAt(times - 1, element);
  copy_ = values_->GetValue(static_cast<int>(times - 1), static_cast<int>(element));
  const auto* bytes = copy_.As<Bytes>();
  return bytes != nullptr ? std::span<const std::byte>(*bytes) : std::span<const std::byte>();
}

}  // namespace openmi::items
