#include "timespace/items/AdaptedOutput.hpp"

#include <fmt/format.h>

#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {
namespace {

ITimeSpaceOutput* TimeSpace(const std::string& id, IBaseOutput& adaptee) {
  auto* output = dynamic_cast<ITimeSpaceOutput*>(&adaptee);
  if (output == nullptr) {
    throw LinkError({.item = id},
                    fmt::format("expected an output with times and places to adapt, found '{}' without", adaptee.Id()));
  }
  return output;
}

}  // namespace

AdaptedOutput::AdaptedOutput(std::string id, IBaseOutput& adaptee, std::unique_ptr<const IValueDefinition> definition)
    : OutputOf(std::move(id), nullptr, adaptee.Component()),
      adaptee_(&adaptee),
      adaptee_items_(TimeSpace(IdText(), adaptee)),
      adaptee_provider_(dynamic_cast<IHistoryProvider*>(&adaptee)),
      below_(dynamic_cast<AdaptedOutput*>(&adaptee)),
      own_definition_(definition != nullptr) {
  arguments_.SetOwner(IdText());
  if (definition) SetValueDefinition(std::move(definition));
}

AdaptedOutput::~AdaptedOutput() = default;

void AdaptedOutput::SetAdaptee(ITimeSpaceOutput& adaptee) {
  adaptee_ = &adaptee;
  adaptee_items_ = &adaptee;
  adaptee_provider_ = dynamic_cast<IHistoryProvider*>(&adaptee);
  below_ = dynamic_cast<AdaptedOutput*>(&adaptee);
  numeric_rows_.Clear();
}

const IValueDefinition& AdaptedOutput::ValueDefinition() const {
  return own_definition_ ? OutputOf::ValueDefinition() : adaptee_->ValueDefinition();
}

bool AdaptedOutput::AnswersStamps() const {
  if (below_ != nullptr) return below_->AnswersStamps();
  return TimeSet() == nullptr || !TimeSet()->HasDurations();
}

bool AdaptedOutput::AnswersSpans() const {
  if (below_ != nullptr) return below_->AnswersSpans();
  return TimeSet() == nullptr || TimeSet()->HasDurations();
}

Where AdaptedOutput::Place() const {
  return {.component = Component() ? Component()->Caption() : std::string(),
          .item = fmt::format("{} -> {}", adaptee_->Id(), Id())};
}

void AdaptedOutput::Initialize() {
  arguments_.RequireValues();
  OnInitialize();
  initialized_ = true;
}

void AdaptedOutput::Refresh() {
  if (!initialized_) {
    throw StateError(Place(), "expected Initialize before Refresh, found an adapted output that is not initialized",
                     "prepare the component first");
  }
  OnRefresh();
  RaiseItemChanged("values");
  RefreshAdaptedOutputs();
}

const ITimeSpaceValueSet& AdaptedOutput::GetValues(const IBaseExchangeItem& query_specifier) {
  Answer& answer = answers_.For(query_specifier);
  return Reply({query_specifier, answer}, answer);
}

const ITimeSpaceValueSet& AdaptedOutput::Reply(const Question& question, Answer& answer) {
  GuardStack();
  if (!initialized_) {
    throw StateError(Place(), "expected Initialize before GetValues, found an adapted output that is not initialized",
                     "prepare the component first");
  }
  return Compute(question, answer);
}

Stamp AdaptedOutput::EarliestNeeded() const {
  const Stamp earliest = demand_.EarliestNeeded();
  return earliest == kFarFuture ? earliest : NeededFor(earliest);
}

const ITimeSpaceValueSet& AdaptedOutput::AskForValues(const Question& question) {
  if (below_ == nullptr) return adaptee_items_->GetValues(question.asker);
  return below_->Reply(question, below_->answers_.For(question.asker));
}

const INumericRows& AdaptedOutput::Present() {
  return AsRows(adaptee_items_->Values());
}

const INumericRows& AdaptedOutput::AsRows(const ITimeSpaceValueSet& values) {
  if (const INumericRows* rows = numeric_rows_.Find(values)) return *rows;
  const std::size_t times = numeric_rows_.Count(values);
  if (!foreign_) foreign_ = std::make_unique<NumericValueSet>();
  foreign_->ResizeTimes(times);
  for (std::size_t time = 0; time < times; ++time) foreign_->SetRow(time, numeric_rows_.Row(values, time));
  return *foreign_;
}

void AdaptedOutput::CheckConsumer(const IBaseInput& consumer) const {
  if (dynamic_cast<const ITimeSpaceExchangeItem*>(&consumer) == nullptr) {
    throw LinkError(Place(),
                    fmt::format("expected a consumer with times and places, found '{}' without", consumer.Id()));
  }
}

void AdaptedOutput::OnConsumerAdded(IBaseInput& consumer) {
  ExpectQuestionsOf(consumer);
  demand_.Add(consumer);
}

void AdaptedOutput::OnConsumerRemoved(IBaseInput& consumer) {
  ForgetQuestionsOf(consumer);
  demand_.Remove(consumer);
}

void AdaptedOutput::ExpectQuestionsOf(const IBaseInput& consumer) {
  answers_.Register(consumer);
  if (below_ != nullptr) below_->ExpectQuestionsOf(consumer);
}

void AdaptedOutput::ForgetQuestionsOf(const IBaseInput& consumer) {
  answers_.Unregister(consumer);
  if (below_ != nullptr) below_->ForgetQuestionsOf(consumer);
}

}  // namespace openmi
