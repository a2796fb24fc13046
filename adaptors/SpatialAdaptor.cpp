#include "adaptors/SpatialAdaptor.hpp"

#include <fmt/format.h>

#include "adaptors/DerivedQuantity.hpp"
#include "adaptors/Geometry.hpp"
#include "adaptors/kernels/NearestPoints.hpp"
#include "adaptors/kernels/PolygonWeights.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"

namespace openmi {
namespace {

SparseRows WeightsById(const std::string& adaptor, const IElementSet& source, const IElementSet& target) {
  SparseRows weights(static_cast<std::size_t>(source.ElementCount()));
  for (int element = 0; element < target.ElementCount(); ++element) {
    const IIdentifiable* id = target.GetElementId(element);
    const int found = id != nullptr ? source.GetElementIndex(*id) : -1;
    if (found < 0) {
      std::vector<std::string> ids;
      for (int i = 0; i < source.ElementCount() && i < 1000; ++i) {
        const IIdentifiable* known = source.GetElementId(i);
        if (known != nullptr) ids.push_back(known->Id());
      }
      const std::string text = id != nullptr ? id->Id() : "(no id)";
      throw LinkError({.item = adaptor},
                      fmt::format("expected each target element among the sources, found no source '{}'", text),
                      Suggest(text, ids));
    }
    const SparseRows::Entry entry{static_cast<std::uint32_t>(found), 1.0};
    weights.AddRow(std::span(&entry, 1));
  }
  return weights;
}

}  // namespace

SpatialAdaptor::SpatialAdaptor(std::string id, IBaseOutput& adaptee, const IBaseInput* target, SpatialMethod method)
    : RowAdaptor(std::move(id), adaptee), method_(method) {
  missing_sources_ = AddArgument<std::string>(
      "missing",
      {.caption = "what a missing source does", .value = "propagate", .possible_values = {"propagate", "renormalise"}});
  uncovered_policy_ = AddArgument<std::string>(
      "uncovered",
      {.caption = "targets that no source reaches", .value = "error", .possible_values = {"error", "missing"}});
  const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(target);
  target_ = item != nullptr ? dynamic_cast<const IElementSet*>(item->SpatialDefinition()) : nullptr;
  source_ = dynamic_cast<const IElementSet*>(AdapteeItems().SpatialDefinition());
  if (source_ == nullptr) {
    throw LinkError(Place(), fmt::format("expected an output with elements, found '{}' without", adaptee.Id()));
  }
  if (target_ == nullptr) {
    throw LinkError(Place(), "expected a target with elements to map to, found none",
                    "link to an input with an element set");
  }
  MakeWeights();
}

void SpatialAdaptor::MakeWeights() {
  source_version_ = source_->Version();
  target_version_ = target_->Version();
  covered_.clear();
  covered_targets_.clear();
  const std::string place = Place().item;
  switch (method_) {
    case SpatialMethod::ById:
      weights_ = WeightsById(place, *source_, *target_);
      break;
    case SpatialMethod::Nearest:
      weights_ = NearestWeights(RepresentativePoints(place, *source_), RepresentativePoints(place, *target_));
      break;
    case SpatialMethod::AreaWeightedMean:
    case SpatialMethod::AreaWeightedSum: {
      const PolygonPair polygons = InOnePlane(place, *source_, *target_);
      PolygonOverlaps overlaps = FindOverlaps(polygons.source.View(), polygons.target.View());
      covered_ = overlaps.areas.ColumnSums();
      covered_targets_ = overlaps.areas.RowSums();
      weights_ =
          MakePolygonWeights(std::move(overlaps), method_ == SpatialMethod::AreaWeightedMean ? PolygonWeightKind::Mean
                                                                                             : PolygonWeightKind::Sum);
      break;
    }
  }
  uncovered_ = weights_.UntouchedRows();
}

void SpatialAdaptor::OnInitialize() {
  options_.missing = Missing();
  options_.sources =
      missing_sources_.Value() == "renormalise" ? MissingSources::Renormalise : MissingSources::Propagate;
  RequireSources();
}

void SpatialAdaptor::RequireSources() const {
  if (uncovered_.empty() || uncovered_policy_.Value() != "error") return;
  std::string ids;
  for (std::size_t i = 0; i < uncovered_.size() && i < 10; ++i) {
    const IIdentifiable* id = target_->GetElementId(static_cast<int>(uncovered_[i]));
    ids += (i > 0 ? ", " : "") + (id != nullptr ? id->Id() : fmt::format("#{}", uncovered_[i]));
  }
  throw LinkError(Place(),
                  fmt::format("expected a source for each of {} elements, found none for {}: {}{}", weights_.Rows(),
                              uncovered_.size(), ids, uncovered_.size() > 10 ? ", ..." : ""),
                  "set the argument uncovered to missing, or extend the sources");
}

std::size_t SpatialAdaptor::OutWidth(std::size_t) {
  if (source_->Version() != source_version_ || target_->Version() != target_version_) {
    MakeWeights();
    RequireSources();
  }
  return weights_.Rows();
}

void SpatialAdaptor::Map(std::span<const double> in, Days, std::span<double> out) {
  if (in.size() != weights_.Columns()) {
    throw LinkError(Place(), fmt::format("expected {} values, found {}", weights_.Columns(), in.size()));
  }
  weights_.Apply(in, out, options_);
}

TimesElementArea::TimesElementArea(std::string id, IBaseOutput& adaptee)
    : RowAdaptor(id, adaptee, DerivedQuantity(id, adaptee, {{DimensionBase::Length, 2.0}}, "m2")) {
  attribute_ = AddArgument<std::string>(
      "attribute", {.caption = "attribute of the elements that holds their area", .value = "area"});
  elements_ = dynamic_cast<const IElementSet*>(AdapteeItems().SpatialDefinition());
  if (elements_ == nullptr) {
    throw LinkError(Place(), "expected an output with elements that have an area, found one without elements");
  }
}

const ElementAreas& TimesElementArea::Renew() const {
  const std::string attribute = attribute_.Value();
  if (elements_->Version() != version_ || attribute != read_attribute_) {
    areas_ = AreasOf(Place().item, *elements_, attribute);
    version_ = elements_->Version();
    read_attribute_ = attribute;
  }
  return areas_;
}

void TimesElementArea::OnInitialize() {
  factors_ = Renew().square_metres;
}

void TimesElementArea::Map(std::span<const double> in, Days, std::span<double> out) {
  if (elements_->Version() != version_) factors_ = Renew().square_metres;
  if (in.size() != factors_.size()) {
    throw LinkError(Place(), fmt::format("expected {} values, found {}", factors_.size(), in.size()));
  }
  const double missing = Missing();
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = IsMissing(in[i], missing) ? missing : in[i] * factors_[i];
}

}  // namespace openmi
