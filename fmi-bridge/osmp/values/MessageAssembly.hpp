#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/fields/ObjectElements.hpp"
#include "fmi-bridge/osmp/values/OsiArguments.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/optional/IRemarks.hpp"

namespace openmi::osi {

/// A component that makes OSI messages of numbers and of other messages: `openmi.osi.Message` of the assembly
/// `openmi-osmp-bridge`.
///
/// Each field that the argument `fields` names is an input; the output `message` holds the bytes. So vehicle states
/// become a GroundTruth, and a GroundTruth becomes a part of a SensorView as the field `global_ground_truth`.
///
/// An object whose numbers are all missing is omitted. The time stamp is the time since the start of the run. Two
/// buffers are used in turn: a message stays readable until the second step after it. A host vehicle that is not among
/// the moving objects of the ground truth is reported in the remarks.
class MessageAssembly final : public StatefulSteppingComponent, public IRemarks {
 public:
  MessageAssembly();
  Problems Remarks() const override { return remarks_; }

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;
  int StateVersion() const override { return 2; }

 private:
  void Write(std::int64_t nanos);

  struct Port {
    NumericInput* numbers = nullptr;
    ValueInput* message = nullptr;
  };

  FieldArguments arguments_;
  std::shared_ptr<const Schema> schema_;
  std::vector<std::uint64_t> ids_;
  InterfaceVersion osi_version_;
  std::unique_ptr<FieldAssembly> assembly_;
  std::vector<Port> ports_;
  std::vector<std::span<const double>> columns_;
  std::vector<Message> messages_;
  ValueInput* base_ = nullptr;
  ValueOutput* output_ = nullptr;
  std::array<MessageWriter, 2> writers_;
  std::size_t turn_ = 0;
  Message shown_;
  bool has_looked_for_host_ = false;
  Problems remarks_;
};

}  // namespace openmi::osi
