#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/component/InitialMessages.hpp"
#include "openmi/sdk/EnumNames.hpp"

namespace openmi::osmp {

/// Adds the messages of an OSMP model to the component of an FMU: each binary variable becomes an item of bytes.
///
/// Inputs and outputs are items. A configuration, and the ground truth for the initialization, are arguments that name
/// a file, and inputs that may be linked. A configuration request is an output. A configuration that is not given is
/// made from the model's request, see InitialMessages.
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
  void ShowMissing(Stamp time) override;
  void End() override;
  void Save(StateWriter& writer) const override;
  void Load(StateReader& reader) override;

 private:
  enum class Check : std::uint8_t { None, First, Always };
  static constexpr EnumNames<Check> kChecks{"none", "first", "always"};
  /// An item of bytes that is a variable of the FMU.
  template <class Item>
  struct Bound {
    Item* item = nullptr;
    std::size_t port = 0;
    bool was_checked = false;
  };
  using In = Bound<ValueInput>;
  using Out = Bound<ValueOutput>;

  void CheckMessage(const BinaryVariable& variable, osi::Message message, bool& was_checked) const;
  void CheckGroundTruth(const BinaryVariable& variable, osi::Message message);

  const fmi::ModelDescription& description_;
  OsmpModel model_;
  std::vector<bool> owned_;
  Argument<std::string> check_messages_, check_ground_truth_;
  Check messages_ = Check::First;
  Check ground_ = Check::First;
  InitialMessages initial_;
  MessagePorts input_ports_;
  std::vector<In> inputs_;
  std::vector<In*> linked_;
  MessagePorts output_ports_;
  std::vector<Out> outputs_;
  bool shows_ = false;  // outputs show memory of the FMU
};

/// For fmi::LayerRegistration: makes a layer for an OSMP model.
/// \returns null for an FMU that is no OSMP model
std::unique_ptr<fmi::IFmuLayer> MakeOsmpLayer(const fmi::ModelDescription& description);

}  // namespace openmi::osmp
