#include "openmi/sdk/ItemList.hpp"

#include <filesystem>
#include <set>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseAdaptedOutput.hpp"

namespace openmi::detail {
namespace {

template <class Item>
void RequireUnique(std::span<Item* const> items, const char* kind, const std::string& component) {
  std::set<std::string> seen;
  for (const Item* item : items) {
    if (item->Id().empty()) {
      throw ArgumentError({.component = component},
                          std::string("expected an id for each ") + kind + ", found an empty one", "name the item");
    }
    if (!seen.insert(item->Id()).second) {
      throw ArgumentError({.component = component, .item = item->Id()},
                          std::string("expected an id of its own for each ") + kind + ", found it twice", "rename one");
    }
  }
}

}  // namespace

void ItemList::Take(std::unique_ptr<IBaseInput> input, LinkableComponentStatus status) {
  inputs_.push_back(input.get());
  owned_inputs_.push_back(std::move(input));
  if (status == LinkableComponentStatus::Created) lasting_inputs_ = inputs_.size();
}

void ItemList::Take(std::unique_ptr<IBaseOutput> output, LinkableComponentStatus status) {
  outputs_.push_back(output.get());
  owned_outputs_.push_back(std::move(output));
  if (status == LinkableComponentStatus::Created) lasting_outputs_ = outputs_.size();
}

void ItemList::BeginRun() {
  inputs_.resize(lasting_inputs_);
  outputs_.resize(lasting_outputs_);
  owned_inputs_.resize(lasting_inputs_);
  owned_outputs_.resize(lasting_outputs_);
}

void ItemList::RequireUniqueIds(const std::string& component) const {
  RequireUnique(Inputs(), "input", component);
  RequireUnique(Outputs(), "output", component);
}

void InitializeAdaptedOutputs(IBaseOutput& output) {
  // By index: an adapted output may register another one while it initializes.
  for (std::size_t i = 0; i < output.AdaptedOutputs().size(); ++i) {
    IBaseAdaptedOutput* adapted = output.AdaptedOutputs()[i];
    adapted->Initialize();
    InitializeAdaptedOutputs(*adapted);
  }
}

std::string PathUnder(const std::string& folder, const std::string& path) {
  const std::filesystem::path given(path);
  if (given.is_absolute() || folder.empty()) return path;
  return (std::filesystem::path(folder) / given).lexically_normal().string();
}

}  // namespace openmi::detail
