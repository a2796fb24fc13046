#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IBaseOutput.hpp"
#include "openmi/standard/LinkableComponentStatus.hpp"

namespace openmi::detail {

/// The exchange items of one component.
///
/// Items that the constructor makes stay. Items that the component makes while it initializes are destroyed when it
/// initializes again.
class ItemList {
 public:
  /// Takes ownership of an item.
  /// \param status  the present status of the component: Created for items of the constructor
  void Take(std::unique_ptr<IBaseInput> input, LinkableComponentStatus status);
  void Take(std::unique_ptr<IBaseOutput> output, LinkableComponentStatus status);
  std::span<IBaseInput* const> Inputs() const { return inputs_; }
  std::span<IBaseOutput* const> Outputs() const { return outputs_; }
  /// Destroys the items of an earlier run.
  void BeginRun();
  /// Checks the ids of all items.
  /// \param component  the name for messages
  /// \throws ArgumentError  two inputs or two outputs share an id, or an item has none
  void RequireUniqueIds(const std::string& component) const;

 private:
  std::vector<std::unique_ptr<IBaseInput>> owned_inputs_;
  std::vector<std::unique_ptr<IBaseOutput>> owned_outputs_;
  std::vector<IBaseInput*> inputs_;
  std::vector<IBaseOutput*> outputs_;
  std::size_t lasting_inputs_ = 0;
  std::size_t lasting_outputs_ = 0;
};

/// Initializes all adapted outputs on `output`: an adaptee before the adapted outputs on it.
void InitializeAdaptedOutputs(IBaseOutput& output);

/// `path` when it is absolute, else `path` in `folder`; an empty `folder` changes nothing.
std::string PathUnder(const std::string& folder, const std::string& path);

}  // namespace openmi::detail
