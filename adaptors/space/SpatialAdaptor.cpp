#include "adaptors/space/SpatialAdaptor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "adaptors/space/Shapes.hpp"
#include "adaptors/space/Uncovered.hpp"
#include "adaptors/space/WeightFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"

namespace openmi {
namespace {

constexpr const char* kIllConditioned = "remove sources that are almost at one place, or choose another adaptor";

constexpr double kSumSlack = 1e-9;  // for sums that are exact but for rounding

std::vector<int> Chosen(const std::vector<bool>& in) {
  std::vector<int> chosen;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i]) chosen.push_back(static_cast<int>(i));
  }
  return chosen;
}

/// Numbers of a part, at their places in the whole.
std::vector<double> Spread(const std::vector<double>& part, const std::vector<int>& places, std::size_t count) {
  if (part.empty()) return {};
  std::vector<double> whole(count, 0.0);
  for (std::size_t i = 0; i < part.size(); ++i) whole[static_cast<std::size_t>(places[i])] = part[i];
  return whole;
}

constexpr double kTimesExtent = 10.0;
constexpr double kLeastOnEarth = 1e6;  // m

/// Names the sources that have a weight and lie far from all targets, as gauges with exchanged longitude and latitude
/// do.
///
/// A source is far if it is further from the middle of the targets than ten times their extent about it; on the earth
/// also further than 1000 km.
/// \param adaptor  names the adaptor in messages
/// \param source  the sources
/// \param target  the targets
/// \param weights  [target x source]
/// \returns one sentence; empty if there are no such sources
/// \throws LinkError  as `PlacesOf`
std::string FarSources(const std::string& adaptor, const IElementSet& source, const IElementSet& target,
                       const SparseRows& weights) {
  if (source.ElementCount() == 0 || target.ElementCount() == 0) return {};
  const PlacePair places = PlacesOf(adaptor, source, target);
  std::vector<bool> counts(places.source.size(), false);
  for (std::size_t t = 0; t < weights.Rows(); ++t) {
    const auto columns = weights.ColumnsOf(t);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (weights.WeightsOf(t)[k] != 0.0) counts[columns[k]] = true;
    }
  }
  Point3 middle;
  for (const Point3& place : places.target) middle = middle + (1.0 / static_cast<double>(places.target.size())) * place;
  double extent = 0.0;
  for (const Point3& place : places.target) extent = std::max(extent, Norm(place - middle));
  const bool on_earth = IsGeographic(target.SpatialReferenceSystemWkt());
  if (!on_earth && !(extent > 0.0)) return {};
  const double limit = std::max(kTimesExtent * extent, on_earth ? kLeastOnEarth : 0.0);
  std::size_t count = 0;
  std::size_t furthest = 0;
  double distance = 0.0;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const double away = Norm(places.source[s] - middle);
    if (!counts[s] || !(away > limit)) continue;
    ++count;
    if (away > distance) furthest = s;
    distance = std::max(distance, away);
  }
  if (count == 0) return {};
  const IIdentifiable* id = source.GetElementId(static_cast<int>(furthest));
  return fmt::format("{} of {} elements of '{}' lie far from the targets, the furthest, '{}', {}", count, counts.size(),
                     source.Caption(), id != nullptr ? id->Id() : fmt::format("#{}", furthest),
                     on_earth ? fmt::format("{:.0f} km", distance / 1000.0) : fmt::format("{:.3g}", distance));
}

}  // namespace

SpatialAdaptor::SpatialAdaptor(std::string id, IBaseOutput& adaptee, const IBaseInput* target, Carries carries)
    : RowAdaptor(std::move(id), adaptee), input_(dynamic_cast<const ITimeSpaceInput*>(target)), carries_(carries) {
  static constexpr EnumNames<MissingSources> kMissing{"propagate", "renormalise"};
  static constexpr EnumNames<Uncovered> kUncovered{"error", "missing", "fill", "keep", "nearest", "creep"};
  arguments_.missing = AddArgument<MissingSources>(
      "missing",
      {.caption = "propagate: one missing source makes its targets missing; renormalise: the others replace it",
       .value = MissingSources::Propagate,
       .names = kMissing});
  arguments_.uncovered = AddArgument<Uncovered>(
      "uncovered",
      {.caption = "what a target gets that no source reaches", .value = Uncovered::Error, .names = kUncovered});
  arguments_.fill = AddArgument<double>("fill", {.caption = "the number for uncovered = fill", .value = 0.0});
  arguments_.source_mask = ArgumentItems().AddPlain(
      "source-mask", {.caption = "attribute; a source where it is 0 or unknown gives nothing", .value = ""});
  arguments_.target_mask = ArgumentItems().AddPlain(
      "target-mask", {.caption = "attribute; a target where it is 0 or unknown is missing", .value = ""});
  arguments_.threads = AddArgument<int>(
      "threads",
      {.caption = "threads for the weights; the values stay the same", .value = 1, .minimum = 1, .maximum = 64});
  arguments_.write_weights = AddArgument<std::string>(
      "write-weights", {.caption = "NetCDF file for the weights, in the form of ESMF; relative to where the run starts",
                        .value = "",
                        .meaning = ArgumentMeaning::Path});
  arguments_.elements_file.AddTo(ArgumentItems(), "elements to map to, in place of those of the input");
  const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(target);
  TakeSource();
  if (item == nullptr || !target_.Take(*item)) {
    throw LinkError(Place(), "expected a target with elements to map to, found none",
                    "link to an input with an element set");
  }
}

void SpatialAdaptor::TakeSource() const {
  if (source_.Take(AdapteeItems())) return;
  throw LinkError(Place(), fmt::format("expected an output with elements, found '{}' without", Adaptee().Id()));
}

std::shared_ptr<const ISpatialDefinition> SpatialAdaptor::SharedPlaces() const {
  if (!arguments_.elements_file.IsGiven()) return target_.Shared();
  static_cast<void>(Target());
  return from_file_.back().second;
}

const IElementSet& SpatialAdaptor::Target() const {
  if (!arguments_.elements_file.IsGiven()) return *target_;
  const std::string key = arguments_.elements_file.Key();
  if (from_file_.empty() || key != from_file_.back().first) {
    from_file_.emplace_back(key, std::make_shared<const ElementSet>(
                                     arguments_.elements_file.Read([](const std::string& path) { return path; })));
  }
  return *from_file_.back().second;
}

bool SpatialAdaptor::ElementsChanged() const {
  return !source_.AreShownBy(AdapteeItems()) || source_->Version() != source_version_ || mapped_ == nullptr ||
         mapped_->Version() != target_version_;
}

std::vector<bool> SpatialAdaptor::TakingPart(const IElementSet& elements, const std::string& attribute) const {
  std::vector<bool> in(static_cast<std::size_t>(elements.ElementCount()), true);
  if (attribute.empty()) return in;
  const auto* own = dynamic_cast<const ElementSet*>(&elements);
  const ElementAttribute* mask = own != nullptr ? own->Attribute(attribute) : nullptr;
  if (mask == nullptr) {
    throw LinkError(Place(),
                    fmt::format("expected a mask as attribute '{}' of '{}', found none", attribute, elements.Caption()),
                    "give the element set that attribute, or omit the mask");
  }
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = mask->values[i] == mask->values[i] && mask->values[i] != 0.0;
  return in;
}

SpatialMapping SpatialAdaptor::MakeMasked(const std::vector<bool>& source_in,
                                          const std::vector<bool>& target_in) const {
  const std::vector<int> sources = Chosen(source_in);
  const std::vector<int> targets = Chosen(target_in);
  SpatialMapping mapping = MakeMapping(SubsetOf(PlacedSource(), sources), SubsetOf(Target(), targets));
  SparseRows whole(source_in.size());
  std::size_t next = 0;
  std::vector<SparseRows::Entry> row;
  for (const bool in : target_in) {
    row.clear();
    if (in) {
      const auto columns = mapping.weights.ColumnsOf(next);
      const auto weights = mapping.weights.WeightsOf(next);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        row.push_back({static_cast<std::uint32_t>(sources[columns[k]]), weights[k]});
      }
      ++next;
    }
    whole.AddRow(row);
  }
  mapping.weights = std::move(whole);
  mapping.covered_source_area = Spread(mapping.covered_source_area, sources, source_in.size());
  mapping.covered_target_area = Spread(mapping.covered_target_area, targets, target_in.size());
  mapping.fixed = Spread(mapping.fixed, targets, target_in.size());
  return mapping;
}

bool SpatialAdaptor::WithPlaces() const {
  return source_->ElementType() != ElementType::IdBased && Target().ElementType() != ElementType::IdBased &&
         UsesPlaces();
}

const IElementSet& SpatialAdaptor::PlacedSource() const {
  return transformed_source_.ElementCount() > 0 ? transformed_source_ : *source_;
}

void SpatialAdaptor::WriteWeights(const SpatialMapping& mapping) const {
  if (arguments_.write_weights.Value().empty()) return;
  WeightFile file;
  file.weights = mapping.weights;
  file.method = Id();
  WriteWeightFile(arguments_.write_weights.Value(), file, WeightFileForm::Esmf);
}

const SpatialMapping& SpatialAdaptor::Renew() const {
  std::string arguments;
  for (const IArgument* argument : Arguments()) arguments += argument->ValueAsString() + '\n';
  if (arguments == arguments_made_with_ && !ElementsChanged()) return mapping_;
  if (!source_.AreShownBy(AdapteeItems())) TakeSource();
  const int source_version = source_->Version();
  mapped_ = &Target();
  const int target_version = mapped_->Version();
  const std::string source_mask = arguments_.source_mask.Value();
  const std::string target_mask = arguments_.target_mask.Value();
  const std::vector<bool> source_in = TakingPart(*source_, source_mask);
  const std::vector<bool> target_in = TakingPart(Target(), target_mask);
  transformed_source_ = ElementSet();
  if (WithPlaces() &&
      !IsOneReferenceSystem(source_->SpatialReferenceSystemWkt(), Target().SpatialReferenceSystemWkt())) {
    try {
      transformed_source_ = InReferenceSystem(*source_, Target().SpatialReferenceSystemWkt());
    } catch (const LinkError& error) {
      throw LinkError(Place(), error.Problem(), error.Remedy());
    }
  }
  SpatialMapping mapping = source_mask.empty() && target_mask.empty() ? MakeMapping(PlacedSource(), Target())
                                                                      : MakeMasked(source_in, target_in);
  Verify(mapping);
  masked_.clear();
  uncovered_.clear();
  without_.clear();
  if (mapping.fixed.empty()) {
    for (const std::size_t t : mapping.weights.UntouchedRows()) (target_in[t] ? uncovered_ : masked_).push_back(t);
  }
  const Uncovered policy = arguments_.uncovered.Value();
  if (!uncovered_.empty() && (policy == Uncovered::Nearest || policy == Uncovered::Creep)) {
    mapping.weights = policy == Uncovered::Nearest
                          ? TakeNearest(Place().item, PlacedSource(), Target(), mapping.weights, uncovered_, source_in)
                          : Creep(Place().item, Target(), mapping.weights, uncovered_, target_in);
  }
  if (mapping.fixed.empty()) {
    for (const std::size_t t : mapping.weights.UntouchedRows()) {
      if (target_in[t]) without_.push_back(t);
    }
  }
  WriteWeights(mapping);
  mapping_ = std::move(mapping);
  source_version_ = source_version;
  target_version_ = target_version;
  arguments_made_with_ = std::move(arguments);
  return mapping_;
}

void SpatialAdaptor::Verify(const SpatialMapping& mapping) const {
  const auto name = [](const IElementSet& elements, std::size_t index) {
    const IIdentifiable* id = elements.GetElementId(static_cast<int>(index));
    return id != nullptr ? id->Id() : fmt::format("#{}", index);
  };
  for (std::size_t t = 0; t < mapping.weights.Rows(); ++t) {
    double sum = 0.0;
    double size = 0.0;
    for (const double weight : mapping.weights.WeightsOf(t)) {
      sum += weight;
      size += std::abs(weight);
    }
    const bool any = !mapping.weights.WeightsOf(t).empty();
    if (std::isfinite(size) &&
        (!any || !mapping.rows_sum_to_one || std::abs(sum - 1.0) <= kSumSlack * std::max(size, 1.0))) {
      continue;
    }
    throw LinkError(Place(),
                    fmt::format("expected weights of a sum of 1 for element '{}', found {} (condition {:.2g})",
                                name(Target(), t), sum, mapping.condition),
                    "look for sources almost at one place, or choose a method without equations");
  }
  if (!mapping.keeps_integral) return;
  std::vector<double> given(mapping.weights.Columns(), 0.0);
  for (std::size_t t = 0; t < mapping.weights.Rows(); ++t) {
    const auto columns = mapping.weights.ColumnsOf(t);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      given[columns[k]] += mapping.covered_target_area[t] * mapping.weights.WeightsOf(t)[k];
    }
  }
  for (std::size_t s = 0; s < given.size(); ++s) {
    const double expected = mapping.covered_source_area[s];
    if (std::abs(given[s] - expected) <= kSumSlack * expected) continue;
    throw LinkError(Place(),
                    fmt::format("expected targets to take an area of {} from element '{}', found {}", expected,
                                name(*source_, s), given[s]),
                    "look for an element that crosses itself");
  }
}

void SpatialAdaptor::Check() {
  if (arguments_.uncovered.Value() == Uncovered::Keep && !AdaptedOutputs().empty()) {
    throw LinkError(Place(),
                    fmt::format("expected this adaptor last on its link for uncovered = keep, found '{}' "
                                "after it",
                                AdaptedOutputs().front()->Id()),
                    "put it last, or choose another treatment");
  }
  Renew();
  RequireSources();
}

std::vector<std::string> SpatialAdaptor::Notes() const {
  Renew();
  std::vector<std::string> notes;
  if (transformed_source_.ElementCount() > 0) {
    notes.push_back(fmt::format("'{}' was transformed to the reference system of '{}', vertex by vertex",
                                source_->Caption(), Target().Caption()));
  }
  if (!uncovered_.empty()) {
    notes.push_back(fmt::format("no source reaches {} of {} elements, treated as asked ({}): {}", uncovered_.size(),
                                mapping_.weights.Rows(), arguments_.uncovered.Item().ValueAsString(),
                                IdsOf(uncovered_)));
  }
  if (mapping_.condition > 0.0) {
    const double lost = std::clamp(std::ceil(std::log10(mapping_.condition)), 0.0, 16.0);
    notes.push_back(fmt::format("its equations lose {:.0f} of 16 digits (condition number {:.2g}); {}", lost,
                                mapping_.condition, lost <= 8.0 ? "that does no harm" : kIllConditioned));
  }
  const auto* quantity = dynamic_cast<const IQuantity*>(&Adaptee().ValueDefinition());
  if (quantity != nullptr) {
    const bool amount = IsAmount(quantity->Unit().Dimension());
    const std::string unit = quantity->Unit().Caption();
    if (amount && carries_ == Carries::Intensive) {
      notes.push_back(
          fmt::format("'{}' may be an amount of each element, and '{}' gives means of it: the total is not "
                      "kept; if that is meant, choose a sum or map values per area",
                      unit, Id()));
    }
    if (!amount && carries_ == Carries::Extensive) {
      notes.push_back(
          fmt::format("'{}' is no amount, and '{}' adds it up: choose a mean if it is a state or a rate per "
                      "area",
                      unit, Id()));
    }
  }
  return notes;
}

std::vector<std::string> SpatialAdaptor::Warnings() const {
  Renew();
  if (!WithPlaces() || !mapping_.covered_source_area.empty()) return {};  // with common areas no source is far
  std::string far = FarSources(Place().item, PlacedSource(), Target(), mapping_.weights);
  return far.empty() ? std::vector<std::string>() : std::vector{std::move(far)};
}

void SpatialAdaptor::OnInitialize() {
  options_.missing = Missing();
  options_.sources = arguments_.missing.Value();
  const Uncovered policy = arguments_.uncovered.Value();
  options_.untouched = policy == Uncovered::Fill ? UntouchedTargets::Fill : UntouchedTargets::Missing;
  options_.fill = arguments_.fill.Value();
  keep_ = policy == Uncovered::Keep;
  crew_ = Threads() > 1 ? std::make_unique<Crew>(Threads()) : nullptr;
  Check();
  kept_.assign(without_.size(), options_.missing);
}

std::string SpatialAdaptor::IdsOf(std::span<const std::size_t> targets) const {
  std::string ids;
  for (std::size_t i = 0; i < targets.size() && i < 10; ++i) {
    const IIdentifiable* id = Target().GetElementId(static_cast<int>(targets[i]));
    ids += (i > 0 ? ", " : "") + (id != nullptr ? id->Id() : fmt::format("#{}", targets[i]));
  }
  return ids + (targets.size() > 10 ? ", ..." : "");
}

void SpatialAdaptor::RequireSources() const {
  const Uncovered policy = arguments_.uncovered.Value();
  if (without_.empty() || policy == Uncovered::Missing || policy == Uncovered::Fill || policy == Uncovered::Keep)
    return;
  throw LinkError(Place(),
                  fmt::format("expected a source for each of {} elements, found none for {}: {}",
                              mapping_.weights.Rows(), without_.size(), IdsOf(without_)),
                  "set the argument uncovered to missing, fill, nearest or creep, or extend the sources");
}

std::size_t SpatialAdaptor::OutWidth(std::size_t) {
  if (ElementsChanged()) {
    Check();
    kept_.resize(without_.size(), options_.missing);
  }
  return mapping_.weights.Rows();
}

void SpatialAdaptor::ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool moved) {
  const IElementSet* source = source_.Get();
  if (source_.Replace(before, after, &AdapteeItems())) {
    source_version_ = moved || source != &before ? -1 : source_->Version();
  }
  const bool maps_to_input = mapped_ == target_.Get() || mapped_ == nullptr;
  if (target_.Replace(before, after, nullptr) && maps_to_input) {
    target_version_ = moved ? -1 : target_->Version();
    mapped_ = target_.Get();
  }
}

void SpatialAdaptor::OnConsumerAdded(IBaseInput& consumer) {
  RowAdaptor::OnConsumerAdded(consumer);
  input_ = dynamic_cast<const ITimeSpaceInput*>(&consumer);
}

void SpatialAdaptor::OnConsumerRemoved(IBaseInput& consumer) {
  RowAdaptor::OnConsumerRemoved(consumer);
  input_ = nullptr;
  numeric_rows_.Clear();  // the library of the consumer may be unloaded next
}

void SpatialAdaptor::KeepFromInput(std::span<double> out) {
  const IBaseValueSet* values = input_ != nullptr ? input_->Values() : nullptr;
  const INumericRows* rows = values != nullptr ? numeric_rows_(*values) : nullptr;
  const bool any = rows != nullptr && rows->RowCount() > 0 && rows->Row(rows->RowCount() - 1).size() == out.size();
  for (std::size_t i = 0; i < without_.size(); ++i) {
    if (any) kept_[i] = rows->Row(rows->RowCount() - 1)[without_[i]];
    out[without_[i]] = kept_[i];
  }
}

void SpatialAdaptor::Map(std::span<const double> in, Days, std::span<double> out) {
  if (in.size() != mapping_.weights.Columns()) {
    throw LinkError(Place(), fmt::format("expected {} values, found {}", mapping_.weights.Columns(), in.size()));
  }
  if (mapping_.fixed.empty()) {
    crew_ ? mapping_.weights.Apply(in, out, options_, *crew_) : mapping_.weights.Apply(in, out, options_);
  } else {
    std::ranges::copy(mapping_.fixed, out.begin());
  }
  if (keep_) KeepFromInput(out);
  for (const std::size_t t : masked_) out[t] = options_.missing;
}

bool IsAmount(const IDimension& dimension) {
  const double length = dimension.GetPower(DimensionBase::Length);
  const double mass = dimension.GetPower(DimensionBase::Mass);
  const double time = dimension.GetPower(DimensionBase::Time);
  const double substance = dimension.GetPower(DimensionBase::AmountOfSubstance);
  for (const DimensionBase base : {DimensionBase::ElectricCurrent, DimensionBase::Temperature,
                                   DimensionBase::LuminousIntensity, DimensionBase::Currency}) {
    if (dimension.GetPower(base) != 0.0) return false;
  }
  const bool plain = time == 0.0 || time == -1.0;
  const bool volume = length == 3.0 && mass == 0.0 && substance == 0.0 && plain;
  const bool weight = length == 0.0 && mass == 1.0 && substance == 0.0 && plain;
  const bool moles = length == 0.0 && mass == 0.0 && substance == 1.0 && plain;
  const bool energy = length == 2.0 && mass == 1.0 && substance == 0.0 && (time == -2.0 || time == -3.0);
  return volume || weight || moles || energy;
}

}  // namespace openmi
