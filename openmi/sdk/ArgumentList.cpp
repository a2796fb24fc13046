#include "openmi/sdk/ArgumentList.hpp"

#include "openmi/sdk/Error.hpp"

namespace openmi {

ArgumentItem& ArgumentList::Take(std::unique_ptr<ArgumentItem> item) {
  if (Find(item->Id()) != nullptr) {
    throw ArgumentError({.component = owner_, .item = item->Id()}, "expected an id of its own, found one that is taken",
                        "rename one of the two arguments");
  }
  item->SetOwner(owner_);
  ArgumentItem& taken = *item;
  items_.push_back(std::move(item));
  list_.push_back(&taken);
  return taken;
}

ArgumentItem* ArgumentList::Find(const std::string& id) const {
  for (const auto& item : items_) {
    if (item->IdText() == id) return item.get();
  }
  return nullptr;
}

void ArgumentList::SetOwner(const std::string& owner) {
  owner_ = owner;
  for (const auto& item : items_) item->SetOwner(owner);
}

void ArgumentList::RequireValues() const {
  for (const auto& item : items_) {
    if (!item->IsOptional() && !item->HasValue()) item->ThrowMissing();
  }
}

}  // namespace openmi
