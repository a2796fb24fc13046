#include "adaptors/SpatialAdaptor.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"

namespace openmi {

SpatialAdaptor::SpatialAdaptor(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
    : RowAdaptor(std::move(id), adaptee) {
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
}

bool SpatialAdaptor::ElementsChanged() const {
  return source_->Version() != source_version_ || target_->Version() != target_version_;
}

const SpatialMapping& SpatialAdaptor::Renew() const {
  std::string arguments;
  for (const IArgument* argument : Arguments()) arguments += argument->ValueAsString() + '\n';
  if (made_ && !ElementsChanged() && arguments == arguments_made_with_) return mapping_;
  const int source_version = source_->Version();
  const int target_version = target_->Version();
  mapping_ = MakeMapping(*source_, *target_);
  uncovered_ = mapping_.weights.UntouchedRows();
  made_ = true;
  source_version_ = source_version;
  target_version_ = target_version;
  arguments_made_with_ = std::move(arguments);
  return mapping_;
}

const std::vector<std::size_t>& SpatialAdaptor::UncoveredTargets() const {
  Renew();
  return uncovered_;
}

void SpatialAdaptor::Check() {
  Renew();
  RequireSources();
}

void SpatialAdaptor::OnInitialize() {
  options_.missing = Missing();
  options_.sources =
      missing_sources_.Value() == "renormalise" ? MissingSources::Renormalise : MissingSources::Propagate;
  Check();
}

void SpatialAdaptor::RequireSources() const {
  if (uncovered_.empty() || uncovered_policy_.Value() != "error") return;
  std::string ids;
  for (std::size_t i = 0; i < uncovered_.size() && i < 10; ++i) {
    const IIdentifiable* id = target_->GetElementId(static_cast<int>(uncovered_[i]));
    ids += (i > 0 ? ", " : "") + (id != nullptr ? id->Id() : fmt::format("#{}", uncovered_[i]));
  }
  throw LinkError(Place(),
                  fmt::format("expected a source for each of {} elements, found none for {}: {}{}",
                              mapping_.weights.Rows(), uncovered_.size(), ids, uncovered_.size() > 10 ? ", ..." : ""),
                  "set the argument uncovered to missing, or extend the sources");
}

std::size_t SpatialAdaptor::OutWidth(std::size_t) {
  if (ElementsChanged()) Check();
  return mapping_.weights.Rows();
}

void SpatialAdaptor::ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool moved) {
  const auto replace = [&](const IElementSet*& elements, int& version) {
    if (elements != &before) return;
    elements = &dynamic_cast<const IElementSet&>(after);
    version = moved ? -1 : elements->Version();
  };
  replace(source_, source_version_);
  replace(target_, target_version_);
}

void SpatialAdaptor::Map(std::span<const double> in, Days, std::span<double> out) {
  if (in.size() != mapping_.weights.Columns()) {
    throw LinkError(Place(), fmt::format("expected {} values, found {}", mapping_.weights.Columns(), in.size()));
  }
  mapping_.weights.Apply(in, out, options_);
}

}  // namespace openmi
