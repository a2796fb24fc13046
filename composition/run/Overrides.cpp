#include "composition/run/Overrides.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {

std::string RowText(std::span<const double> row) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(row.size(), kMost); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", row[i]);
  return row.size() > kMost ? text + fmt::format(" and {} more", row.size() - kMost) : text;
}

bool Overrides::IsInput(const ItemSpec& item) const {
  const auto index = composition_.IndexOf(item.component);
  if (!index || composition_.Instances()[*index].IsFrozen()) return false;
  const auto inputs = composition_.Instances()[*index].Component().Inputs();
  return std::ranges::any_of(inputs, [&](const IBaseInput* input) { return input->Id() == item.item; });
}

std::vector<InputProxy*> Overrides::EndsOf(const ItemSpec& item) const {
  std::vector<InputProxy*> ends;
  std::vector<std::string> known;
  const std::string name = item.Text();
  for (Link* link : composition_.EveryLink()) {
    if (link->End() == nullptr) continue;
    const LinkSpec& spec = link->Spec();
    if (spec.to.Text() == name || spec.from.Text() == name) ends.push_back(link->End());
    known.push_back(spec.to.Text());
    known.push_back(spec.from.Text());
  }
  if (ends.empty() && IsInput(item)) {
    throw ArgumentError({.file = composition_.File().path.string()},
                        fmt::format("expected an item of a link, found the input {} without one", Quoted(name)),
                        fmt::format("supply its values from the start of the run: openmi run --supply {0}=VALUE, "
                                    "start(supply={{\"{0}\": \"previous\"}}) in Python, SupplyInput in C++",
                                    name));
  }
  if (ends.empty()) {
    throw ArgumentError({.file = composition_.File().path.string()},
                        fmt::format("expected an item of a link, found '{}'", name),
                        known.empty() ? "link the input to an openmi.Constant, or let the program supply its values"
                                      : Suggest(name, known));
  }
  return ends;
}

void Overrides::Set(const ItemSpec& item, std::span<const double> row) {
  const std::vector<InputProxy*> ends = EndsOf(item);
  std::vector<std::vector<double>> before;
  for (const InputProxy* end : ends) before.emplace_back(end->Override().begin(), end->Override().end());
  std::size_t done = 0;
  try {
    for (; done < ends.size(); ++done) {
      const ISpatialDefinition* where = ends[done]->Consumer().SpatialDefinition();
      const std::size_t elements = where != nullptr ? static_cast<std::size_t>(where->ElementCount()) : 1;
      if (row.size() == 1 && elements > 1) {
        ends[done]->SetOverride(std::vector<double>(elements, row[0]));
      } else {
        ends[done]->SetOverride(row);
      }
    }
  } catch (...) {  // all links or none
    for (std::size_t i = 0; i < done; ++i) {
      if (before[i].empty()) {
        ends[i]->FreeOverride();
      } else {
        ends[i]->SetOverride(before[i]);
      }
    }
    throw;
  }
}

void Overrides::Free(const ItemSpec& item) {
  for (InputProxy* end : EndsOf(item)) end->FreeOverride();
}

std::vector<OverrideInfo> Overrides::All() const {
  std::vector<OverrideInfo> all;
  for (const Link* link : composition_.EveryLink()) {
    if (link->End() == nullptr || link->End()->Override().empty()) continue;
    all.push_back({&link->Spec(), {link->End()->Override().begin(), link->End()->Override().end()}});
  }
  return all;
}

}  // namespace openmi
