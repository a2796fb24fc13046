#include "composition/record/AmountPath.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "adaptors/space/CommonGround.hpp"
#include "adaptors/space/Geometry.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi {
namespace {

using What = EffectOnAmount::What;
using Elements = EffectOnAmount::Elements;

const IElementSet* ElementsIn(const ISpatialDefinition* places) {
  return dynamic_cast<const IElementSet*>(places);
}

bool ArePolygons(const IElementSet* elements) {
  return elements != nullptr && elements->ElementType() == ElementType::Polygon;
}

/// Whether elements have areas: by their shape, or by the attribute that states them.
bool HaveAreas(const IElementSet* elements, const std::string& attribute) {
  const auto* own = dynamic_cast<const ElementSet*>(elements);
  return ArePolygons(elements) || (own != nullptr && own->Attribute(attribute) != nullptr);
}

std::size_t CountOf(const IElementSet* elements) {
  return elements != nullptr ? static_cast<std::size_t>(elements->ElementCount()) : 1;
}

bool GivesSpans(const ITimeSpaceExchangeItem& item) {
  return item.TimeSet() != nullptr && item.TimeSet()->HasDurations();
}

/// For each element of `to`, the index of the element of `from` with the same id, or -1.
std::vector<int> Partners(const IElementSet& to, const IElementSet& from) {
  std::vector<int> partners(CountOf(&to), -1);
  for (std::size_t i = 0; i < partners.size(); ++i) {
    const IIdentifiable* id = to.GetElementId(static_cast<int>(i));
    if (id != nullptr) partners[i] = from.GetElementIndex(*id);
  }
  return partners;
}

std::vector<double> ById(const IElementSet& to, const IElementSet& from, const std::vector<double>& numbers) {
  std::vector<double> mapped(CountOf(&to), 0.0);
  const std::vector<int> partners = Partners(to, from);
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    if (partners[i] >= 0) mapped[i] = numbers[static_cast<std::size_t>(partners[i])];
  }
  return mapped;
}

/// Thrown to end the walk along a link: the link cannot be balanced.
struct NotBalanced {
  std::string why;
};

[[noreturn]] void ThrowWithoutAreas(const std::string& item) {
  throw NotBalanced{fmt::format("the elements of '{}' have no areas", item)};
}

}  // namespace

const SourceFactors::Factors& SourceFactors::Of(const std::string& name, const std::function<Factors()>& make) {
  const auto found = std::ranges::find(all_, name, [](const auto& one) { return one.first; });
  if (found != all_.end()) return *found->second;
  return *all_.emplace_back(name, std::make_unique<const Factors>(make())).second;
}

const SourceFactors::Factors& SourceFactors::Of(const std::string& name) const {
  return *std::ranges::find(all_, name, [](const auto& one) { return one.first; })->second;
}

/// One walk along the link, with the elements and adaptors as they are now.
class AmountPath::Walk {
 public:
  Walk(const AmountPath& path, SourceFactors& factors)
      : path_(path), shared_(factors), who_(path.link_.Spec().Text()) {}

  AmountMeasures Measure() {
    AskAdaptors();
    FindUnit();
    if (path_.given_.IsPerArea()) FindAreas();
    ApplyFactors();
    FindWithin();
    measures_.has_places = first_mapping_ != kNone || !measures_.source_factors.empty();
    return std::move(measures_);
  }

 private:
  void AskAdaptors() {
    if (path_.source_.TimeSet() == nullptr) {
      throw NotBalanced{fmt::format("'{}' has no times, so what leaves it is not seen", path_.source_.Id())};
    }
    sets_.push_back(ElementsIn(path_.SourcePlaces()));
    for (const Stage& stage : path_.stages_) {
      if (stage.effect == nullptr) {
        throw NotBalanced{fmt::format("the adaptor '{}' does not state its effect on an amount", stage.id)};
      }
      effects_.push_back(stage.effect->StateEffect());
      const EffectOnAmount& effect = effects_.back();
      if (effect.what == What::Unknown) {
        throw NotBalanced{fmt::format("the adaptor '{}' {}", stage.id, effect.reason)};
      }
      times_area_ = times_area_ || effect.what == What::TimesArea;
      if (effect.what == What::TimesArea) attribute_ = effect.area_attribute;
      multiplies_ = multiplies_ || effect.what == What::Multiplies;
      if (effect.elements == Elements::Same) {
        sets_.push_back(sets_.back());
      } else {
        if (first_mapping_ == kNone) first_mapping_ = effects_.size() - 1;
        const bool is_one = effect.elements == Elements::One || effect.elements == Elements::Sum;
        sets_.push_back(is_one || stage.output == nullptr ? nullptr : ElementsIn(stage.output->SpatialDefinition()));
        if (sets_[sets_.size() - 2] == nullptr || (!is_one && sets_.back() == nullptr)) {
          throw NotBalanced{fmt::format("the adaptor '{}' maps elements, and there are none", stage.id)};
        }
        if (effect.elements == Elements::One && effect.element >= CountOf(sets_[sets_.size() - 2])) {
          throw NotBalanced{fmt::format("the adaptor '{}' takes an element that is not there", stage.id)};
        }
      }
    }
  }

  void FindUnit() {
    AmountKind expected = path_.given_;
    if (times_area_) expected.length += 2.0;
    if (times_area_ && !path_.given_.IsPerArea()) throw NotBalanced{"amounts are multiplied with an area"};
    if (!multiplies_ && (expected.length != path_.taken_.length || expected.mass != path_.taken_.mass)) {
      throw NotBalanced{"its ends are amounts of two kinds"};
    }
    const bool is_mass = path_.taken_.mass == 1.0;
    measures_.unit = is_mass ? "kg" : "m3";
  }

  const CommonGround& GroundOf(std::size_t stage) {
    const auto found = grounds_.find(stage);
    if (found != grounds_.end()) return found->second;
    return grounds_.emplace(stage, CommonGround(who_, *sets_[stage], *sets_[stage + 1])).first->second;
  }

  bool MapsPolygons(std::size_t stage) const {
    return effects_[stage].elements == Elements::ByPlace && ArePolygons(sets_[stage]) && ArePolygons(sets_[stage + 1]);
  }

  /// Whether all adaptors map each element to itself, or to the element with the same id.
  bool KeepsElements() const {
    return std::ranges::all_of(effects_, [](const EffectOnAmount& effect) {
      return effect.elements == Elements::Same || effect.elements == Elements::ById;
    });
  }

  SourceFactors::Factors OwnAreas(const IElementSet& elements, const std::string& attribute) const {
    ElementAreas areas = AreasOf(who_, elements, attribute);
    std::string note = "areas: " + areas.source;
    if (areas.difference > 0.0) note += fmt::format(", {:.2g} from the geometry", areas.difference);
    return {std::move(areas.square_metres), std::move(note)};
  }

  /// Uses depths of one element, or without elements: no area is needed, since it is the same at both ends.
  void UseDepths() { measures_.unit = path_.taken_.mass == 1.0 ? "kg m-2" : "m"; }

  void FindAreas() {
    const IElementSet* source = sets_.front();
    const IElementSet* target = ElementsIn(path_.TargetPlaces());
    const bool picks_one = first_mapping_ != kNone && effects_[first_mapping_].elements == Elements::One;
    const std::string& item = path_.source_.Id();
    if (!times_area_ && (picks_one || (CountOf(source) == 1 && KeepsElements() && CountOf(target) == 1 &&
                                       !HaveAreas(source, attribute_) && !HaveAreas(target, attribute_)))) {
      UseDepths();
      return;
    }
    if (source == nullptr) ThrowWithoutAreas(item);
    std::function<SourceFactors::Factors()> make;
    if (first_mapping_ != kNone && MapsPolygons(first_mapping_)) {
      const CommonGround& ground = GroundOf(first_mapping_);
      measures_.source_factors = "geometry in " + sets_[first_mapping_ + 1]->SpatialReferenceSystemWkt();
      make = [&ground] {
        return SourceFactors::Factors{ground.SourceAreas(), "areas: geometry of both ends in one plane"};
      };
    } else if (HaveAreas(source, attribute_)) {
      measures_.source_factors = "attribute " + attribute_;
      make = [this, source] { return OwnAreas(*source, attribute_); };
    } else if (KeepsElements() && target != nullptr && HaveAreas(target, attribute_)) {
      measures_.source_factors = "of " + who_;
      make = [this, source, target] {
        SourceFactors::Factors areas = OwnAreas(*target, attribute_);
        if (first_mapping_ != kNone) areas.values = ById(*source, *target, areas.values);
        return areas;
      };
    } else {
      ThrowWithoutAreas(item);
    }
    const SourceFactors::Factors& areas = shared_.Of(measures_.source_factors, make);
    measures_.note = areas.note;
    if (!times_area_) FindTargetAreas(areas.values, target);
  }

  /// Maps the areas of the provider along the link to the consumer's elements.
  void FindTargetAreas(std::vector<double> areas, const IElementSet* target) {
    for (std::size_t stage = 0; stage < effects_.size(); ++stage) {
      const IElementSet* to = sets_[stage + 1];
      switch (effects_[stage].elements) {
        case Elements::Same:
          break;
        case Elements::One:
          areas = {areas.at(effects_[stage].element)};
          break;
        case Elements::Sum:
          throw NotBalanced{fmt::format("the adaptor '{}' adds up values per area", path_.stages_[stage].id)};
        case Elements::ById:
          areas = HaveAreas(to, "area") ? OwnAreas(*to, "area").values : ById(*to, *sets_[stage], areas);
          break;
        default:
          if (MapsPolygons(stage)) {
            areas = GroundOf(stage).TargetAreas();
          } else if (HaveAreas(to, "area")) {
            areas = OwnAreas(*to, "area").values;
          } else {
            ThrowWithoutAreas(path_.link_.Target()->Id());
          }
      }
    }
    if (first_mapping_ == kNone && target != nullptr && HaveAreas(target, "area")) {
      areas = OwnAreas(*target, "area").values;
    }
    measures_.target_areas = std::move(areas);
  }

  void ApplyFactors() {
    for (std::size_t stage = 0; stage < effects_.size(); ++stage) {
      const EffectOnAmount& effect = effects_[stage];
      if (effect.what != What::Multiplies) continue;
      if (effect.factors.size() == 1) {
        measures_.factor *= effect.factors.front();
      } else if (effect.factors.size() == CountOf(sets_.front()) && stage <= first_mapping_) {
        std::vector<double> factors = effect.factors;
        if (!measures_.source_factors.empty()) {
          const std::vector<double>& before = shared_.Of(measures_.source_factors).values;
          for (std::size_t i = 0; i < factors.size(); ++i) factors[i] *= before[i];
        }
        measures_.source_factors = fmt::format("{} of {} to adaptor {}", measures_.source_factors, who_, stage);
        shared_.Of(measures_.source_factors, [&factors] { return SourceFactors::Factors{factors, {}}; });
      } else {
        throw NotBalanced{
            fmt::format("the adaptor '{}' multiplies elements that are not the provider's", path_.stages_[stage].id)};
      }
      measures_.note += fmt::format("{}left is multiplied as '{}' states", measures_.note.empty() ? "" : "; ",
                                    path_.stages_[stage].id);
    }
  }

  /// The weight of each element before a stage, if the elements after it have the weights `counts`.
  std::vector<double> CountsBefore(std::size_t stage, const std::vector<double>& counts) {
    std::vector<double> before(CountOf(sets_[stage]), 1.0);
    switch (effects_[stage].elements) {
      case Elements::Same:
        return counts;
      case Elements::ById:
        return ById(*sets_[stage], *sets_[stage + 1], counts);
      case Elements::One:
        std::ranges::fill(before, 0.0);
        before.at(effects_[stage].element) = counts.front();
        return before;
      case Elements::ByPlace:
        return GroundOf(stage).IsKnown() ? GroundOf(stage).SharesWithin(counts) : before;
      default:
        return before;
    }
  }

  void FindWithin() {
    if (first_mapping_ == kNone) return;
    std::vector<double> counts(CountOf(sets_.back()), 1.0);
    for (std::size_t stage = effects_.size(); stage-- > 0;) counts = CountsBefore(stage, counts);
    if (std::ranges::all_of(counts, [](double count) { return count == 0.0; })) {
      throw NotBalanced{"all of the provider's elements lie beyond the targets"};
    }
    if (effects_[first_mapping_].elements == Elements::One) {
      measures_.one = effects_[first_mapping_].element;
      return;
    }
    if (std::ranges::all_of(counts, [](double count) { return count == 1.0; })) return;
    const std::vector<double>* factors =
        measures_.source_factors.empty() ? nullptr : &shared_.Of(measures_.source_factors).values;
    measures_.within.emplace();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0.0) continue;
      measures_.within->emplace_back(static_cast<std::uint32_t>(i),
                                     counts[i] * (factors != nullptr ? (*factors)[i] : 1.0));
    }
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const AmountPath& path_;
  SourceFactors& shared_;
  std::string who_;
  AmountMeasures measures_;
  std::vector<EffectOnAmount> effects_;   // of each adaptor
  std::vector<const IElementSet*> sets_;  // the provider's, and those after each adaptor
  std::map<std::size_t, CommonGround> grounds_;
  std::size_t first_mapping_ = kNone;  // the first adaptor that maps to other elements
  std::string attribute_ = "area";
  bool times_area_ = false;
  bool multiplies_ = false;
};

AmountPath::AmountPath(Link& link, OutputProxy& source) : link_(link), source_(source) {
  for (const auto& adaptor : link.Adaptors()) {
    stages_.push_back({adaptor->Id(), dynamic_cast<const IEffectOnAmount*>(adaptor.get()),
                       dynamic_cast<const ITimeSpaceOutput*>(adaptor.get())});
  }
  is_conserved_ = FindOut();
}

bool AmountPath::FindOut() {
  given_ = AmountKindOf(source_);
  taken_ = AmountKindOf(*link_.Target());
  const std::optional<bool> wish = link_.Spec().balance;
  if (wish) return *wish;
  if (!given_.IsKnown() || !taken_.IsKnown()) return false;
  bool has_amounts = false;
  bool times_area = false;
  for (const Stage& stage : stages_) {
    if (stage.effect == nullptr) continue;
    try {
      const EffectOnAmount effect = stage.effect->StateEffect();
      has_amounts = has_amounts || effect.has_amounts_of_spans;
      times_area = times_area || effect.what == What::TimesArea;
    } catch (const Error&) {  // reported when the link is measured
    }
  }
  // An amount without a time is a storage, unless an adaptor treats it as the amount of a span.
  if (!has_amounts && !(given_.is_rate && taken_.is_rate)) return false;
  if (times_area || !(given_.IsDepth() || taken_.IsDepth())) return true;
  if (NamesSpeed(source_, *link_.Target())) return false;
  if (!IsDepthOfMatter(source_, *link_.Target())) {
    doubt_ = fmt::format(
        "no name shows whether its values are a depth or a {}; write Balance=\"yes\" or Balance=\"no\" on the link",
        given_.is_rate ? "speed" : "distance");
    return false;
  }
  const bool has_areas = HaveAreas(ElementsIn(SourcePlaces()), "area") || HaveAreas(ElementsIn(TargetPlaces()), "area");
  if (has_areas || (GivesSpans(source_) && GivesSpans(*link_.Target()))) return true;
  doubt_ =
      "its values are depths at instants, of elements without areas; let both ends be spans, give areas, or write "
      "Balance=\"yes\" or Balance=\"no\" on the link";
  return false;
}

AmountMeasures AmountPath::Measure(SourceFactors& factors) const {
  AmountMeasures none;
  if (!given_.IsKnown() || !taken_.IsKnown()) {
    none.not_balanced = "its units are not those of a volume, a mass, a depth or a mass per area";
    return none;
  }
  try {
    return Walk(*this, factors).Measure();
  } catch (const NotBalanced& reason) {
    none.not_balanced = reason.why;
  } catch (const Error& error) {
    none.not_balanced = error.Problem();
  }
  return none;
}

}  // namespace openmi
