#include "fmi-bridge/dcp/protocol/description/Element.hpp"

#include <algorithm>

#include "openmi/sdk/Suggest.hpp"

namespace openmi::dcp {

void CheckChildren(const XmlElement& parent, std::span<const std::string_view> once, std::string_view many,
                   described::Report& report) {
  std::vector<const XmlElement*> first(once.size(), nullptr);
  std::size_t rank = 0;
  for (const XmlElement& child : parent.children) {
    const auto found = std::ranges::find(once, child.name);
    if (found == once.end()) {
      if (!many.empty() && child.name == many) {
        rank = once.size();
        continue;
      }
      if (report.IsFull()) continue;
      std::vector<std::string> names(once.begin(), once.end());
      if (!many.empty()) names.emplace_back(many);
      report.Error(child.line, {},
                   fmt::format("expected an element that is allowed in {}, found {}", parent.name, Quoted(child.name)),
                   Suggest(child.name, names));
      continue;
    }
    const auto at = static_cast<std::size_t>(found - once.begin());
    if (first[at] != nullptr) {
      report.Error(child.line, {},
                   fmt::format("expected one {} in {}, found another; the first is on line {}", child.name, parent.name,
                               first[at]->line),
                   "join the two into one");
      continue;
    }
    first[at] = &child;
    if (at < rank) {
      std::string before = rank < once.size() ? std::string(once[rank]) : std::string(many);
      report.Error(child.line, {},
                   fmt::format("expected {} before {} in {}, found it after", child.name, before, parent.name),
                   fmt::format("move {} in front of {}", child.name, before));
    }
    rank = std::max(rank, at);
  }
}

}  // namespace openmi::dcp
