#include "timespace/c/Instance.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "timespace/c/Component.hpp"
#include "timespace/c/Declarations.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::c {
namespace {

constexpr std::size_t kMostRemarks = 100;

/// Marks a handle while a function of its component is called.
class Calling {
 public:
  Calling(Handle& handle, Function function)
      : handle_(handle),
        function_(handle.function.exchange(function, std::memory_order_relaxed)),
        thread_(handle.thread.exchange(ThisThread(), std::memory_order_relaxed)) {}
  ~Calling() {
    handle_.thread.store(thread_, std::memory_order_relaxed);
    handle_.function.store(function_, std::memory_order_relaxed);
  }
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;

 private:
  Handle& handle_;
  unsigned function_;
  std::uintptr_t thread_;
};

}  // namespace

Instance::Instance(const openmi_component& type, IOwner& owner)
    : type_(type), owner_(owner), handle_(TakeHandle(type, HostTable(), *this)), things_(owner) {
  try {
    Call(kCreate, "create", [this] { return type_.create(&handle_); });
  } catch (...) {
    if (type_.destroy != nullptr) {
      const Calling calling(handle_, kDestroy);
      type_.destroy(&handle_);
    }
    GiveHandle(handle_);
    throw;
  }
}

Instance::~Instance() {
  try {
    Finish();
    if (type_.destroy != nullptr) {
      const Calling calling(handle_, kDestroy);
      type_.destroy(&handle_);
    }
  } catch (const std::exception&) {  // destroyed without Finish: no caller can receive it
  }
  GiveHandle(handle_);
}

template <class Work>
void Instance::Call(Function function, const char* name, Work&& work) {
  int result = 0;
  {
    const Calling calling(handle_, function);
    try {
      result = work();
    } catch (const abi::__forced_unwind&) {
      throw;  // the thread is being cancelled: do not stop that
    } catch (const std::exception& error) {
      Refuse(ModelError({}, fmt::format("expected no exception from '{}', found: {}", name, error.what()),
                        "catch it in the component, and call fail"));
    } catch (...) {
      Refuse(ModelError({}, fmt::format("expected no exception from '{}', found one", name),
                        "catch it in the component, and call fail"));
    }
  }
  if (!lent_.empty()) lent_.clear();
  if (result != 0 || refusal_ || handle_.stray_call.load(std::memory_order_relaxed) != nullptr) [[unlikely]] {
    Throw(function, name, result);
  }
}

void Instance::Throw(Function function, const char* name, int result) {
  const char* const stray = handle_.stray_call.exchange(nullptr);
  std::optional<Problem> reason = std::exchange(refusal_, std::nullopt);
  if (!reason && stray != nullptr) {
    reason = Problem{.problem = fmt::format("expected '{}' to be called from within calls of the component, on their "
                                            "thread, found it called outside",
                                            stray),
                     .remedy = "let the component call the host only while the host calls it"};
  }
  if (!reason) {
    reason = Problem{.problem = fmt::format("expected '{}' to return 0, found {}", name, result),
                     .remedy = "see what the component says elsewhere; it should call fail before it returns"};
  }
  if (reason->where.component.empty()) reason->where.component = owner_.Name();
  if (function == kLoad) throw FormatError(reason->where, reason->problem, reason->remedy);
  if (owner_.Arguments().Find(reason->where.item) != nullptr) {
    throw ArgumentError(reason->where, reason->problem, reason->remedy);
  }
  throw ModelError(reason->where, reason->problem, reason->remedy);
}

void Instance::Refuse(const Error& error) {
  if (!refusal_) refusal_ = Problem{.where = error.Place(), .problem = error.Problem(), .remedy = error.Remedy()};
}

void Instance::Fail(const openmi_report& report) {
  refusal_ = Problem{.where = {.file = TextFrom(report.file), .line = report.line, .item = TextFrom(report.item)},
                     .problem = report.message != nullptr ? report.message : "it says that it failed",
                     .remedy = TextFrom(report.remedy)};
}

void Instance::Warn(const openmi_report& report) {
  const Problem warning{.severity = Problem::Warning,
                        .where = {.file = TextFrom(report.file), .line = report.line, .item = TextFrom(report.item)},
                        .problem = RequiredText(report.message, "the message of a warning"),
                        .remedy = TextFrom(report.remedy)};
  if (messages_ != nullptr) {
    Where where = warning.where;
    where.component = owner_.Name();
    messages_->push_back(Error::Format(where, warning.problem, warning.remedy));
    return;
  }
  const auto is_same = [&](const Problem& other) {
    return other.problem == warning.problem && other.where.item == warning.where.item;
  };
  if (remarks_.size() < kMostRemarks && std::ranges::none_of(remarks_, is_same)) remarks_.push_back(warning);
}

const char* Instance::Lend(std::string text) {
  return lent_.emplace_back(std::make_unique<std::string>(std::move(text)))->c_str();
}

void Instance::Initialize() {
  things_.BeginInitialize();
  remarks_.clear();
  is_finish_due_ = true;
  has_started_ = false;
  if (type_.initialize != nullptr) {
    Call(kInitialize, "initialize", [this] { return type_.initialize(&handle_); });
  }
}

bool Instance::Validate(std::vector<std::string>& messages) {
  if (type_.validate == nullptr) return true;
  messages_ = &messages;
  try {
    Call(kValidate, "validate", [this] { return type_.validate(&handle_); });
    messages_ = nullptr;
    return true;
  } catch (const Error& error) {
    messages_ = nullptr;
    messages.emplace_back(error.what());
    return false;
  }
}

void Instance::Start(Stamp begin, bool expects_state) {
  expects_state_ = expects_state;
  things_.BeforeStart();
  if (type_.start != nullptr) {
    Call(kStart, "start", [&] { return type_.start(&handle_, begin.mjd); });
  }
  things_.AfterStart(begin);
  has_started_ = true;
}

void Instance::Step(const openmi_times& times) {
  things_.BeforeStep(Stamp{times.to});
  try {
    Call(kStep, "step", [&] { return type_.step(&handle_, &times); });
    things_.AfterStep(Stamp{times.from}, Stamp{times.to});
  } catch (...) {
    things_.Drop();
    throw;
  }
}

void Instance::Finish() {
  if (!std::exchange(is_finish_due_, false)) return;
  things_.OwnShown();
  if (type_.finish != nullptr) {
    Call(kFinish, "finish", [this] { return type_.finish(&handle_); });
  }
}

Stamp Instance::Next(Stamp now, Stamp whole_step_end) {
  double end = whole_step_end.mjd;
  Call(kNext, "next", [&] { return type_.next(&handle_, now.mjd, &end); });
  if (!Before(now, Stamp{end})) {
    throw ModelError({.component = owner_.Name()},
                     fmt::format("expected the end of a step after {}, found the stamp {}", FormatIsoTime(now), end),
                     "let next store a time that is later by more than a microsecond");
  }
  return Stamp{end};
}

Bytes Instance::Save() {
  state_.clear();
  Call(kSave, "save", [this] { return type_.save(&handle_); });
  return std::exchange(state_, {});
}

void Instance::Load(ByteView bytes) {
  Call(kLoad, "load", [&] { return type_.load(&handle_, bytes.data(), bytes.size()); });
}

void Instance::ReadBalance() {
  balance_ = {};
  balance_.size = sizeof balance_;
  if (!has_started_) return;
  Call(kBalance, "balance", [this] { return type_.balance(&handle_, &balance_); });
}

BalanceTerms Instance::Balance() {
  ReadBalance();
  return {.storage = balance_.storage, .in = balance_.in, .out = balance_.out, .losses = balance_.losses};
}

std::string Instance::BalanceUnit() {
  ReadBalance();
  return balance_.unit != nullptr ? balance_.unit : "m3";
}

double Instance::BalanceArea() {
  ReadBalance();
  return balance_.area;
}

}  // namespace openmi::c
