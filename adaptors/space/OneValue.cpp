#include "adaptors/space/OneValue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "adaptors/base/AdaptorOffer.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi {

OneValue::OneValue(std::string id, IBaseOutput& adaptee) : RowAdaptor(std::move(id), adaptee) {
  static constexpr EnumNames<Way> kWays{"element", "sum", "mean", "minimum", "maximum"};
  of_ = AddArgument<Way>("of", {.caption = "which value",
                                .description = "that of one element, or one value of all elements together",
                                .names = kWays});
  element_ = ArgumentItems().AddPlain("element", {.caption = "id of the element", .description = "if 'of' is element"});
  if (!elements_.Take(AdapteeItems())) {
    throw LinkError(Place(), "expected an output with elements, found one without", "remove the adaptor");
  }
}

OneValue::Way OneValue::WayOf() const {
  if (!of_.HasValue()) {
    throw ArgumentError(Place(), "expected a value of the argument 'of', found none",
                        "set it to element, sum, mean, minimum or maximum");
  }
  return of_.Value();
}

std::size_t OneValue::IndexOf() const {
  const std::string wanted = TextOf(element_);
  if (const int index = elements_->GetElementIndex(Identifier(wanted)); index >= 0 && !wanted.empty()) {
    return static_cast<std::size_t>(index);
  }
  std::vector<std::string> ids;
  for (int i = 0; i < elements_->ElementCount(); ++i) {
    const IIdentifiable* id = elements_->GetElementId(i);
    if (id == nullptr) continue;
    if (id->Id() == wanted) return static_cast<std::size_t>(i);
    ids.push_back(id->Id());
  }
  throw ArgumentError(Place(), fmt::format("expected an element of the output in 'element', found '{}'", wanted),
                      Suggest(wanted, ids));
}

EffectOnAmount OneValue::StateEffect() const {
  switch (WayOf()) {
    case Way::Element:
      return {.elements = EffectOnAmount::Elements::One, .element = IndexOf()};
    case Way::Sum:
      return {.elements = EffectOnAmount::Elements::Sum};
    case Way::Mean:
      return EffectOnAmount::Unknown("gives the mean of all elements");
    default:
      return EffectOnAmount::Unknown("gives an extreme of all elements");
  }
}

void OneValue::Check() {
  if (WayOf() == Way::Element) static_cast<void>(IndexOf());
}

std::vector<std::string> OneValue::Notes() const {
  const IQuantity* quantity = QuantityOf(AdapteeItems());
  if ((WayOf() != Way::Sum && WayOf() != Way::Mean) || quantity == nullptr) return {};
  const IDimension& dimension = quantity->Unit().Dimension();
  // Volumes, masses and flows of elements add up to that of the whole; depths, levels and concentrations do not.
  const bool adds_up =
      dimension.GetPower(DimensionBase::Length) == 3.0 ||
      (dimension.GetPower(DimensionBase::Mass) == 1.0 && dimension.GetPower(DimensionBase::Length) == 0.0);
  if (WayOf() == Way::Mean) {
    if (!adds_up) return {};
    return {
        fmt::format("gives the mean of values in '{}', which may be amounts of each element: the total is not kept; "
                    "for a total set 'of' to sum",
                    quantity->Unit().Caption())};
  }
  if (adds_up) return {};
  return {fmt::format("adds up values in '{}', which may be no amounts", quantity->Unit().Caption())};
}

void OneValue::ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool) {
  if (elements_.Replace(before, after, &AdapteeItems())) version_ = -1;
}

void OneValue::OnInitialize() {
  way_ = WayOf();
}

void OneValue::Map(std::span<const double> in, Days, std::span<double> out) {
  if (in.empty()) throw LinkError(Place(), "expected a value for each element, found none");
  double& value = out.front();
  if (way_ == Way::Element) {
    if (!elements_.AreShownBy(AdapteeItems())) {
      version_ = -1;
      if (!elements_.Take(AdapteeItems()))
        throw LinkError(Place(), "expected an output with elements, found one without");
    }
    if (elements_->Version() != version_) {
      index_ = IndexOf();
      version_ = elements_->Version();
    }
    if (index_ >= in.size()) {
      throw LinkError(Place(), fmt::format("expected more than {} values, found {}", index_, in.size()));
    }
    value = in[index_];
    return;
  }
  const double missing = Missing();
  if (std::ranges::any_of(in, [missing](double one) { return IsMissing(one, missing); })) {
    value = missing;
    return;
  }
  switch (way_) {
    case Way::Minimum:
      value = *std::ranges::min_element(in);
      break;
    case Way::Maximum:
      value = *std::ranges::max_element(in);
      break;
    default:
      value = 0.0;
      for (const double one : in) value += one;
      if (way_ == Way::Mean) value /= static_cast<double>(in.size());
  }
}

}  // namespace openmi
