// LoadIsolated, and the optional interfaces of the components that it makes.

#include <fmt/format.h>

#include <string_view>
#include <type_traits>
#include <utility>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/isolation/Protocol.hpp"
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
  Stamp CurrentTime() const override { return this->current_; }
  Stamp NextTime() const override { return this->next_; }
  std::uint64_t StepCount() const override { return this->step_count_; }
};

template <class Base>
class BalanceOf : public Base, public IBalance {
 public:
  using Base::Base;
  BalanceTerms Balance() const override { return this->balance_; }
  std::string BalanceUnit() const override { return this->balance_unit_; }
  double BalanceArea() const override { return this->balance_area_; }
};

template <class Base>
class StatesOf : public Base, public IManageState {
 public:
  using Base::Base;
  const IIdentifiable& KeepCurrentState() override {
    const auto lock = this->Lock();
    this->Begin(static_cast<std::int64_t>(HostRequest::KeepState));
    return this->Remember(this->Call().ReadText());
  }
  void RestoreState(const IIdentifiable& state_id) override {
    const auto lock = this->Lock();
    StateWriter& request = this->Begin(static_cast<std::int64_t>(HostRequest::RestoreState));
    this->WriteNews(request);  // its providers may have gone back too
    Write(request, state_id.Id());
    StateReader reply = this->Call();
    this->TakeProgress(reply);
  }
  void ClearState(const IIdentifiable& state_id) override {
    const auto lock = this->Lock();
    const std::string id = state_id.Id();  // a copy: it may be the id that is forgotten
    Write(this->Begin(static_cast<std::int64_t>(HostRequest::ClearState)), id);
    this->Call();
    this->Forget(id);
  }
};

template <class Base>
class StateBytesOf : public Base, public IByteStateConverter {
 public:
  using Base::Base;
  const IIdentifiable& ConvertFromByteArray(std::span<const std::byte> bytes) override {
    const auto lock = this->Lock();
    this->Begin(static_cast<std::int64_t>(HostRequest::BytesToState)).Write(bytes);
    return this->Remember(this->Call().ReadText());
  }
  Bytes ConvertToByteArray(const IIdentifiable& state_id) override {
    const auto lock = this->Lock();
    Write(this->Begin(static_cast<std::int64_t>(HostRequest::StateToBytes)), state_id.Id());
    StateReader reply = this->Call();
    const std::span<const std::byte> bytes = reply.ReadBytes();
    return {bytes.begin(), bytes.end()};
  }
};

template <std::int64_t kDoors>
std::unique_ptr<IsolatedComponent> MakeWith(const std::shared_ptr<IsolatedProcess>& process, std::int64_t instance,
                                            StateReader& description) {
  using Plain = IsolatedComponent;
  using Stepping = std::conditional_t<(kDoors & kOffersSteps) != 0, StepsOf<Plain>, Plain>;
  using Balanced = std::conditional_t<(kDoors & kOffersBalance) != 0, BalanceOf<Stepping>, Stepping>;
  using Stateful = std::conditional_t<(kDoors & kOffersStates) != 0, StatesOf<Balanced>, Balanced>;
  using Whole = std::conditional_t<(kDoors & kOffersStateBytes) != 0, StateBytesOf<Stateful>, Stateful>;
  return std::make_unique<Whole>(process, instance, description);
}

template <std::size_t... kDoors>
std::unique_ptr<IsolatedComponent> MakeAny(std::int64_t doors, const std::shared_ptr<IsolatedProcess>& process,
                                           std::int64_t instance, StateReader& description,
                                           std::index_sequence<kDoors...>) {
  std::unique_ptr<IsolatedComponent> made;
  static_cast<void>((((doors & 15) == static_cast<std::int64_t>(kDoors) &&
                      (made = MakeWith<static_cast<std::int64_t>(kDoors)>(process, instance, description), true)) ||
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
        if (*owner == nullptr) throw StateError({}, "expected a component that is there, found none yet");
        (*owner)->Serve(request, reader, reply);
      });
  try {
    StateWriter request;
    request.Write(static_cast<std::int64_t>(HostRequest::Load));
    request.Write(instance);
    request.Write(static_cast<std::int64_t>(IsolatedProcess::Spins()));
    WriteOmi(request, omi);
    StateReader reply = process->Call(request);
    Problems found = ReadProblems(reply);
    const bool is_there = reply.ReadBool();
    if (problems != nullptr) {
      problems->insert(problems->end(), found.begin(), found.end());
    } else {
      ThrowIfErrors(found);
    }
    if (is_there) {
      request.Clear();
      request.Write(static_cast<std::int64_t>(HostRequest::Describe));
      request.Write(instance);
      StateReader description = process->Call(request);
      const std::int64_t doors = StateReader(description).ReadInteger();
      auto component = MakeAny(doors, process, instance, description, std::make_index_sequence<16>());
      if (component == nullptr) throw FormatError({}, "expected what a component can do, found something else");
      *owner = component.get();
      return {nullptr, std::move(component)};
    }
  } catch (const Error& error) {
    process->RemoveInstance(instance);
    if (problems == nullptr) throw;
    Where where = error.Place();
    if (where.file.empty()) where.file = omi.path.string();
    if (where.line == 0) where.line = omi.line;
    AddError(*problems, where, error.Problem(), error.Remedy());
    return {};
  }
  process->RemoveInstance(instance);
  return {};
}

}  // namespace openmi
