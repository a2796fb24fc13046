#include "fmi-bridge/fmi/run/Instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fmi-bridge/fmi/run/InstanceParts.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

const char* Name(Instance::Mode mode) {
  static constexpr const char* kNames[] = {"Instantiated", "Configuration",  "Initialization",
                                           "Event",        "ContinuousTime", "Step",
                                           "Terminated",   "Failed",         "ClockActivation"};
  return kNames[static_cast<std::size_t>(mode)];
}

}  // namespace

std::span<const char* const> Instance::FunctionsCalled(FmiMajor version) {
  return version == FmiMajor::Fmi1   ? FunctionsCalled1()
         : version == FmiMajor::Fmi2 ? FunctionsCalled2()
                                     : FunctionsCalled3();
}

std::unique_ptr<Instance> Instance::Make(const std::filesystem::path& folder, const ModelDescription& description,
                                         InstanceOptions options) {
  const std::filesystem::path file =
      options.library.empty() ? LibraryFileOf(folder, description, options.kind) : options.library;
  const Interface& offers = *description.Of(options.kind);
  auto library = FmuLibrary::Load(file, description.version, offers.model_identifier);
  if (library->Fatal()) {
    throw ModelError({.file = description.file, .component = options.name},
                     "expected an FMU that works, found one with an earlier instance that returned Fatal",
                     "start the program again");
  }
  options.event_mode = options.event_mode && offers.has_event_mode && options.kind == InterfaceKind::CoSimulation;
  switch (description.version) {
    case FmiMajor::Fmi1:
      return MakeInstance1(std::move(library), folder, description, std::move(options));
    case FmiMajor::Fmi2:
      return MakeInstance2(std::move(library), folder, description, std::move(options));
    case FmiMajor::Fmi3:
      break;
  }
  return MakeInstance3(std::move(library), folder, description, std::move(options));
}

Instance::Instance(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
                   const ModelDescription& description, InstanceOptions options)
    : library_(std::move(library)),
      folder_(folder),
      description_(&description),
      options_(std::move(options)),
      target_(std::make_shared<CallbackTarget>(options_.name, description, options_.log, options_.intermediate)) {
  if (!library_->TryCount(Offers().only_once_per_process && !library_->IsForWindows())) {
    throw LoadError({.file = description.file, .component = options_.name},
                    "expected an FMU that can be instantiated several times in a process, found a second instance of "
                    "one that says canBeInstantiatedOnlyOncePerProcess",
                    "run this instance in a process of its own (Isolation=\"instance\")");
  }
  is_counted_ = true;
  library_->Choose();
  key_.Assign(Environment(), target_);
}

Instance::~Instance() {
  target_->Silence();
  if (is_counted_) library_->Uncount();
}

void Instance::Made(bool made) {
  if (!made) {
    const std::string last = target_->LastText();
    throw ModelError(Place(), fmt::format("expected an instance of the FMU, found none: {}",
                                          last.empty() ? "it gives no reason" : last));
  }
  is_made_ = true;
  RequireNoProblem();
}

void Instance::Close() noexcept {
  if (!is_made_) return;
  is_made_ = false;
  if (IsFatal()) return;
  target_->Silence();  // the sink may be destroyed
  try {
    Terminate();
  } catch (...) {  // no caller can receive it
  }
  try {
    if (!IsFatal()) OnFree();
  } catch (...) {
  }
}

void Instance::Require(const char* call, std::initializer_list<Mode> modes) const {
  if (std::ranges::find(modes, mode_) != modes.end()) return;
  throw StateError(Place(),
                   fmt::format("expected an FMU in which {} is allowed, found one in mode {}", call, Name(mode_)));
}

void Instance::EnterConfiguration() {
  Require("EnterConfigurationMode", {Mode::Instantiated});
  OnEnterConfiguration();
  mode_ = Mode::Configuration;
}

void Instance::ExitConfiguration() {
  Require("ExitConfigurationMode", {Mode::Configuration});
  OnExitConfiguration();
  mode_ = Mode::Instantiated;
}

void Instance::SetUp(const Experiment& experiment) {
  Require("SetupExperiment", {Mode::Instantiated});
  OnSetUp(experiment);
  RequireNoProblem();
  is_set_up_ = true;
}

void Instance::EnterInitialization(const Experiment& experiment) {
  Require("EnterInitializationMode", {Mode::Instantiated});
  if (!is_set_up_) SetUp(experiment);
  OnEnterInitialization(experiment);
  RequireNoProblem();
  mode_ = Mode::Initialization;
}

void Instance::ExitInitialization() {
  Require("ExitInitializationMode", {Mode::Initialization});
  OnExitInitialization();
  RequireNoProblem();
  mode_ = options_.kind == InterfaceKind::ScheduledExecution                     ? Mode::ClockActivation
          : options_.kind == InterfaceKind::ModelExchange || options_.event_mode ? Mode::Event
                                                                                 : Mode::Step;
}

void Instance::Terminate() {
  const bool is_running =
      mode_ == Mode::Event || mode_ == Mode::ContinuousTime || mode_ == Mode::Step || mode_ == Mode::ClockActivation;
  if (!is_running) return;
  mode_ = Mode::Terminated;
  OnTerminate();
}

void Instance::Reset() {
  Terminate();
  OnReset();
  mode_ = Mode::Instantiated;
  is_set_up_ = false;
}

void Instance::EnterEventMode() {
  Require("EnterEventMode", {Mode::Step, Mode::ContinuousTime});
  OnEnterEventMode();
  RequireNoProblem();
  mode_ = Mode::Event;
}

void Instance::EnterStepMode() {
  Require("EnterStepMode", {Mode::Event});
  OnEnterStepMode();
  RequireNoProblem();
  mode_ = Mode::Step;
}

void Instance::EnterContinuousTimeMode() {
  Require("EnterContinuousTimeMode", {Mode::Event});
  OnEnterContinuousTimeMode();
  RequireNoProblem();
  mode_ = Mode::ContinuousTime;
}

void Instance::GetBinaries(std::span<const ValueReference> references, std::span<std::string> bytes) {
  binaries_.resize(bytes.size());
  ShowBinaries(references, binaries_);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::size_t size = binaries_[i].data() == nullptr ? 0 : binaries_[i].size();
    bytes[i].assign(reinterpret_cast<const char*>(binaries_[i].data()), size);
  }
}

void Instance::SetBinaries(std::span<const ValueReference> references, std::span<const std::string> bytes) {
  binaries_.resize(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) binaries_[i] = std::as_bytes(std::span(bytes[i]));
  PutBinaries(references, binaries_);
}

void ThrowWithNames(const ModelError& error, const ModelDescription& description, VariableType type,
                    std::span<const ValueReference> references) {
  constexpr std::size_t kMostNames = 3;
  std::string names;
  for (const ValueReference reference : references.first(std::min(references.size(), kMostNames))) {
    const auto variable = std::ranges::find_if(description.variables, [&](const Variable& one) {
      return one.value_reference == reference && one.type == type;
    });
    if (variable != description.variables.end()) names += (names.empty() ? "" : ", ") + variable->name;
  }
  if (references.size() > kMostNames) names += fmt::format(" and {} more", references.size() - kMostNames);
  throw ModelError(error.Place(), error.Problem() + (names.empty() ? "" : fmt::format(" (it sets {})", names)),
                   error.Remedy());
}

void Instance::SetState(void* state, Mode mode) {
  OnSetState(state);
  mode_ = mode;
}

CallStatus Instance::JudgeRest(int status, const char* function, bool may_discard) {
  const auto found = static_cast<CallStatus>(status);
  if (found == CallStatus::Warning) {
    target_->Note(found, fmt::format("{} answered Warning", function));
    return found;
  }
  if (found == CallStatus::Discard && may_discard) return found;
  if (found == CallStatus::Fatal) {
    is_fatal_ = true;
    if (!library_->IsForWindows()) library_->SetFatal();
  }
  mode_ = Mode::Failed;
  RequireNoProblem();  // the exception of a callback has priority over its consequences
  const std::string last = target_->LastText();
  std::string remedy;
  if (found == CallStatus::Fatal) {
    remedy = library_->IsForWindows() ? "this instance cannot be used any more; start the run again"
                                      : "no instance of this FMU can be used any more; start the program again";
  }
  if (found == CallStatus::Pending) remedy = "use an FMU that does its steps before it returns";
  throw ModelError(
      Place(),
      fmt::format("expected {} to succeed, found {}{}", function, fmi::Name(found), last.empty() ? "" : ": " + last),
      remedy);
}

void Instance::Refuse(const char* name) const {
  if (IsFatal()) {
    throw ModelError(
        Place(),
        fmt::format("expected an FMU that works for {}, found one with an earlier instance that returned Fatal", name),
        "start the program again");
  }
  throw LoadError({.file = library_->File().string(), .component = options_.name},
                  fmt::format("expected the function {} in the library of the FMU, found none", name),
                  "export the FMU with a tool that writes all functions of the standard");
}

void Instance::NotInThisVersion(const char* what) const {
  throw ModelError(Place(),
                   fmt::format("expected an FMU with {}, found one of FMI {}", what, description_->version_text));
}

StateHandle::~StateHandle() {
  if (state_ == nullptr || instance_.IsFatal()) return;
  try {
    instance_.FreeState(state_);
  } catch (...) {  // the state is freed with the instance
  }
}

std::string UriOf(const std::filesystem::path& folder) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  static constexpr const char* kPlain = "-._~/";
  std::string uri = "file://";
  for (const char c : std::filesystem::absolute(folder).string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::strchr(kPlain, c) != nullptr;
    if (plain) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4U];
      uri += kDigits[byte & 15U];
    }
  }
  return uri;
}

}  // namespace openmi::fmi
