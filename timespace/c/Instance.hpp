#pragma once

#include <string>
#include <vector>

#include "openmi/c/openmi_component.h"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/c/Guest.hpp"
#include "timespace/c/IOwner.hpp"
#include "timespace/c/Things.hpp"
#include "timespace/optional/IBalance.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::c {

/// One component in C, seen from the host: calls its functions, and keeps what it declares.
class Instance final : public Guest {
 public:
  /// Calls `create`.
  /// \param type   borrowed
  /// \param owner  the component that this instance is of; borrowed
  Instance(const openmi_component& type, IOwner& owner);
  /// Calls `finish` if that is due, and `destroy`.
  ~Instance() override;

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
  std::string GuestName() const override { return owner_.Name(); }
  ArgumentList& GuestArguments() override { return owner_.Arguments(); }
  int DeclareArgument(const openmi_argument* declared) override { return things_.AddArgument(declared); }
  const ArgumentItem& ArgumentNumber(int number) const override { return things_.ArgumentNumber(number); }
  void Warn(const openmi_report& report);
  void AddState(ByteView bytes) { state_.insert(state_.end(), bytes.begin(), bytes.end()); }
  bool ExpectsState() const { return expects_state_; }

 private:
  void ReadBalance();

  const openmi_component& type_;
  IOwner& owner_;
  Things things_;
  bool is_finish_due_ = false;
  bool has_started_ = false;
  bool expects_state_ = false;
  std::vector<std::string>* messages_ = nullptr;  // of validate; null: warnings are remarks
  Problems remarks_;
  Bytes state_;
  openmi_balance balance_ = {};
};

}  // namespace openmi::c
