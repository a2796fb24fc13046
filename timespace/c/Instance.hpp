#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "openmi/c/openmi_component.h"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/c/Handle.hpp"
#include "timespace/c/IOwner.hpp"
#include "timespace/c/Things.hpp"
#include "timespace/optional/IBalance.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::c {

/// One component in C, seen from the host: calls its functions, and keeps what it declares.
///
/// Each call ends with an exception if the component says that it failed, if its function returns another number than
/// 0, or if it made a call that was refused.
class Instance {
 public:
  /// Calls `create`.
  /// \param type   borrowed
  /// \param owner  the component that this instance is of; borrowed
  Instance(const openmi_component& type, IOwner& owner);
  /// Calls `finish` if that is due, and `destroy`.
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  void Initialize();
  /// \param messages  receives its warnings
  /// \returns whether it found nothing wrong
  bool Validate(std::vector<std::string>& messages);
  void Start(Stamp begin, bool expects_state);
  void Step(const openmi_times& times);
  void Finish();
  bool HasNext() const { return type_.next != nullptr; }
  /// \param whole_step_end  by the argument `time-step`
  Stamp Next(Stamp now, Stamp whole_step_end);
  /// The bytes of `save`.
  Bytes Save();
  /// \throws FormatError  the component refuses the bytes
  void Load(ByteView bytes);
  BalanceTerms Balance();
  std::string BalanceUnit();
  double BalanceArea();

  const openmi_component& Type() const { return type_; }
  Things& Declared() { return things_; }
  const Things& Declared() const { return things_; }
  /// Warnings of the run, each sentence once.
  const Problems& Remarks() const { return remarks_; }

  // What the host functions use.
  IOwner& Owner() { return owner_; }
  /// Remembers why a call of the component fails; the first reason counts.
  void Refuse(const Error& error);
  /// Remembers what the component says itself; counts more.
  void Fail(const openmi_report& report);
  void Warn(const openmi_report& report);
  void AddState(ByteView bytes) { state_.insert(state_.end(), bytes.begin(), bytes.end()); }
  bool ExpectsState() const { return expects_state_; }
  /// A copy of a text, as long as the call of the component lasts.
  const char* Lend(std::string text);

 private:
  template <class Work>
  void Call(Function function, const char* name, Work&& work);
  [[noreturn]] void Throw(Function function, const char* name, int result);
  void ReadBalance();

  const openmi_component& type_;
  IOwner& owner_;
  Handle& handle_;
  Things things_;
  bool is_finish_due_ = false;
  bool has_started_ = false;
  bool expects_state_ = false;
  std::optional<Problem> refusal_;
  std::vector<std::unique_ptr<std::string>> lent_;
  std::vector<std::string>* messages_ = nullptr;  // of validate; null: warnings are remarks
  Problems remarks_;
  Bytes state_;
  openmi_balance balance_ = {};
};

}  // namespace openmi::c
