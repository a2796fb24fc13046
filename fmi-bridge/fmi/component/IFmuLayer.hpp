#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/items/ValueItems.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::fmi {

/// What a layer receives from its component.
struct LayerHost {
  /// Adds an item: its id, definition, elements and description.
  template <class Item>
  using Adder = std::function<Item&(std::string, std::unique_ptr<const IValueDefinition>,
                                    std::shared_ptr<const ISpatialDefinition>, std::string)>;

  const ISteps& steps;  ///< the component
  Adder<ValueInput> add_input;
  Adder<ValueOutput> add_output;
  std::function<std::string(const std::string&)> path_of;  ///< path of a file that an argument names
  /// Reports an event of the run that the run survived, for readers of its results; also writes it to the log of the
  /// FMU, if there is one.
  std::function<void(const std::string& item, const std::string& problem, const std::string& remedy)> remark;
  std::string file;             ///< file of the FMU, for messages
  bool is_for_windows = false;  ///< its library is
};

/// A layer for a standard based on FMI. It manages some variables of an FMU.
///
/// The component makes no items and arguments for these variables; the layer provides items, arguments and calls for
/// them.
class IFmuLayer {
 public:
  virtual ~IFmuLayer() = default;

  /// Whether the layer manages this variable.
  /// \param variable  index in ModelDescription::variables
  virtual bool Owns(Index variable) const = 0;
  /// Adds arguments; existing ones are kept.
  virtual void AddArguments(ArgumentList& list) = 0;
  /// Makes the items. Called in Initialize.
  /// \throws Error  the FMU cannot be used as it is
  virtual void MakeItems(const LayerHost& host) = 0;
  /// Notes for `check` on arguments and links that can be used. Called after MakeItems, when the items are linked.
  virtual std::vector<std::string> Notes() const = 0;
  /// Called in initialization mode, after all start values have been set.
  /// \param start  time of the FMU
  /// \param step   communication step in s
  virtual void Initializing(Instance& instance, double start, double step) = 0;
  /// Called after initialization mode was left.
  virtual void Initialized() = 0;
  /// Requests the values of linked inputs at `to` from the providers, and sets them for the next step.
  virtual void SetInputs(Instance& instance, Stamp to) = 0;
  /// Shows the values of the outputs at `time`.
  virtual void GetOutputs(Instance& instance, Stamp time) = 0;
  /// Shows at `time` that the outputs have no values any more: the FMU ended the simulation.
  virtual void ShowMissing(Stamp time) = 0;
  /// Called before the instance is freed: outputs must not show its memory any more.
  virtual void End() = 0;
  /// Writes what must be kept in addition to the state of the instance.
  virtual void Save(StateWriter& writer) const = 0;
  /// Reads what Save wrote.
  virtual void Load(StateReader& reader) = 0;
};

/// Makes the layer for an FMU of its standard.
/// \returns null if the FMU is not of that standard
using LayerMaker = std::unique_ptr<IFmuLayer> (*)(const ModelDescription& description);

/// While this object lives, components call `maker` for every FMU. The library of the layer holds it.
class LayerRegistration {
 public:
  explicit LayerRegistration(LayerMaker maker);
  ~LayerRegistration();
  LayerRegistration(const LayerRegistration&) = delete;
  LayerRegistration& operator=(const LayerRegistration&) = delete;

 private:
  LayerMaker maker_;
};

/// The layer for an FMU; null if no layer applies.
/// \param description  must outlive the layer
std::unique_ptr<IFmuLayer> MakeFmuLayer(const ModelDescription& description);

}  // namespace openmi::fmi
