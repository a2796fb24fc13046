#include "composition/state/ComponentState.hpp"

#include "composition/state/StateFile.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"

namespace openmi {
namespace {

constexpr std::string_view kSection = "component-state";

/// Clears a kept state when it is destroyed, also after an exception.
class Kept {
 public:
  Kept(IManageState& states, const IIdentifiable& id) : states_(states), id_(id) {}
  ~Kept() {
    try {
      states_.ClearState(id_);
    } catch (...) {  // the state stays in the component's memory; nothing else happens
    }
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  const IIdentifiable& Id() const { return id_; }

 private:
  IManageState& states_;
  const IIdentifiable& id_;
};

}  // namespace

bool KeepsState(IBaseLinkableComponent& component) {
  return dynamic_cast<IManageState*>(&component) != nullptr &&
         dynamic_cast<IByteStateConverter*>(&component) != nullptr && AbilityOf(component).as_bytes;
}

Bytes StateBytesOf(IBaseLinkableComponent& component) {
  auto& states = dynamic_cast<IManageState&>(component);
  const Kept kept(states, states.KeepCurrentState());
  const Bytes bytes = dynamic_cast<IByteStateConverter&>(component).ConvertToByteArray(kept.Id());
  return {bytes.begin(), bytes.end()};
}

void RestoreStateBytes(IBaseLinkableComponent& component, ByteView bytes) {
  auto& states = dynamic_cast<IManageState&>(component);
  const Kept kept(states, dynamic_cast<IByteStateConverter&>(component).ConvertFromByteArray(bytes));
  states.RestoreState(kept.Id());
}

std::string StateFileName(const std::string& component_id) {
  std::string name;
  for (const char letter : component_id) {
    if (letter == '/') {
      name += "%2F";
    } else if (letter == '%') {
      name += "%25";
    } else {
      name += letter;
    }
  }
  return name + ".state";
}

void WriteComponentState(const std::filesystem::path& path, IBaseLinkableComponent& component) {
  const std::vector<StateSection> sections = {{std::string(kSection), StateBytesOf(component)}};
  WriteStateFile(path, sections);
}

Bytes ReadComponentState(const std::filesystem::path& path) {
  return SectionNamed(ReadStateFile(path), kSection, path.string()).bytes;
}

}  // namespace openmi
