#include <algorithm>
#include <mutex>

#include "fmi-bridge/fmi/component/IFmuLayer.hpp"

namespace openmi::fmi {
namespace {

struct Makers {
  std::mutex mutex;
  std::vector<LayerMaker> list;
};

Makers& TheMakers() {
  static Makers& makers = *new Makers;  // never destroyed: libraries may be unloaded after other statics are destroyed
  return makers;
}

}  // namespace

LayerRegistration::LayerRegistration(LayerMaker maker) : maker_(maker) {
  const std::lock_guard lock(TheMakers().mutex);
  TheMakers().list.push_back(maker);
}

LayerRegistration::~LayerRegistration() {
  const std::lock_guard lock(TheMakers().mutex);
  std::vector<LayerMaker>& list = TheMakers().list;
  if (const auto found = std::ranges::find(list, maker_); found != list.end()) list.erase(found);
}

std::unique_ptr<IFmuLayer> MakeFmuLayer(const ModelDescription& description) {
  const std::lock_guard lock(TheMakers().mutex);
  for (const LayerMaker maker : TheMakers().list) {
    if (std::unique_ptr<IFmuLayer> layer = maker(description)) return layer;
  }
  return nullptr;
}

}  // namespace openmi::fmi
