#include "fmi-bridge/osmp/schema/LinkedMessage.hpp"

#include <fmt/format.h>

#include "fmi-bridge/osmp/schema/Schema.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseOutput.hpp"

namespace openmi::osi {

std::string MessageTypeOf(const IValueDefinition& definition) {
  std::string type = definition.Caption();
  if (type.starts_with("OSI ")) type.erase(0, 4);
  return type;
}

void RequireLinkedMessage(const IBaseInput& input) {
  RequireLinkedMessage(input, MessageTypeOf(input.ValueDefinition()));
}

void RequireLinkedMessage(const IBaseInput& input, const std::string& message) {
  const IBaseOutput* provider = input.Provider();
  if (provider == nullptr || message.empty()) return;
  const std::string said = MessageTypeOf(provider->ValueDefinition());
  if (said == message || Schema::Subset().Find(said) == nullptr) return;
  throw LinkError(
      {.item = input.Id()},
      fmt::format("expected messages of type {}, found '{}', which gives {}", message, provider->Id(), said),
      fmt::format("link an output that gives {}, or put one together with openmi.osi.Message", message));
}

}  // namespace openmi::osi
