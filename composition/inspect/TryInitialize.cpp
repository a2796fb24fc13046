#include "composition/inspect/TryInitialize.hpp"

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr const char* kPrefix = "initializes only with more arguments: ";

}  // namespace

void TryInitialize(IBaseLinkableComponent& component, const Where& where, Problems& problems) {
  try {
    component.Initialize();
  } catch (const Error& error) {
    AddWarning(problems, error.Place().file.empty() ? where : error.Place(), kPrefix + error.Problem(), error.Remedy());
  } catch (const std::exception& error) {
    AddWarning(problems, where, std::string(kPrefix) + error.what());
  }
}

}  // namespace openmi
