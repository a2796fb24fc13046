#include "fmi-bridge/osmp/fields/ObjectElements.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "openmi/sdk/Error.hpp"

namespace openmi::osi {

bool ObjectElements::Set(std::span<const std::uint64_t> ids) {
  if (std::ranges::equal(ids, ids_)) return false;
  ids_.assign(ids.begin(), ids.end());
  names_.clear();
  for (const std::uint64_t id : ids) {
    const auto [found, is_new] = known_.try_emplace(id, all_names_.size());
    if (is_new) all_names_.emplace_back(std::to_string(id));
    names_.push_back(&all_names_[found->second]);
  }
  ++version_;
  return true;
}

std::size_t ObjectElements::Checked(int index) const {
  if (index < 0 || static_cast<std::size_t>(index) >= ids_.size()) {
    throw RangeError({.item = Caption()}, fmt::format("expected an element from 0 to {}, found {}",
                                                      static_cast<std::ptrdiff_t>(ids_.size()) - 1, index));
  }
  return static_cast<std::size_t>(index);
}

double ObjectElements::Refuse(int index, int vertex) const {
  Checked(index);
  throw StateError({.item = Caption()},
                   fmt::format("expected elements with geometry, found ids only when asked for vertex {}", vertex));
}

const IIdentifiable* ObjectElements::GetElementId(int index) const {
  return names_[Checked(index)];
}

int ObjectElements::GetElementIndex(const IIdentifiable& element_id) const {
  const std::string& id = element_id.Id();
  const auto found = std::ranges::find_if(names_, [&](const Identifier* name) { return name->Id() == id; });
  return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
}

int ObjectElements::GetFaceCount(int index) const {
  return static_cast<int>(Refuse(index, 0));
}
std::vector<int> ObjectElements::GetFaceVertexIndices(int index, int) const {
  Refuse(index, 0);
  return {};
}
int ObjectElements::GetVertexCount(int index) const {
  return static_cast<int>(Refuse(index, 0));
}

}  // namespace openmi::osi
