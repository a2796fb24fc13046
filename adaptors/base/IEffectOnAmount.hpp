#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace openmi {

/// What an adaptor does to an amount (of water, of matter) that passes through it, as the adaptor states it.
///
/// The amount of a rate is the rate times the time. An adaptor from rates to amounts over spans, or back, therefore
/// keeps the amount.
struct EffectOnAmount {
  /// What happens to the amount as a whole.
  enum class What {
    Keeps,       ///< the amount that arrives shall equal the amount given; the balance shows any difference
    TimesArea,   ///< values per area become values of whole elements; the area of each is taken from its element set
    Multiplies,  ///< by `factors`
    Unknown      ///< `reason` states why
  };
  /// How values pass from the adaptee's elements to the adaptor's elements.
  enum class Elements {
    Same,     ///< each value stays with its element
    ById,     ///< each value goes to the element with the same id; values without such an element do not pass
    ByPlace,  ///< to other elements; the geometry of both sets shows what lies outside the targets
    Other,    ///< to other elements; the geometry does not show it
    One,      ///< only the value of `element` passes, without a place
    Sum       ///< the sum of all values passes, without a place
  };

  What what = What::Keeps;
  Elements elements = Elements::Same;
  std::size_t element = 0;            ///< for One: index among the adaptee's elements
  std::vector<double> factors = {};   ///< for Multiplies: between SI units; one for all elements, or one for each
  std::string area_attribute = {};    ///< for TimesArea: the attribute with the areas, where elements have it
  bool has_amounts_of_spans = false;  ///< the values taken or given are amounts of their spans, such as m3 in an hour
  std::string reason = {};            ///< for Unknown, such as "gives the greatest value"

  /// An effect that the adaptor cannot state; `why` becomes `reason`.
  static EffectOnAmount Unknown(std::string why) { return {.what = What::Unknown, .reason = std::move(why)}; }
};

/// Optional interface of an adapted output: its effect on an amount, for the balance of its link.
///
/// The balance measures the amounts that leave the provider and that arrive at the consumer. From this interface it
/// takes what the adaptor is meant to do, not what it does. A loss in the adaptor therefore shows. A link with an
/// adaptor without this interface is listed as not balanced.
///
/// The run asks when the link is complete and after elements have changed, not in each step.
class IEffectOnAmount {
 public:
  virtual ~IEffectOnAmount() = default;
  /// The effect with the present arguments and elements.
  /// \throws Error  an argument cannot be used; the link is then not balanced
  virtual EffectOnAmount StateEffect() const = 0;
};

}  // namespace openmi
