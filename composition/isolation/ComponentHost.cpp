#include "composition/isolation/ComponentHost.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "composition/channel/Greeting.hpp"
#include "composition/isolation/HostedAdaptors.hpp"
#include "composition/isolation/HostedOutput.hpp"
#include "composition/isolation/IProcessClaims.hpp"
#include "composition/isolation/Protocol.hpp"
#include "composition/isolation/RemoteProvider.hpp"
#include "composition/isolation/Wire.hpp"
#include "openmi/omi/BuildText.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/IIcon.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
#include "openmi/system/LastWords.hpp"
#include "timespace/optional/IBalance.hpp"
#include "timespace/optional/IInitialValues.hpp"
#include "timespace/optional/IRemarks.hpp"
#include "timespace/optional/ISteps.hpp"
#include "timespace/optional/IUsesThreads.hpp"
#include "timespace/standard/ITimeSpaceComponent.hpp"

namespace openmi {
namespace {

OmiFile ReadOmi(StateReader& reader) {
  OmiFile omi;
  omi.path = reader.ReadText();
  omi.type = reader.ReadText();
  omi.assembly = reader.ReadText();
  omi.line = static_cast<int>(reader.ReadInteger());
  omi.type_line = static_cast<int>(reader.ReadInteger());
  omi.assembly_line = static_cast<int>(reader.ReadInteger());
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    OmiArgument argument;
    argument.key = reader.ReadText();
    argument.value = reader.ReadText();
    argument.read_only = reader.ReadBool();
    argument.line = static_cast<int>(reader.ReadInteger());
    omi.arguments.push_back(std::move(argument));
  }
  return omi;
}

template <class Items>
auto& ItemAt(Items& items, std::int64_t number) {
  if (number < 0 || static_cast<std::size_t>(number) >= items.size()) {
    throw RangeError({}, fmt::format("expected an item below {}, found {}", items.size(), number));
  }
  return *items[static_cast<std::size_t>(number)];
}

template <class Interface, class Item>
Interface& TimeSpace(Item& item, const IBaseLinkableComponent& component) {
  auto* found = dynamic_cast<Interface*>(&item);
  if (found != nullptr) return *found;
  throw LinkError(
      {.component = component.Caption(), .item = item.Id()},
      "expected an item with times and places in a component that runs in another process, found one without",
      "run this component in the same process as its neighbours");
}

/// \param offered  null: the component does not offer it
template <class Interface>
Interface& Required(Interface* offered, const char* what, const LoadedComponent& loaded) {
  if (offered != nullptr) return *offered;
  throw StateError({.component = loaded.component->Caption()},
                   fmt::format("expected a component that {}, found none", what));
}

/// The inputs of one component, with providers that ask the other process.
class HostedInputs {
 public:
  HostedInputs(Channel& channel, RowPeers& peers, std::int64_t instance)
      : channel_(channel), peers_(peers), instance_(instance) {}

  void Clear() {
    providers_.clear();
    inputs_.clear();
  }
  void TakeItems(IBaseLinkableComponent& component) {
    Clear();
    for (IBaseInput* input : component.Inputs()) inputs_.push_back(&TimeSpace<ITimeSpaceInput>(*input, component));
    providers_.resize(inputs_.size());
  }
  void WriteItems(StateWriter& reply) const {
    Write(reply, inputs_.size());
    for (const ITimeSpaceInput* input : inputs_) WriteItem(reply, *input, &peers_.Places());
  }
  void WriteEarliest(StateWriter& reply) const {
    for (const auto& provider : providers_) reply.Write(provider ? provider->EarliestNeeded().mjd : kFarFuture.mjd);
  }
  /// Reads which providers are others, and what is new about the providers.
  void TakeNews(StateReader& reader) {
    for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
      const std::int64_t number = reader.ReadInteger();
      ITimeSpaceInput& input = ItemAt(inputs_, number);
      auto& provider = providers_[static_cast<std::size_t>(number)];
      provider.reset();
      if (!reader.ReadBool()) continue;
      provider = std::make_unique<RemoteProvider>(input, channel_, peers_, instance_, number);
      auto definition = ReadDefinition(reader);
      provider->Describe(std::move(definition), ReadTimeSet(reader));
    }
    for (const auto& provider : providers_) {
      if (provider != nullptr) {
        provider->TakeNews(reader);
      } else if (reader.ReadBool() || reader.ReadBool()) {
        throw FormatError({}, "expected updates for linked inputs only, found one for an input without a link");
      }
    }
  }
  /// Reads the answers to questions that the component will ask in this update, if it behaves as before.
  void TakeAhead(StateReader& reader) {
    DropAhead();  // answers of an update that failed
    for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
      auto& provider = ItemAt(providers_, reader.ReadInteger());
      const bool has_durations = reader.ReadBool();
      const Stamp begin{reader.ReadDouble()};
      const Time asked(begin, Days{reader.ReadDouble()});
      const auto size = static_cast<std::size_t>(reader.ReadInteger());
      provider.TakeAhead(has_durations, asked, size, RowName::Read(reader));
    }
  }
  /// Drops the answers that were sent ahead.
  /// \returns how many of them the component did not ask for
  std::size_t DropAhead() {
    return static_cast<std::size_t>(
        std::ranges::count_if(providers_, [](const auto& provider) { return provider && provider->DropAhead(); }));
  }

 private:
  Channel& channel_;
  RowPeers& peers_;
  std::int64_t instance_;
  std::vector<ITimeSpaceInput*> inputs_;
  std::vector<std::unique_ptr<RemoteProvider>> providers_;
};

}  // namespace

/// One component, with everything that the other process knows about it.
class ComponentHost::Hosted {
 public:
  Hosted(LoadedComponent loaded, std::int64_t instance, Channel& channel, RowPeers& peers)
      : loaded_(std::move(loaded)), peers_(peers), inputs_(channel, peers, instance) {
    subscription_ =
        loaded_.component->StatusChanged().Add([this](const LinkableComponentStatusChangeEventArgs& change) {
          if (!change.message.empty()) message_ = change.message;
        });
  }
  ~Hosted() {
    inputs_.Clear();
    adaptors_.Clear();
    outputs_.clear();
    loaded_.component->StatusChanged().Remove(subscription_);
  }

  void Answer(HostRequest request, StateReader& reader, StateWriter& reply) {
    IBaseLinkableComponent& component = *loaded_.component;
    switch (request) {
      case HostRequest::Describe:
        WriteOffers(reply);
        return WriteArguments(reply);
      case HostRequest::SetCaption:
        return component.SetCaption(reader.ReadText());
      case HostRequest::SetArgument:
        SetArgument(reader, component.Arguments());
        return WriteArguments(reply);
      case HostRequest::Initialize:
        inputs_.Clear();
        adaptors_.Clear();
        outputs_.clear();
        component.Initialize();
        inputs_.TakeItems(component);
        for (IBaseOutput* output : component.Outputs()) {
          auto& item = TimeSpace<ITimeSpaceOutput>(*output, component);
          // One of .NET may have values for times, and no time set.
          if (is_dotnet_ && item.TimeSet() == nullptr && HoldsNumbers(item.ValueDefinition())) {
            adaptors_.Ask(static_cast<std::int64_t>(outputs_.size()), item);
          }
          outputs_.push_back(std::make_unique<HostedOutput>(item, peers_.Arena()));
        }
        WriteItems(reply);
        WriteFactories(reply);
        WriteArguments(reply);
        return WriteProgress(reply);
      case HostRequest::Validate: {
        TakeNews(reader);
        const std::vector<std::string> messages = component.Validate();
        Write(reply, messages.size());
        for (const std::string& message : messages) Write(reply, message);
        return WriteProgress(reply);
      }
      case HostRequest::ExpectRestore:
        if (resumes_ != nullptr) resumes_->ExpectRestore();
        return;
      case HostRequest::Prepare:
        TakeNews(reader);
        component.Prepare();
        is_prepared_ = true;
        return WriteProgress(reply);
      case HostRequest::Update:
        TakeNews(reader);
        inputs_.TakeAhead(reader);
        component.Update({});
        reply.Write(static_cast<std::int64_t>(inputs_.DropAhead()));
        return WriteProgress(reply);
      case HostRequest::Finish:
        is_prepared_ = false;
        component.Finish();
        return WriteProgress(reply);
      case HostRequest::Progress:
        return WriteProgress(reply);
      case HostRequest::Values: {
        const std::int64_t number = reader.ReadInteger();
        const bool has_time = reader.ReadBool();
        if (number >= static_cast<std::int64_t>(outputs_.size())) {
          return WriteValues(reply, adaptors_.At(number, outputs_.size()).Values());
        }
        HostedOutput& output = ItemAt(outputs_, number);
        return WriteValues(reply, has_time ? output.ValuesAt(Stamp{reader.ReadDouble()}) : output.Output().Values());
      }
      case HostRequest::StateAbility: {
        const StateAbility ability = AbilityOf(component);
        reply.Write(ability.in_memory);
        reply.Write(ability.as_bytes);
        return Write(reply, ability.why_not);
      }
      case HostRequest::KeepState:
        return Write(reply, Required(states_, "keeps states", loaded_).KeepCurrentState().Id());
      case HostRequest::RestoreState:
        TakeNews(reader);
        Required(states_, "keeps states", loaded_).RestoreState(Identifier(reader.ReadText()));
        for (auto& output : outputs_) output->OnRestored(steps_ != nullptr ? steps_->CurrentTime() : kFarFuture);
        return WriteProgress(reply);
      case HostRequest::ClearState:
        return Required(states_, "keeps states", loaded_).ClearState(Identifier(reader.ReadText()));
      case HostRequest::StateToBytes:
        return reply.Write(ByteView(Required(state_bytes_, "turns states into bytes", loaded_)
                                        .ConvertToByteArray(Identifier(reader.ReadText()))));
      case HostRequest::BytesToState:
        return Write(
            reply,
            Required(state_bytes_, "turns states into bytes", loaded_).ConvertFromByteArray(reader.ReadBytes()).Id());
      case HostRequest::EnterInitialization:
        TakeNews(reader);
        return Initial().EnterInitialization();
      case HostRequest::SetInitialNumbers: {
        const std::string input = reader.ReadText();
        return Initial().SetInitialNumbers(input, reader.ReadDoubles());
      }
      case HostRequest::SetInitialValues: {
        const std::string input = reader.ReadText();
        std::vector<Value> values;
        for (std::int64_t left = reader.ReadInteger(); left > 0; --left) values.push_back(ReadValue(reader));
        return Initial().SetInitialValues(input, values);
      }
      case HostRequest::ShowInitialOutputs:
        Initial().ShowInitialOutputs();
        for (auto& output : outputs_) WriteValues(reply, output->Output().Values());
        return;
      case HostRequest::Remarks:
        return WriteProblems(reply, As<IRemarks>() != nullptr ? As<IRemarks>()->Remarks() : Problems());
      case HostRequest::Icon:
        return Write(reply, Required(As<IIcon>(), "has an icon", loaded_).Icon());
      case HostRequest::SetThreads: {
        const std::int64_t threads = reader.ReadInteger();
        auto* const user = As<IUsesThreads>();
        if (user != nullptr && threads > 0) user->SetThreads(static_cast<std::size_t>(threads));
        return;
      }
      case HostRequest::AdaptorIds:
        return adaptors_.WriteIds(reader, reply, component.Outputs());
      case HostRequest::MakeAdaptor:
        adaptors_.Make(reader, reply, component.Outputs());
        return WriteArguments(reply, adaptors_.Last().Arguments());
      case HostRequest::SetAdaptorArgument: {
        const auto arguments = adaptors_.At(reader.ReadInteger(), outputs_.size()).Arguments();
        SetArgument(reader, arguments);
        return WriteArguments(reply, arguments);
      }
      case HostRequest::AdaptedValues:
        TakeNews(reader);
        WriteValues(reply, adaptors_.ValuesFor(reader, outputs_.size()));
        return WriteProgress(reply);  // the component may have computed
      default:                        // not of a component
        break;
    }
    throw FormatError({}, "expected a request to a component, found another");
  }

 private:
  /// An optional interface of the component that is seldom asked for.
  template <class Interface>
  Interface* As() const {
    return dynamic_cast<Interface*>(loaded_.component.get());
  }
  IInitialValues& Initial() const { return Required(initial_, "takes initial values", loaded_); }

  void WriteOffers(StateWriter& reply) const {
    std::int64_t offers = 0;
    if (steps_ != nullptr) offers |= kOffersSteps;
    if (balance_ != nullptr) offers |= kOffersBalance;
    if (states_ != nullptr) offers |= kOffersStates;
    if (state_bytes_ != nullptr) offers |= kOffersStateBytes;
    if (resumes_ != nullptr) offers |= kOffersResumes;
    if (As<IRemarks>() != nullptr) offers |= kOffersRemarks;
    if (As<IStateAbility>() != nullptr) offers |= kOffersStateAbility;
    if (As<IUsesThreads>() != nullptr) offers |= kOffersThreads;
    if (As<IIcon>() != nullptr) offers |= kOffersIcon;
    reply.Write(offers);
    const IBaseLinkableComponent& component = *loaded_.component;
    for (const std::string& text : {component.Id(), component.Caption(), component.Description(), FamilyKeyOf(loaded_),
                                    balance_ != nullptr ? balance_->BalanceUnit() : std::string()}) {
      Write(reply, text);
    }
    reply.Write(balance_ != nullptr ? balance_->BalanceArea() : 0.0);
    reply.Write(static_cast<std::int64_t>(component.Status()));
  }

  /// Only those of components that run nowhere else: others offer their adaptors in the process of the run.
  void WriteFactories(StateWriter& reply) {
    std::span<IAdaptedOutputFactory*> factories;
    try {
      if (is_dotnet_) factories = loaded_.component->AdaptedOutputFactories();
    } catch (const ModelError&) {  // a component without adaptors may throw in place of an empty list
    }
    adaptors_.WriteFactories(reply, factories);
  }

  void WriteArguments(StateWriter& reply) const { WriteArguments(reply, loaded_.component->Arguments()); }
  void WriteArguments(StateWriter& reply, std::span<IArgument* const> arguments) const {
    Write(reply, arguments.size());
    for (const IArgument* argument : arguments) {
      for (const std::string& text :
           {argument->Id(), argument->Caption(), argument->Description(), argument->ValueAsString()}) {
        Write(reply, text);
      }
      reply.Write(static_cast<std::int64_t>(argument->ValueType().kind));
      WriteValue(reply, Portable(argument->Value()));
      WriteValue(reply, Portable(argument->DefaultValue()));
      reply.Write(argument->IsOptional());
      reply.Write(argument->IsReadOnly());
      reply.Write(static_cast<std::int64_t>(MeaningOf(*argument)));
      reply.Write(tunable_ != nullptr && tunable_->IsTunable(argument->Id()));
      const auto possible = argument->PossibleValues();
      reply.Write(possible.has_value());
      if (!possible) continue;
      Write(reply, possible->size());
      for (const Value& value : *possible) WriteValue(reply, Portable(value));
    }
  }
  static Value Portable(const Value& value) { return value.Kind() == ValueKind::Object ? Value() : value; }

  static void SetArgument(StateReader& reader, std::span<IArgument* const> arguments) {
    const std::int64_t number = reader.ReadInteger();
    if (number < 0 || static_cast<std::size_t>(number) >= arguments.size()) {
      throw RangeError({}, fmt::format("expected an argument below {}, found {}", arguments.size(), number));
    }
    IArgument& argument = *arguments[static_cast<std::size_t>(number)];
    if (reader.ReadBool()) {
      argument.SetValueAsString(reader.ReadText());
    } else {
      argument.SetValue(ReadValue(reader));
    }
  }

  void WriteItems(StateWriter& reply) const {
    reply.Write(safety_ != nullptr && safety_->IsThreadSafe());
    Write(reply, FamilyKeyOf(loaded_));  // arguments may have changed the family
    const auto* claiming = dynamic_cast<const IProcessClaims*>(loaded_.component.get());
    const std::vector<ProcessClaim> claims =
        claiming != nullptr ? claiming->ProcessClaims() : std::vector<ProcessClaim>();
    Write(reply, claims.size());
    for (const ProcessClaim& claim : claims) {
      Write(reply, claim.what);
      Write(reply, claim.owner);
    }
    const auto held = claiming != nullptr ? claiming->HeldClaim() : std::nullopt;
    reply.Write(held.has_value());
    if (held) Write(reply, held->what);
    if (held) Write(reply, held->owner);
    const IInitialValues::Limits limits = initial_ != nullptr ? initial_->InitialLimits() : IInitialValues::Limits();
    reply.Write(static_cast<std::int64_t>(limits.rounds));
    reply.Write(limits.tolerance);
    const auto* extent = dynamic_cast<const ITimeExtension*>(loaded_.component.get());
    WriteTimeSet(reply, extent != nullptr ? &extent->TimeExtent() : nullptr);
    inputs_.WriteItems(reply);
    Write(reply, outputs_.size());
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      WriteItem(reply, outputs_[i]->Output(), &peers_.Places());
      reply.Write(outputs_[i]->HasRows());
      reply.Write(adaptors_.IsAsked(static_cast<std::int64_t>(i)));
    }
  }

  /// Reads what changed on the other side since the last call: providers, and what is needed of the outputs.
  void TakeNews(StateReader& reader) {
    inputs_.TakeNews(reader);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const Stamp earliest{reader.ReadDouble()};
      outputs_[i]->SetEarliestNeeded(earliest);
      outputs_[i]->ReadWays(reader);
      adaptors_.SetNeeded(static_cast<std::int64_t>(i), earliest != kFarFuture);
    }
  }

  /// The status as the run needs it. Some components of .NET stay Valid after Prepare, or begin to finish by themselves
  /// after their last step.
  LinkableComponentStatus PresentStatus() const {
    using S = LinkableComponentStatus;
    const S status = loaded_.component->Status();
    if (!is_dotnet_ || !is_prepared_) return status;
    if (status == S::Initialized || status == S::Valid || status == S::Preparing) return S::Updated;
    return status == S::Finishing || status == S::Finished ? S::Done : status;
  }

  void WriteProgress(StateWriter& reply) {
    StateWriter& rows = rows_;  // written first, since the allocation of rows may add to the news
    rows.Clear();
    for (auto& output : outputs_) {
      output->WriteRows(rows);
      output->SendRows(peers_);
      output->WriteBytes(rows);
      output->WriteRowTimes(rows);
      output->WriteSpatialNews(rows);
    }
    peers_.Arena().WriteNews(reply);
    peers_.WriteWork(reply);
    reply.Write(static_cast<std::int64_t>(PresentStatus()));
    Write(reply, message_);
    message_.clear();
    if (steps_ != nullptr) {
      reply.Write(steps_->CurrentTime().mjd);
      reply.Write(steps_->NextTime().mjd);
      reply.Write(static_cast<std::int64_t>(steps_->StepCount()));
    }
    reply.Write(solver_ == nullptr || solver_->HasConverged());
    if (balance_ != nullptr) {
      const BalanceTerms terms = balance_->Balance();
      for (double term : {terms.storage, terms.in, terms.out, terms.losses}) reply.Write(term);
      // The unit of the balance may depend on arguments, and is known after Prepare.
      const bool is_news = reported_status_ != loaded_.component->Status();
      reply.Write(is_news);
      if (is_news) {
        Write(reply, balance_->BalanceUnit());
        reply.Write(balance_->BalanceArea());
        reported_status_ = loaded_.component->Status();
      }
    }
    inputs_.WriteEarliest(reply);
    reply.Write(rows.Bytes());
  }

  LoadedComponent loaded_;
  bool is_dotnet_ = loaded_.library != nullptr && DotnetAssembly::IsOne(loaded_.library->Path());
  RowPeers& peers_;
  ISteps* steps_ = dynamic_cast<ISteps*>(loaded_.component.get());
  IConverges* solver_ = dynamic_cast<IConverges*>(loaded_.component.get());
  IBalance* balance_ = dynamic_cast<IBalance*>(loaded_.component.get());
  IManageState* states_ = dynamic_cast<IManageState*>(loaded_.component.get());
  IByteStateConverter* state_bytes_ = dynamic_cast<IByteStateConverter*>(loaded_.component.get());
  IResumes* resumes_ = dynamic_cast<IResumes*>(loaded_.component.get());
  ITunable* tunable_ = dynamic_cast<ITunable*>(loaded_.component.get());
  IThreadSafety* safety_ = dynamic_cast<IThreadSafety*>(loaded_.component.get());
  IInitialValues* initial_ = dynamic_cast<IInitialValues*>(loaded_.component.get());
  EventSubscription subscription_;
  std::string message_;
  bool is_prepared_ = false;
  LinkableComponentStatus reported_status_ = LinkableComponentStatus::Created;
  HostedInputs inputs_;
  std::vector<std::unique_ptr<HostedOutput>> outputs_;
  HostedAdaptors adaptors_;
  StateWriter rows_;
};

ComponentHost::ComponentHost(std::unique_ptr<ITransport> transport, SharedMemory rows, int socket, std::string key)
    : arena_(std::move(rows)),
      channel_(std::move(transport), [this](ByteView request, StateWriter& reply) { Serve(request, reply); }),
      peers_(channel_, arena_, socket, std::move(key)) {
  arena_.Carrier().CarryOver(channel_);
  channel_.SetOnLetter([this](bool is_sent) { peers_.Places().Settle(is_sent); });
  GreetAndWatch(socket, GreetingText("openmi-component-host", HostBuildText()));
  SetLastWordsSink([this](std::string_view text) { channel_.LeaveWords(text); });
}

ComponentHost::~ComponentHost() {
  SetLastWordsSink({});
}

void ComponentHost::Run() {
  channel_.ServeForEver();
  hosted_.clear();
}

ComponentHost::Hosted& ComponentHost::Find(std::int64_t instance) {
  const auto found = hosted_.find(instance);
  if (found == hosted_.end())
    throw RangeError({}, fmt::format("expected a component, found none of number {}", instance));
  return *found->second;
}

void ComponentHost::GiveCommunicator(IBaseLinkableComponent& component, const OmiFile& omi) const {
  auto* user = dynamic_cast<IUsesCommunicator*>(&component);
  if (user != nullptr) return user->SetCommunicator(*communicator_);
  throw LoadError({.file = omi.path.string(), .line = omi.line},
                  fmt::format("expected a component that uses a communicator (IUsesCommunicator), for {} ranks, found "
                              "that '{}' computes in one process",
                              communicator_->size, omi.type),
                  "leave out Ranks");
}

void ComponentHost::Serve(ByteView request, StateWriter& reply) {
  StateReader reader(request);
  const auto kind = static_cast<HostRequest>(reader.ReadInteger());
  const std::int64_t instance = reader.ReadInteger();
  if (kind == HostRequest::Drop) {
    hosted_.erase(instance);
    return;
  }
  if (kind >= HostRequest::FetchRows) return peers_.Answer(kind, reader, reply);
  if (kind != HostRequest::Load) return Find(instance).Answer(kind, reader, reply);
  channel_.SetSpins(static_cast<int>(reader.ReadInteger()));
  const OmiFile omi = ReadOmi(reader);
  Problems problems;
  LoadedComponent loaded = LoadOmi(loader_, omi, &problems);
  if (loaded.component != nullptr && communicator_) GiveCommunicator(*loaded.component, omi);
  WriteProblems(reply, problems);
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  reply.Write(std::string_view(host.data()));
  reply.Write(static_cast<std::int64_t>(getpid()));
  reply.Write(loaded.component != nullptr);
  if (loaded.component == nullptr) return;
  hosted_[instance] = std::make_unique<Hosted>(std::move(loaded), instance, channel_, peers_);
}

}  // namespace openmi
