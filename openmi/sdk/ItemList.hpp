#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IBaseOutput.hpp"
#include "openmi/standard/LinkableComponentStatus.hpp"

namespace openmi::detail {

/// The exchange items of one component. Those made by the constructor stay; those made while it initializes are dropped
/// when it initializes again.
class ItemList {
 public:
  void Take(std::unique_ptr<IBaseInput> input, LinkableComponentStatus status);
  void Take(std::unique_ptr<IBaseOutput> output, LinkableComponentStatus status);
  std::span<IBaseInput* const> Inputs() const { return inputs_; }
  std::span<IBaseOutput* const> Outputs() const { return outputs_; }
  /// Drops the items of an earlier run.
  void BeginRun();
  /// \throws ArgumentError  two inputs or two outputs share an id, or one has none
  void RequireUniqueIds(const std::string& component) const;

 private:
  std::vector<std::unique_ptr<IBaseInput>> owned_inputs_;
  std::vector<std::unique_ptr<IBaseOutput>> owned_outputs_;
  std::vector<IBaseInput*> inputs_;
  std::vector<IBaseOutput*> outputs_;
  std::size_t lasting_inputs_ = 0;
  std::size_t lasting_outputs_ = 0;
};

/// Initializes all adapted outputs below `output`, the adaptee's before those that stand on it.
void InitializeAdaptedOutputs(IBaseOutput& output);

/// `path` as it is if absolute, else below `folder` (where that is not empty).
std::string PathUnder(const std::string& folder, const std::string& path);

}  // namespace openmi::detail
