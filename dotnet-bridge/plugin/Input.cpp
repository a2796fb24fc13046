#include "dotnet-bridge/plugin/Input.hpp"

#include <array>

#include "dotnet-bridge/plugin/Border.hpp"
#include "dotnet-bridge/plugin/Meaning.hpp"
#include "dotnet-bridge/plugin/Values.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi::dotnet {

Input::Input(Thing thing, IBaseLinkableComponent* component)
    : ItemOf(TheBorder().Id(thing.Number()), DefinitionOf(Thing(TheBorder().ValueDefinition(thing.Number()))),
             component),
      thing_(std::move(thing)) {
  TheBorder().Listen(Number(), Key());
}

Input::~Input() {
  try {
    if (link_ != 0) TheBorder().Unlink(Number(), link_);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the component is ending
  }
}

std::string Input::Caption() const {
  return TheBorder().Caption(Number());
}
void Input::SetCaption(const std::string& caption) {
  TheBorder().SetCaption(Number(), caption);
}
std::string Input::Description() const {
  return TheBorder().Description(Number());
}
void Input::SetDescription(const std::string& description) {
  TheBorder().SetDescription(Number(), description);
}

void Input::SetProvider(IBaseOutput* provider) {
  if (provider != nullptr && link_ == 0) {
    link_ = TheBorder().Link(Number(), Key());
  } else if (provider == nullptr && link_ != 0) {
    TheBorder().Unlink(Number(), std::exchange(link_, 0));
  }
  provider_ = provider;
  answer_ = nullptr;
  rows_.Clear();
}

const ITimeSpaceValueSet* Input::Values() const {
  Thing values(TheBorder().InputValues(Number()));
  if (given_ != nullptr && values.Number() == given_number_.Number()) return given_;
  values_ = values ? ValuesOf(std::move(values)) : nullptr;
  return values_.get();
}

void Input::SetValues(const IBaseValueSet* values) {
  SetInputValues(Number(), values);
  given_ = dynamic_cast<const ITimeSpaceValueSet*>(values);
  given_number_ = Thing(given_ != nullptr ? TheBorder().InputValues(Number()) : 0);
}

const openmi::ITimeSet* Input::TimeSet() const {
  if (asked_ != nullptr) return asked_;
  const openmi::TimeSet* const times =
      times_.Read([this](double* to, int room) { return TheBorder().ItemTimes(Number(), to, room); });
  return times != nullptr ? times : &no_times_;  // many components set one when they ask
}

std::size_t Input::Ask(const openmi::TimeSet* times) {
  if (provider_ == nullptr) {
    throw LinkError({.component = Component()->Caption(), .item = Id()}, "expected a provider, found none",
                    "link the input");
  }
  asked_ = times;
  try {
    answer_ = &provider_->GetValues(*this);
  } catch (...) {
    asked_ = nullptr;
    throw;
  }
  asked_ = nullptr;
  const std::size_t rows = rows_.Count(*answer_);
  return rows != 0 ? rows : answer_->GetIndexCount({});
}

const double* Input::AnswerRow(std::size_t row, int& size) {
  if (rows_.Find(*answer_) == nullptr) {
    size = static_cast<int>(answer_->GetIndexCount(std::array{row}));
    return nullptr;
  }
  const std::span<const double> numbers = rows_.Row(*answer_, row);
  size = static_cast<int>(numbers.size());
  return numbers.data();
}

Value Input::AnswerValue(std::size_t row, std::size_t element) {
  return answer_->GetValue(std::array{row, element});
}

const openmi::ITimeSet* Input::ProviderTimes() {
  const auto* item = dynamic_cast<const ITimeSpaceOutput*>(provider_);
  return item != nullptr ? item->TimeSet() : nullptr;
}

}  // namespace openmi::dotnet
