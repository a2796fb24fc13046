// LoadIsolated, and the optional interfaces of the components that it makes.

#include <string_view>
#include <type_traits>
#include <utility>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/isolation/Wire.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"

namespace openmi {
namespace {

// The optional interfaces of a component. Each exists only if the component has it.

template <class Base>
class StepsOf : public Base, public ISteps {
 public:
  using Base::Base;
  Stamp CurrentTime() const override { return this->Progress().Current(); }
  Stamp NextTime() const override { return this->Progress().Next(); }
  std::uint64_t StepCount() const override { return this->Progress().StepCount(); }
};

template <class Base>
class BalanceOf : public Base, public IBalance {
 public:
  using Base::Base;
  BalanceTerms Balance() const override { return this->Progress().Balance(); }
  std::string BalanceUnit() const override { return this->Progress().BalanceUnit(); }
  double BalanceArea() const override { return this->Progress().BalanceArea(); }
};

template <class Base>
class StatesOf : public Base, public IManageState {
 public:
  using Base::Base;
  const IIdentifiable& KeepCurrentState() override {
    const auto lock = this->Lock();
    this->Begin(HostRequest::KeepState);
    return this->Remember(this->Call().ReadText());
  }
  void RestoreState(const IIdentifiable& state_id) override {
    const auto lock = this->Lock();
    const auto restore = [this, &state_id] {
      StateWriter& request = this->Begin(HostRequest::RestoreState);
      this->WriteNews(request);  // its providers may have gone back too
      Write(request, state_id.Id());
      StateReader reply = this->Call();
      return this->TakeRestored(reply);
    };
    if (restore()) restore();  // now with the next rows of its providers from its time on
  }
  void ClearState(const IIdentifiable& state_id) override {
    const auto lock = this->Lock();
    const std::string id = state_id.Id();  // a copy: it may be the id that is forgotten
    Write(this->Begin(HostRequest::ClearState), id);
    this->Call();
    this->Forget(id);
  }
};

template <class Base>
class StateBytesOf : public Base, public IByteStateConverter {
 public:
  using Base::Base;
  const IIdentifiable& ConvertFromByteArray(ByteView bytes) override {
    const auto lock = this->Lock();
    this->Begin(HostRequest::BytesToState).Write(bytes);
    return this->Remember(this->Call().ReadText());
  }
  Bytes ConvertToByteArray(const IIdentifiable& state_id) override {
    const auto lock = this->Lock();
    Write(this->Begin(HostRequest::StateToBytes), state_id.Id());
    StateReader reply = this->Call();
    const ByteView bytes = reply.ReadBytes();
    return {bytes.begin(), bytes.end()};
  }
};

template <std::int64_t kOffers>
std::unique_ptr<IsolatedComponent> MakeWith(const WorkerCalls& calls, StateReader& description) {
  using Plain = IsolatedComponent;
  using Stepping = std::conditional_t<(kOffers & kOffersSteps) != 0, StepsOf<Plain>, Plain>;
  using Balanced = std::conditional_t<(kOffers & kOffersBalance) != 0, BalanceOf<Stepping>, Stepping>;
  using Stateful = std::conditional_t<(kOffers & kOffersStates) != 0, StatesOf<Balanced>, Balanced>;
  using Whole = std::conditional_t<(kOffers & kOffersStateBytes) != 0, StateBytesOf<Stateful>, Stateful>;
  return std::make_unique<Whole>(calls, description);
}

template <std::size_t... kOffers>
std::unique_ptr<IsolatedComponent> MakeAny(std::int64_t offers, const WorkerCalls& calls, StateReader& description,
                                           std::index_sequence<kOffers...>) {
  std::unique_ptr<IsolatedComponent> made;
  static_cast<void>((((offers & 15) == static_cast<std::int64_t>(kOffers) &&
                      (made = MakeWith<static_cast<std::int64_t>(kOffers)>(calls, description), true)) ||
                     ...));
  return made;
}

void WriteOmi(StateWriter& request, const OmiFile& omi) {
  for (const std::string& text : {omi.path.string(), omi.type, omi.assembly}) Write(request, text);
  for (int line : {omi.line, omi.type_line, omi.assembly_line}) request.Write(static_cast<std::int64_t>(line));
  request.Write(static_cast<std::int64_t>(omi.arguments.size()));
  for (const OmiArgument& argument : omi.arguments) {
    Write(request, argument.key);
    Write(request, argument.value);
    request.Write(argument.read_only);
    request.Write(static_cast<std::int64_t>(argument.line));
  }
}

}  // namespace

LoadedComponent LoadIsolated(const std::shared_ptr<IsolatedProcess>& process, const OmiFile& omi, Problems* problems) {
  const auto lock = process->Lock();
  // The component serves the requests of the instance; it is made only when its optional interfaces are known.
  auto owner = std::make_shared<IsolatedComponent*>(nullptr);
  const std::int64_t instance =
      process->AddInstance([owner](std::int64_t request, StateReader& reader, StateWriter& reply) {
        if (*owner == nullptr) throw StateError({}, "expected a loaded component, found none yet");
        const bool is_updating = (*owner)->status_ == LinkableComponentStatus::Updating;
        (*owner)->inputs_.Serve(static_cast<EngineRequest>(request), is_updating, reader, reply);
      });
  WorkerCalls calls(process, instance);
  try {
    StateWriter& request = calls.Begin(HostRequest::Load);
    request.Write(static_cast<std::int64_t>(IsolatedProcess::Spins()));
    WriteOmi(request, omi);
    StateReader reply = calls.Call();
    Problems found = ReadProblems(reply);
    for (Problem& one : found) one.problem += process->There();
    WorkerFigures& figures = process->Record()->figures;
    figures.host = reply.ReadText();
    figures.process = reply.ReadInteger();
    const bool is_there = reply.ReadBool();
    if (problems != nullptr) {
      problems->insert(problems->end(), found.begin(), found.end());
    } else {
      ThrowIfErrors(found);
    }
    if (is_there) {
      calls.Begin(HostRequest::Describe);
      StateReader description = calls.Call();
      const std::int64_t offers = StateReader(description).ReadInteger();
      auto component = MakeAny(offers, calls, description, std::make_index_sequence<16>());
      if (component == nullptr)
        throw FormatError({}, "expected the list of a component's optional interfaces, found something else");
      *owner = component.get();
      return {nullptr, std::move(component)};
    }
  } catch (const Error& error) {
    calls.Drop();
    if (problems == nullptr) throw;
    Where where = error.Place();
    if (where.file.empty()) where.file = omi.path.string();
    if (where.line == 0) where.line = omi.line;
    AddError(*problems, where, error.Problem(), error.Remedy());
    return {};
  }
  calls.Drop();
  return {};
}

}  // namespace openmi
