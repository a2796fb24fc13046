#include "composition/link/SuppliedInput.hpp"

#include <limits>

namespace openmi {
namespace {

LinkSpec SpecFor(const ItemSpec& item) {
  LinkSpec spec;
  spec.from = {"(supplied)", item.Text()};
  spec.to = item;
  return spec;
}

}  // namespace

SuppliedInput::SuppliedInput(ITimeSpaceInput& input, std::size_t number, IBaseLinkableComponent* consumer,
                             const ItemSpec& item, SuppliedBetween between)
    : name_(item.Text()), spec_(SpecFor(item)), output_(input, between), link_(spec_) {
  link_.SetInstances(std::numeric_limits<std::size_t>::max(), number);
  link_.Begin(output_, input, consumer);
  link_.Finish();
}

}  // namespace openmi
