#include "composition/isolation/HostedAdaptors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "composition/isolation/Wire.hpp"
#include "composition/proxy/HostCopies.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/items/NumericInput.hpp"

namespace openmi {

/// Stands for all consumers of one adapted output.
class HostedAdaptors::Consumer final : public InputOf<ITimeSpaceInput> {
 public:
  explicit Consumer(ITimeSpaceOutput& output)
      : InputOf("consumers of " + output.Id(), nullptr, nullptr), output_(output) {
    output_.AddConsumer(*this);
  }
  ~Consumer() override { output_.RemoveConsumer(*this); }
  const ITimeSpaceValueSet* Values() const override { return nullptr; }
  void SetValues(const IBaseValueSet*) override {}
  const openmi::ITimeSet* TimeSet() const override { return &asked_; }
  const ISpatialDefinition* SpatialDefinition() const override { return output_.SpatialDefinition(); }
  const IValueDefinition& ValueDefinition() const override { return output_.ValueDefinition(); }

  const ITimeSpaceValueSet& AskFor(const openmi::TimeSet* times) {
    if (times == nullptr) return output_.Values();
    asked_ = *times;
    return output_.GetValues(*this);
  }

 private:
  ITimeSpaceOutput& output_;
  openmi::TimeSet asked_;
};

/// What a request to a factory names.
struct HostedAdaptors::Ends {
  IAdaptedOutputFactory* factory;
  IBaseOutput* adaptee;
  std::unique_ptr<NumericInput> target;  ///< null: none
};

HostedAdaptors::Made::Made(IBaseOutput& on) : adaptee(on) {}

HostedAdaptors::Made::~Made() {
  consumer.reset();
  if (adaptor != nullptr) adaptee.RemoveAdaptedOutput(*adaptor);
}

HostedAdaptors::HostedAdaptors() = default;
HostedAdaptors::~HostedAdaptors() {
  Clear();
}

void HostedAdaptors::Clear() {
  while (!made_.empty()) made_.pop_back();  // one may be on another
  asked_.clear();
}

void HostedAdaptors::WriteFactories(StateWriter& reply, std::span<IAdaptedOutputFactory* const> factories) {
  factories_ = factories;
  Write(reply, factories.size());
  for (const IAdaptedOutputFactory* factory : factories) {
    for (const std::string& text : {factory->Id(), factory->Caption(), factory->Description()}) Write(reply, text);
  }
}

HostedAdaptors::Ends HostedAdaptors::ReadEnds(StateReader& request, std::span<IBaseOutput* const> outputs) {
  Ends ends{};
  const std::int64_t factory = request.ReadInteger();
  if (factory < 0 || static_cast<std::size_t>(factory) >= factories_.size()) {
    throw RangeError({}, fmt::format("expected a factory below {}, found {}", factories_.size(), factory));
  }
  ends.factory = factories_[static_cast<std::size_t>(factory)];
  const std::int64_t output = request.ReadInteger();
  ends.adaptee = output >= 0 && static_cast<std::size_t>(output) < outputs.size()
                     ? outputs[static_cast<std::size_t>(output)]
                     : &At(output, outputs.size());
  if (!request.ReadBool()) return ends;
  ItemDescription read = ReadItem(request);
  if (!HoldsNumbers(*read.definition)) return ends;
  const bool spans = read.times != nullptr && read.times->HasDurations();
  ends.target = std::make_unique<NumericInput>(std::move(read.id), std::move(read.definition), std::move(read.spatial),
                                               nullptr, spans ? InputTime::Span : InputTime::Instant);
  if (read.times != nullptr) ends.target->EditTimeSet() = *read.times;
  return ends;
}

void HostedAdaptors::WriteIds(StateReader& request, StateWriter& reply, std::span<IBaseOutput* const> outputs) {
  const Ends ends = ReadEnds(request, outputs);
  const auto ids = ends.factory->GetAvailableAdaptedOutputIds(*ends.adaptee, ends.target.get());
  Write(reply, ids.size());
  for (const IIdentifiable* id : ids) {
    for (const std::string& text : {id->Id(), id->Caption(), id->Description()}) Write(reply, text);
  }
}

void HostedAdaptors::Make(StateReader& request, StateWriter& reply, std::span<IBaseOutput* const> outputs) {
  const Ends ends = ReadEnds(request, outputs);
  const std::string wanted = request.ReadText();
  const auto ids = ends.factory->GetAvailableAdaptedOutputIds(*ends.adaptee, ends.target.get());
  const auto id = std::ranges::find_if(ids, [&wanted](const IIdentifiable* one) { return one->Id() == wanted; });
  if (id == ids.end()) {
    throw LinkError({.item = ends.adaptee->Id()},
                    fmt::format("expected an adaptor of the factory, found '{}'", wanted));
  }
  auto made = std::make_unique<Made>(*ends.adaptee);
  made->adaptor = ends.factory->CreateAdaptedOutput(**id, *ends.adaptee, ends.target.get());
  auto* const item = dynamic_cast<ITimeSpaceAdaptedOutput*>(made->adaptor.get());
  if (item == nullptr) {
    throw LinkError({.item = made->adaptor->Id()},
                    "expected an adapted output with times and places, found one without");
  }
  made->consumer = std::make_unique<Consumer>(*item);
  Write(reply, outputs.size() + made_.size());
  WriteItem(reply, *item);
  made_.push_back(std::move(made));
}

ITimeSpaceAdaptedOutput& HostedAdaptors::At(std::int64_t number, std::size_t outputs) {
  const std::int64_t index = number - static_cast<std::int64_t>(outputs);
  if (index < 0 || static_cast<std::size_t>(index) >= made_.size()) {
    throw RangeError({}, fmt::format("expected an output below {}, found {}", outputs + made_.size(), number));
  }
  return dynamic_cast<ITimeSpaceAdaptedOutput&>(*made_[static_cast<std::size_t>(index)]->adaptor);
}

HostedAdaptors::Consumer& HostedAdaptors::ConsumerOf(std::int64_t number, std::size_t outputs) {
  if (asked_.contains(number)) {
    SetNeeded(number, true);
    return *asked_[number].consumer;
  }
  static_cast<void>(At(number, outputs));
  return *made_[static_cast<std::size_t>(number) - outputs]->consumer;
}

const ITimeSpaceValueSet& HostedAdaptors::ValuesFor(StateReader& request, std::size_t outputs) {
  Consumer& consumer = ConsumerOf(request.ReadInteger(), outputs);
  return consumer.AskFor(ReadTimeSet(request).get());
}

void HostedAdaptors::Ask(std::int64_t number, ITimeSpaceOutput& output) {
  asked_[number] = {&output, nullptr};
}

void HostedAdaptors::SetNeeded(std::int64_t number, bool is_needed) {
  const auto found = asked_.find(number);
  if (found == asked_.end() || !is_needed || found->second.consumer != nullptr) return;
  found->second.consumer = std::make_unique<Consumer>(*found->second.output);
}

}  // namespace openmi
