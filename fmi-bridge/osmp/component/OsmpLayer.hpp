#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/component/IFmuLayer.hpp"
#include "fmi-bridge/osmp/component/GroundTruth.hpp"
#include "fmi-bridge/osmp/component/MessagePorts.hpp"
#include "fmi-bridge/osmp/packaging/OsmpModel.hpp"

namespace openmi::osmp {

/// Adds the messages of an OSMP model to the component of an FMU: each binary variable becomes an item of bytes.
///
/// Inputs and outputs are items. A configuration, and the ground truth for the initialization, are arguments that name
/// a file, and inputs that may be linked. A configuration request is an output. A configuration that is not given is
/// made from the model's request, see AnswerRequest.
class OsmpLayer final : public fmi::IFmuLayer {
 public:
  /// \param description  borrowed
  OsmpLayer(const fmi::ModelDescription& description, OsmpModel model);

  bool Owns(fmi::Index variable) const override { return owned_[static_cast<std::size_t>(variable)]; }
  void AddArguments(ArgumentList& list) override;
  void MakeItems(const fmi::LayerHost& host) override;
  std::vector<std::string> Notes() const override;
  void Initializing(fmi::Instance& instance, double start, double step) override;
  void Initialized() override;
  void SetInputs(fmi::Instance& instance, Stamp to) override;
  void GetOutputs(fmi::Instance& instance, Stamp time) override;
  void End() override;
  void Save(StateWriter& writer) const override;
  void Load(StateReader& reader) override;

 private:
  enum class Check : std::uint8_t { None, First, Always };
  struct In {
    items::ValueInput* item = nullptr;
    std::size_t port = 0;
    bool was_checked = false;
  };
  struct Out {
    items::ValueOutput* item = nullptr;
    std::size_t port = 0;
    bool was_checked = false;
  };
  /// A binary parameter.
  struct Parameter {
    items::ValueInput* item = nullptr;
    Argument<std::string> file;
    std::size_t port = 0;
    std::vector<std::byte> bytes;  ///< the configuration, or the bytes of a parameter unknown to OSI
  };
  static bool HasFile(const Parameter& parameter) {
    return parameter.file.HasValue() && !parameter.file.Value().empty();
  }
  static Check CheckOf(const Argument<std::string>& argument);
  items::ValueInput& MakeInput(const BinaryVariable& variable);
  items::ValueOutput& MakeOutput(const BinaryVariable& variable);
  void CheckMessage(const BinaryVariable& variable, osi::Message message, bool& was_checked) const;
  void CheckGroundTruth(const BinaryVariable& variable, osi::Message message);
  /// The message of a linked item at the start of the run, else the content of the file; empty without either.
  osi::Message Given(Parameter& parameter);
  void TakeGroundTruth(Parameter& parameter);
  void Configure(Parameter& parameter, double start, double step);

  const fmi::ModelDescription& description_;
  OsmpModel model_;
  std::vector<bool> owned_;
  Argument<std::string> check_messages_;
  Argument<std::string> check_ground_truth_;
  std::vector<std::pair<const BinaryVariable*, Argument<std::string>>> files_;
  const fmi::LayerHost* making_ = nullptr;  // null except while items are made
  std::function<std::string(const std::string&)> path_of_;
  decltype(fmi::LayerHost::remark) remark_;
  std::string file_;  // path of the FMU
  const ISteps* steps_ = nullptr;

  MessagePorts input_ports_;
  std::vector<In> inputs_;
  std::vector<In*> linked_;
  MessagePorts output_ports_;
  std::vector<Out> outputs_;
  MessagePorts request_ports_;
  std::vector<Out> requests_;
  MessagePorts parameter_ports_;
  std::vector<Parameter> parameters_;
  std::shared_ptr<const GroundTruth> ground_truth_;
  std::shared_ptr<const SharedTruth> shared_truth_;
  Check messages_ = Check::First;
  Check ground_ = Check::First;
  bool shows_ = false;  // outputs show memory of the FMU
};

/// For fmi::LayerRegistration: makes a layer for an OSMP model.
/// \returns null for an FMU that is no OSMP model
std::unique_ptr<fmi::IFmuLayer> MakeOsmpLayer(const fmi::ModelDescription& description);

}  // namespace openmi::osmp
