#include "composition/check/TryInitialize.hpp"

#include <algorithm>

#include "composition/link/GivenArgument.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// Whether an argument that needs a value has none.
bool LacksArguments(const IBaseLinkableComponent& component) {
  return std::ranges::any_of(component.Arguments(), [](const IArgument* argument) {
    return !argument->IsOptional() && !argument->IsReadOnly() && argument->Value().IsEmpty();
  });
}

}  // namespace

void TryInitialize(IBaseLinkableComponent& component, const OmiFile& omi, Problems& problems) {
  const std::string id = component.Id();
  const auto prefix = [&component] {
    return std::string(LacksArguments(component) ? "initializes only with more arguments: "
                                                 : "does not initialize by itself: ");
  };
  try {
    component.Initialize();
  } catch (const Error& error) {
    Where where = error.Place();
    if (const OmiArgument* given = GivenArgument(error, omi.arguments, omi.Folder())) {
      std::string problem = error.Problem();
      if (!where.file.empty() && where.file != omi.path.string()) {
        problem = Error::Format({.file = where.file, .line = where.line}, problem, {});
      }
      AddError(problems, {.file = omi.path.string(), .line = given->line, .component = id, .item = given->key}, problem,
               error.Remedy());
      return;
    }
    if (where.file.empty()) where = {.file = omi.path.string(), .line = omi.line, .component = id, .item = where.item};
    AddWarning(problems, where, prefix() + error.Problem(), error.Remedy());
  } catch (const std::exception& error) {
    AddWarning(problems, {.file = omi.path.string(), .line = omi.line, .component = id}, prefix() + error.what());
  }
}

}  // namespace openmi
