#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/common/items/ValueItems.hpp"
#include "fmi-bridge/dcp/master/SlaveSession.hpp"
#include "fmi-bridge/dcp/master/component/DirectData.hpp"
#include "fmi-bridge/dcp/master/component/SlaveArguments.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/slave/ExchangeLog.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "timespace/IInitialValues.hpp"
#include "timespace/IRemarks.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/SteppingComponent.hpp"

namespace openmi::dcp {

/// A DCP slave as a component; this side is its master. Its id is `openmi.dcp.Slave` of the assembly
/// `openmi-dcp-bridge`.
///
/// The argument `description` names the .dcpx or .dcp. As soon as it is set, the file is read, and every parameter and
/// input becomes an argument. Initialize makes the items and contacts no slave. Prepare registers, configures and
/// initializes the slave. Update is a communication step. Finish stops the slave and leaves it free, also after a
/// failure.
///
/// Numbers are exchanged as rows; an array is an element set. Strings and binaries are values of their kind. An input
/// takes part where it is linked; else its start value applies, or the argument of its name. An input that is linked to
/// another slave without an adaptor can get its values from that slave directly, if the argument `direct` is set; this
/// component still shows the values.
class Slave final : public SteppingComponent, public IFamilyKey, public IInitialValues, public IRemarks {
 public:
  Slave();
  ~Slave() override;

  /// The canonical path of the description's file.
  std::string FamilyKey() const override;
  /// Lost inputs, where the slave allows losses, and steps in real time that were late or kept earlier values.
  ///
  /// After the end it holds what kept the slave from being stopped.
  Problems Remarks() const override;

  Limits InitialLimits() const override { return {initial_rounds_.Value(), initial_tolerance_.Value()}; }
  /// Registers, configures and connects the slave.
  void EnterInitialization() override;
  void SetInitialNumbers(std::string_view input, std::span<const double> row) override;
  void SetInitialValues(std::string_view input, std::span<const Value> values) override;
  /// Initializes the slave, again where its inputs have changed.
  void ShowInitialOutputs() override;

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void End() override;
  bool OnValidate(std::vector<std::string>& messages) override;

 private:
  struct NumericPort {
    Index variable = kNowhere;
    NumericInput* input = nullptr;
    NumericOutput* output = nullptr;
  };
  struct ValuePort {
    Index variable = kNowhere;
    items::ValueInput* input = nullptr;
    items::ValueOutput* output = nullptr;
  };

  void AddSessionArguments();
  void ReadDescription();
  void RequireDescription();
  SessionOptions Options() const;
  void MakeItem(Index index, const std::vector<std::size_t>& sizes);
  void MakeCounters();
  void TakeInputs(Stamp to);
  void GiveOutputs(Stamp time);
  void Attend();
  void MakeSession();
  /// Brings the slave to PREPARED, where it can receive data, and starts its heartbeat.
  ///
  /// Called by a slave that sends data to this one, or by EnterInitialization.
  void ReachPrepared();
  /// Initializes the slave, unless it was initialized since an input was last set.
  void InitializeSlave();
  void FindNeighbours();
  static void Connect(Slave& from, Slave& to);
  bool MaySendTo(const Slave& receiver, const SessionOptions& mine, const SessionOptions& theirs) const;
  const NumericPort* PortOf(const NumericOutput* output) const;
  bool ComesDirectly(Index input) const;
  void RequireReceiversAt(Stamp to) const;
  void NoteSent();
  void CompareReceived();
  void LeaveNeighbours();
  void Run(std::int64_t unix_seconds);
  void Log(const std::string& line);
  double ResolutionSeconds() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }
  const Variable& VariableAt(Index index) const { return description_->variables[static_cast<std::size_t>(index)]; }

  Argument<std::string> file_;
  Argument<std::string> host_;
  Argument<int> port_;
  Argument<std::string> transport_;
  Argument<std::string> data_transport_;
  Argument<int> data_port_;
  Argument<std::string> local_host_;
  Argument<int> slave_id_;
  Argument<std::string> mode_;
  Argument<std::string> synchronization_;
  Argument<std::string> time_resolution_;
  Argument<std::string> on_loss_;
  Argument<int> group_size_;
  Argument<double> answer_timeout_;
  Argument<int> tries_;
  Argument<double> change_timeout_;
  Argument<double> step_timeout_;
  Argument<double> data_timeout_;
  Argument<double> start_delay_;
  Argument<int> initial_rounds_;
  Argument<double> initial_tolerance_;
  Argument<bool> direct_;
  Argument<bool> counters_;
  Argument<std::string> log_level_;
  Argument<std::string> log_file_;
  ResultsFolder results_folder_;
  Argument<std::string> exchange_log_;

  std::filesystem::path path_;
  std::shared_ptr<const SlaveDescription> description_;
  SlaveArguments arguments_;
  OpMode op_mode_ = OpMode::NRT;
  bool is_lock_step_ = false;
  std::uint32_t numerator_ = 1;
  std::uint32_t denominator_ = 1000;

  std::vector<NumericPort> numeric_ports_;
  std::vector<ValuePort> value_ports_;
  std::vector<std::pair<NumericOutput*, const std::uint64_t SessionCounts::*>> counter_ports_;
  std::mutex session_guard_;  // held in steps, in heartbeats and in the common start
  std::unique_ptr<SlaveSession> session_;
  Problems end_remarks_;
  std::vector<std::shared_ptr<DirectData>> direct_in_;
  std::vector<std::shared_ptr<DirectData>> direct_out_;
  bool is_prepared_ = false;     // it is in PREPARED, or has been there
  bool is_connected_ = false;    // initialization was entered
  bool is_initialized_ = false;  // it has its initial values
  bool is_started_ = false;
  std::ofstream log_;
  std::unique_ptr<ExchangeLog> exchanges_;
  std::atomic<bool> is_running_ = false;
  SlaveSession::Clock::time_point begin_{};  // SRT, HRT: start of the run
};

}  // namespace openmi::dcp
