#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "fmi-bridge/items/ValueItems.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi::fmi {

/// What a layer gets of the component that it belongs to.
struct LayerHost {
  IBaseLinkableComponent& component;
  const ISteps& steps;  ///< the same object
  std::function<items::ValueInput&(std::unique_ptr<items::ValueInput>)> take_input;
  std::function<items::ValueOutput&(std::unique_ptr<items::ValueOutput>)> take_output;
  std::function<std::string(const std::string&)> path_of;  ///< of a file that an argument names
  /// Reports what the run met and goes on with, for those who read its results; and writes it into the log of the FMU,
  /// if there is one.
  std::function<void(const std::string& item, const std::string& problem, const std::string& remedy)> remark;
  std::string file;                                        ///< of the FMU, for messages
};

/// What a standard upon FMI makes of variables of an FMU: it takes them away from the component, which makes neither
/// items nor arguments of them, and gives it items, arguments and calls of its own.
class IFmuLayer {
 public:
  virtual ~IFmuLayer() = default;

  virtual bool Owns(Index variable) const = 0;
  /// Adds arguments; those that are there already are kept.
  virtual void AddArguments(ArgumentList& list) = 0;
  /// Part of Initialize. \throws Error  the FMU cannot be used as it is
  virtual void MakeItems(const LayerHost& host) = 0;
  /// What `check` should say of arguments and links that can be used. After MakeItems, when the items are linked.
  virtual std::vector<std::string> Notes() const = 0;
  /// In initialization mode, when all start values are set.
  /// \param start  time of the FMU \param step  of communication, in s
  virtual void Initializing(Instance& instance, double start, double step) = 0;
  /// Initialization mode was left.
  virtual void Initialized() = 0;
  /// Asks the providers of linked inputs for values at `to`, and sets them, for the step that comes next.
  virtual void SetInputs(Instance& instance, Stamp to) = 0;
  /// Shows the outputs as they are at `time`.
  virtual void GetOutputs(Instance& instance, Stamp time) = 0;
  /// The instance goes: what outputs show must not lie in it any more.
  virtual void End() = 0;
  /// What is remembered beside the state of the instance.
  virtual void Save(StateWriter& writer) const = 0;
  virtual void Load(StateReader& reader) = 0;
};

/// Looks whether an FMU is one of its standard. \returns null where it is not
using LayerMaker = std::unique_ptr<IFmuLayer> (*)(const ModelDescription& description);

/// As long as it lives, components ask `maker` about every FMU. Kept by the library that brings the layer.
class LayerRegistration {
 public:
  explicit LayerRegistration(LayerMaker maker);
  ~LayerRegistration();
  LayerRegistration(const LayerRegistration&) = delete;
  LayerRegistration& operator=(const LayerRegistration&) = delete;

 private:
  LayerMaker maker_;
};

/// The layer for an FMU; null where it is an ordinary one.
/// \param description  outlives the layer
std::unique_ptr<IFmuLayer> MakeFmuLayer(const ModelDescription& description);

}  // namespace openmi::fmi
