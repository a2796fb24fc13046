#include "fmi-bridge/common/items/ItemDefinitions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "openmi/sdk/PlainDefinition.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi::items {

std::unique_ptr<const IValueDefinition> PlainDefinitionOf(const std::string& caption, ValueKind kind,
                                                          const std::string& message_type) {
  auto definition = std::make_unique<PlainDefinition>(ValueType{kind, nullptr}, Value(), message_type);
  definition->SetCaption(caption);
  return definition;
}

std::vector<std::string> ElementNames(const std::string& name, const std::vector<std::size_t>& sizes) {
  std::size_t count = 1;
  for (const std::size_t size : sizes) count *= size;
  std::vector<std::string> names;
  names.reserve(count);
  std::vector<std::size_t> at(sizes.size(), 1);
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(fmt::format("{}[{}]", name, fmt::join(at, ",")));
    for (std::size_t d = sizes.size(); d-- > 0;) {
      if (++at[d] <= sizes[d]) break;
      at[d] = 1;
    }
  }
  return names;
}

std::shared_ptr<const ISpatialDefinition> ArrayElements(const std::string& name,
                                                        const std::vector<std::size_t>& sizes) {
  if (sizes.empty()) return nullptr;
  return std::make_shared<ElementSet>(ElementSet::IdBased(name, ElementNames(name, sizes)));
}

}  // namespace openmi::items
