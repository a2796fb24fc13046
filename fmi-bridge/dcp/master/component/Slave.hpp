#pragma once

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "fmi-bridge/dcp/master/SlaveSession.hpp"
#include "fmi-bridge/dcp/master/component/DirectLinks.hpp"
#include "fmi-bridge/dcp/master/component/SessionArguments.hpp"
#include "fmi-bridge/dcp/master/component/SlaveArguments.hpp"
#include "fmi-bridge/dcp/master/component/SlavePeers.hpp"
#include "fmi-bridge/dcp/master/component/SlavePorts.hpp"
#include "fmi-bridge/dcp/slave/ExchangeLog.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/IPeer.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/optional/IInitialValues.hpp"
#include "timespace/optional/IRemarks.hpp"

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
class Slave final : public SteppingComponent, public IFamilyKey, public IInitialValues, public IPeer, public IRemarks {
 public:
  Slave();
  ~Slave() override;

  /// The canonical path of the description's file.
  std::string FamilyKey() const override;
  /// Shares direct data and the common start with the other slaves of the composition.
  void JoinPeers(PeerBoard& board) override;
  /// Lost inputs, where the slave allows losses, and steps in real time that were late or kept earlier values.
  ///
  /// After the end it holds what kept the slave from being stopped.
  Problems Remarks() const override;
  /// The file of the description and this component, for messages.
  Where Here(const std::string& item = {}) const {
    return {.file = path_.string(), .component = Caption(), .item = item};
  }

  Limits InitialLimits() const override {
    return {arguments_.initial_rounds.Value(), arguments_.initial_tolerance.Value()};
  }
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
  void ReadDescription();
  /// Takes the time resolution that the slave allows and that divides time-step, if there is one.
  void ChooseResolution();
  void MakeItem(Index index, const std::vector<std::size_t>& sizes);
  /// Registers what other threads may call between two updates.
  void Attend();
  void MakeSession();
  /// Brings the slave to PREPARED, where it can receive data, and starts its heartbeat.
  ///
  /// Called by a slave that sends data to this one, or by EnterInitialization.
  void ReachPrepared();
  /// Initializes the slave, unless it was initialized since an input was last set.
  void InitializeSlave();
  void Run(std::int64_t unix_seconds);
  void Log(const std::string& line);
  /// All options of a session.
  SessionOptions Options() const;
  bool IsNonRealTime() const { return timing_.mode == OpMode::NRT; }
  double ResolutionSeconds() const {
    return static_cast<double>(timing_.numerator) / static_cast<double>(timing_.denominator);
  }
  const Variable& VariableAt(Index index) const { return description_->At(index); }

  // Direct data.
  static void Connect(Slave& from, Slave& to);
  bool MaySendTo(const Slave& receiver, const SessionOptions& mine, const SessionOptions& theirs) const;
  /// The variable of an output; kNowhere where it is no output of this slave.
  Index VariableOf(const NumericOutput* output) const;

  SessionArguments arguments_;
  SlaveArguments variable_arguments_;
  std::shared_ptr<SlavePeers> peers_ = std::make_shared<SlavePeers>();  // of its own until JoinPeers
  std::filesystem::path path_;
  std::shared_ptr<const SlaveDescription> description_;
  SessionOptions timing_;  // mode, lock-step and time resolution; see Options
  SlavePorts ports_{*this};
  DirectLinks direct_{*this};
  std::mutex session_guard_;  // held in steps, in heartbeats and in the common start
  std::unique_ptr<SlaveSession> session_;
  Problems end_remarks_;
  bool is_prepared_ = false;     // it is in PREPARED, or has been there
  bool is_connected_ = false;    // initialization was entered
  bool is_initialized_ = false;  // it has its initial values
  bool is_started_ = false;
  std::ofstream log_;
  std::unique_ptr<ExchangeLog> exchanges_;
  std::atomic<bool> is_running_ = false;
  SlaveSession::Clock::time_point begin_{};  // SRT, HRT: start of the run
  // Sends heartbeats while no step does it; one slave that does not answer delays no other. Last: it uses the session.
  std::jthread heart_;
};

}  // namespace openmi::dcp
