#include "fmi-bridge/items/ItemDefinitions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "openmi/sdk/Described.hpp"
#include "timespace/ElementSet.hpp"

namespace openmi::items {
namespace {

/// Values that are neither numbers nor categories.
class PlainDefinition final : public DescribedAs<IValueDefinition> {
 public:
  PlainDefinition(const std::string& caption, ValueKind kind) : kind_(kind) { SetCaption(caption); }
  Value MissingDataValue() const override { return {}; }
  openmi::ValueType ValueType() const override { return {kind_, nullptr}; }

 private:
  ValueKind kind_;
};

}  // namespace

std::unique_ptr<const IValueDefinition> PlainDefinitionOf(const std::string& caption, ValueKind kind) {
  return std::make_unique<PlainDefinition>(caption, kind);
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
