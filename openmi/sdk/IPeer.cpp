#include "openmi/sdk/IPeer.hpp"

namespace openmi {

std::shared_ptr<PeerBoard::Shared> PeerBoard::Find(const std::type_info& type, std::unique_ptr<Shared> (*make)()) {
  const std::lock_guard lock(guard_);
  std::erase_if(shared_, [](const auto& entry) { return entry.second.expired(); });  // also of libraries that are gone
  std::weak_ptr<Shared>& entry = shared_[&type];
  std::shared_ptr<Shared> found = entry.lock();
  if (found == nullptr) entry = found = make();  // managed by code of this library, which stays loaded
  return found;
}

}  // namespace openmi
