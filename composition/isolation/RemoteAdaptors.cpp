#include "composition/isolation/RemoteAdaptors.hpp"

#include <algorithm>
#include <utility>

#include "composition/proxy/ComponentProxy.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IProxy.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {
namespace {

/// Asks the worker for values of an output or adapted output.
/// \param asked  null: the present ones
std::unique_ptr<ITimeSpaceValueSet> ValuesFrom(const WorkerTalk& talk, std::int64_t number, const ITimeSet* asked) {
  std::unique_ptr<ITimeSpaceValueSet> values;
  talk(
      HostRequest::AdaptedValues,
      [&](StateWriter& request) {
        request.Write(number);
        WriteTimeSet(request, asked);
      },
      [&](StateReader& reply) { values = ReadValues(reply); });
  return values;
}

/// Asks for the values at `asked`, and keeps them in `answer`. If the component fails and is frozen, the last answer
/// holds. \param host  the engine's proxy of the component; null: it has none
const ITimeSpaceValueSet& Ask(const WorkerTalk& talk, std::int64_t number, const ITimeSet* asked, ComponentProxy* host,
                              std::unique_ptr<ITimeSpaceValueSet>& answer) {
  if (answer != nullptr && host != nullptr && host->IsHeld()) return *answer;
  try {
    answer = ValuesFrom(talk, number, asked);
  } catch (const std::exception& error) {
    if (answer == nullptr || host == nullptr || !host->Freezes()) throw;
    host->Hold(error.what());
  }
  return *answer;
}

const ITimeSet* TimesOf(const IBaseExchangeItem& query) {
  const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(&query);
  return item != nullptr ? item->TimeSet() : nullptr;
}

}  // namespace

AskedOutput::AskedOutput(WorkerTalk talk, std::int64_t number, ItemDescription read, IBaseLinkableComponent& component)
    : OutputOf(std::move(read.id), std::move(read.definition), &component),
      talk_(std::move(talk)),
      number_(number),
      spatial_(std::move(read.spatial)) {}

const ITimeSpaceValueSet& AskedOutput::GetValues(const IBaseExchangeItem& query_specifier) {
  ComponentProxy* host = nullptr;  // it owns what the engine put on this output
  for (const IBaseAdaptedOutput* one : AdaptedOutputs()) {
    if (host == nullptr) host = dynamic_cast<ComponentProxy*>(one->Component());
  }
  return Ask(talk_, number_, TimesOf(query_specifier), host, answers_[&query_specifier]);
}

const ITimeSpaceValueSet& AskedOutput::Values() const {
  values_ = ValuesFrom(talk_, number_, nullptr);
  return *values_;
}

RemoteAdaptedOutput::RemoteAdaptedOutput(WorkerTalk talk, std::int64_t number, ItemDescription read,
                                         IBaseOutput& adaptee)
    : OutputOf(std::move(read.id), std::move(read.definition), adaptee.Component()),
      talk_(std::move(talk)),
      number_(number),
      adaptee_(adaptee),
      spatial_(std::move(read.spatial)),
      times_(std::move(read.times)) {
  SetCaption(read.caption);
  SetDescription(read.description);
  adaptee_.AddAdaptedOutput(*this);
}

void RemoteAdaptedOutput::Refresh() {
  RaiseItemChanged("values");
  RefreshAdaptedOutputs();
}

void RemoteAdaptedOutput::Advance(Stamp time) {
  if (auto* before = dynamic_cast<RemoteAdaptedOutput*>(&adaptee_)) return before->Advance(time);
  if (auto* rows = dynamic_cast<IHistoryProvider*>(&adaptee_)) rows->AdvanceTo(time);
}

const ITimeSpaceValueSet& RemoteAdaptedOutput::GetValues(const IBaseExchangeItem& query_specifier) {
  const openmi::ITimeSet* asked = TimesOf(query_specifier);
  if (asked != nullptr && !asked->Times().empty()) Advance(LastEndOf(*asked));
  const auto& consumers = Consumers();
  const bool is_registered = std::ranges::any_of(
      consumers, [&](const IBaseInput* one) { return static_cast<const IBaseExchangeItem*>(one) == &query_specifier; });
  std::unique_ptr<ITimeSpaceValueSet>& answer = is_registered ? answers_[&query_specifier] : other_answer_;
  return Ask(talk_, number_, asked, dynamic_cast<ComponentProxy*>(Component()), answer);
}

const ITimeSpaceValueSet& RemoteAdaptedOutput::Values() const {
  values_ = ValuesFrom(talk_, number_, nullptr);
  return *values_;
}

void RemoteAdaptedOutput::SetArgument(std::size_t number, const std::string* text, const Value* value) {
  talk_(
      HostRequest::SetAdaptorArgument,
      [&](StateWriter& request) {
        request.Write(number_);
        request.Write(static_cast<std::int64_t>(number));
        request.Write(text != nullptr);
        if (text != nullptr) {
          Write(request, *text);
        } else {
          WriteValue(request, *value);
        }
      },
      [&](StateReader& reply) { arguments_.Read(reply); });
}

/// A factory in the worker.
class RemoteFactories::Factory final : public IdentifiedAs<IAdaptedOutputFactory> {
 public:
  Factory(RemoteFactories& owner, std::size_t number, std::string id)
      : IdentifiedAs(std::move(id)), owner_(owner), number_(number) {}

  std::vector<const IIdentifiable*> GetAvailableAdaptedOutputIds(const IBaseOutput& adaptee,
                                                                 const IBaseInput* target) override {
    std::vector<const IIdentifiable*> found;
    const std::int64_t output = NumberOf(adaptee);
    if (output < 0) return found;
    owner_.talk_(
        HostRequest::AdaptorIds, [&](StateWriter& request) { WriteEnds(request, output, target); },
        [&](StateReader& reply) {
          for (std::int64_t left = reply.ReadInteger(); left > 0; --left) {
            std::string id = reply.ReadText();
            const std::string caption = reply.ReadText();
            std::unique_ptr<Identifier>& known = ids_[id];
            if (!known) known = std::make_unique<Identifier>(id, caption);
            known->SetDescription(reply.ReadText());
            found.push_back(known.get());
          }
        });
    return found;
  }

  std::unique_ptr<IBaseAdaptedOutput> CreateAdaptedOutput(const IIdentifiable& adapted_output_id, IBaseOutput& adaptee,
                                                          IBaseInput* target) override {
    const std::int64_t output = NumberOf(adaptee);
    if (output < 0) {
      throw LinkError({.item = adaptee.Id()}, "expected an output of the component of the factory, found another",
                      "put the adaptor first on a link from its component");
    }
    std::unique_ptr<RemoteAdaptedOutput> made;
    owner_.talk_(
        HostRequest::MakeAdaptor,
        [&](StateWriter& request) {
          WriteEnds(request, output, target);
          Write(request, adapted_output_id.Id());
        },
        [&](StateReader& reply) {
          const std::int64_t number = reply.ReadInteger();
          ItemDescription read = ReadItem(reply);
          made = std::make_unique<RemoteAdaptedOutput>(owner_.talk_, number, std::move(read), adaptee);
          made->ReadArguments(reply);
        });
    owner_.has_made_ = true;
    return made;
  }

 private:
  /// The number of an output of this component in the worker; -1: it is another.
  std::int64_t NumberOf(const IBaseOutput& adaptee) const {
    if (const auto* made = dynamic_cast<const RemoteAdaptedOutput*>(&adaptee)) return made->Number();
    const IBaseOutput* const output = BehindProxies(&adaptee);
    const auto found = std::ranges::find(owner_.outputs_, output);
    return found != owner_.outputs_.end() ? found - owner_.outputs_.begin() : -1;
  }
  void WriteEnds(StateWriter& request, std::int64_t output, const IBaseInput* target) const {
    const auto* item = dynamic_cast<const ITimeSpaceInput*>(target);
    Write(request, number_);
    request.Write(output);
    request.Write(item != nullptr);
    if (item != nullptr) WriteItem(request, *item);
  }

  RemoteFactories& owner_;
  std::size_t number_;
  std::map<std::string, std::unique_ptr<Identifier>> ids_;
};

void RemoteFactories::Read(StateReader& reader, std::span<IBaseOutput* const> outputs) {
  outputs_.assign(outputs.begin(), outputs.end());
  items_.clear();
  factories_.clear();
  has_made_ = false;
  const auto count = static_cast<std::size_t>(reader.ReadInteger());
  for (std::size_t i = 0; i < count; ++i) {
    auto factory = std::make_unique<Factory>(*this, i, reader.ReadText());
    factory->SetCaption(reader.ReadText());
    factory->SetDescription(reader.ReadText());
    items_.push_back(factory.get());
    factories_.push_back(std::move(factory));
  }
}

}  // namespace openmi
