#include "adaptors/space/TimesElementArea.hpp"

#include <fmt/format.h>

#include "adaptors/base/DerivedQuantity.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

TimesElementArea::TimesElementArea(std::string id, IBaseOutput& adaptee)
    : RowAdaptor(id, adaptee, DerivedQuantity(id, adaptee, {{DimensionBase::Length, 2.0}}, "m2")) {
  attribute_ = ArgumentItems().AddPlain(
      "attribute", {.caption = "attribute of the elements that holds their area", .value = "area"});
  TakeElements();
}

void TimesElementArea::TakeElements() const {
  if (elements_.Take(AdapteeItems())) return;
  throw LinkError(Place(), "expected an output with elements that have an area, found one without elements");
}

const ElementAreas& TimesElementArea::Renew() const {
  const std::string attribute = attribute_.Value();
  if (ElementsChanged() || attribute != read_attribute_) {
    if (!elements_.AreShownBy(AdapteeItems())) TakeElements();
    areas_ = AreasOf(Place().item, *elements_, attribute);
    version_ = elements_->Version();
    read_attribute_ = attribute;
  }
  return areas_;
}

void TimesElementArea::ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool moved) {
  const IElementSet* used = elements_.Get();
  if (!elements_.Replace(before, after, &AdapteeItems())) return;
  version_ = moved || used != &before ? -1 : elements_->Version();
}

void TimesElementArea::OnInitialize() {
  factors_ = Renew().square_metres;
}

void TimesElementArea::Map(std::span<const double> in, Days, std::span<double> out) {
  if (ElementsChanged()) factors_ = Renew().square_metres;
  if (in.size() != factors_.size()) {
    throw LinkError(Place(), fmt::format("expected {} values, found {}", factors_.size(), in.size()));
  }
  const double missing = Missing();
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = IsMissing(in[i], missing) ? missing : in[i] * factors_[i];
}

}  // namespace openmi
