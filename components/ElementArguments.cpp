#include "components/ElementArguments.hpp"

#include <vector>

#include "openmi/sdk/Lists.hpp"

namespace openmi {

void ElementArguments::AddTo(ArgumentList& arguments) {
  ids_ = arguments.AddPlain("elements", {.caption = "ids of the elements", .description = "between commas"});
  source_.AddTo(arguments, "those that elements names, else all");
}

std::shared_ptr<const ElementSet> ElementArguments::Elements(
    const std::string& caption, const std::function<std::string(const std::string&)>& path_of) const {
  const std::vector<std::string> wanted = Split(TextOf(ids_), ",");
  if (!source_.IsGiven()) {
    if (wanted.empty()) return nullptr;
    return std::make_shared<const ElementSet>(ElementSet::IdBased(caption, wanted));
  }
  ElementSet all = source_.Read(path_of);
  return std::make_shared<const ElementSet>(wanted.empty() ? std::move(all) : source_.Chosen(all, wanted));
}

}  // namespace openmi
