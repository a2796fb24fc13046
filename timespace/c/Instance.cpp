#include "timespace/c/Instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "timespace/c/Declarations.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::c {
namespace {

constexpr std::size_t kMostRemarks = 100;

}  // namespace

Instance::Instance(const openmi_component& type, IOwner& owner) : type_(type), owner_(owner), things_(owner) {
  InC().type = &type;
  Guest::Create(
      kCreate, [this] { return type_.create(&InC()); }, kDestroy, type.destroy);
}

Instance::~Instance() {
  try {
    Finish();
    Destroy(kDestroy, type_.destroy);
  } catch (const std::exception&) {  // destroyed without Finish: no caller can receive it
  }
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

void Instance::Initialize() {
  things_.BeginInitialize();
  remarks_.clear();
  is_finish_due_ = true;
  has_started_ = false;
  if (type_.initialize != nullptr) {
    Call(kInitialize, "initialize", [this] { return type_.initialize(&InC()); });
  }
}

bool Instance::Validate(std::vector<std::string>& messages) {
  if (type_.validate == nullptr) return true;
  messages_ = &messages;
  try {
    Call(kValidate, "validate", [this] { return type_.validate(&InC()); });
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
    Call(kStart, "start", [&] { return type_.start(&InC(), begin.mjd); });
  }
  things_.AfterStart(begin);
  has_started_ = true;
}

void Instance::Step(const openmi_times& times) {
  things_.BeforeStep(Stamp{times.to});
  try {
    Call(kStep, "step", [&] { return type_.step(&InC(), &times); });
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
    Call(kFinish, "finish", [this] { return type_.finish(&InC()); });
  }
}

Stamp Instance::Next(Stamp now, Stamp whole_step_end) {
  double end = whole_step_end.mjd;
  Call(kNext, "next", [&] { return type_.next(&InC(), now.mjd, &end); });
  if (!Before(now, Stamp{end})) {
    throw ModelError({.component = owner_.Name()},
                     fmt::format("expected the end of a step after {}, found the stamp {}", FormatIsoTime(now), end),
                     "let next store a time that is later by more than a microsecond");
  }
  return Stamp{end};
}

Bytes Instance::Save() {
  state_.clear();
  Call(kSave, "save", [this] { return type_.save(&InC()); });
  return std::exchange(state_, {});
}

void Instance::Load(ByteView bytes) {
  Call(kLoad, "load", [&] { return type_.load(&InC(), bytes.data(), bytes.size()); });
}

void Instance::ReadBalance() {
  balance_ = {};
  balance_.size = sizeof balance_;
  if (!has_started_) return;
  Call(kBalance, "balance", [this] { return type_.balance(&InC(), &balance_); });
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
