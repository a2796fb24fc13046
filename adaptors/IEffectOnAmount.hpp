#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace openmi {

/// What an adaptor does to an amount (of water, of matter) that passes through it, as the adaptor states it.
///
/// The amount of a rate is the rate times the time, so an adaptor from rates to amounts over spans, or back, keeps it.
struct EffectOnAmount {
  enum class What {
    Keeps,       ///< as much shall arrive as was given; where less or more does, the balance shows it
    TimesArea,   ///< values per area become values of whole elements: the area of each is taken from its element set
    Multiplies,  ///< by `factors`
    CannotSay    ///< `reason` says why
  };
  /// How values pass from the elements of the adaptee to its own.
  enum class Elements {
    Same,     ///< each stays with its element
    ById,     ///< each goes to the element of the same id; those without one are left behind
    ByPlace,  ///< elsewhere: the geometry of both sets tells what lies beyond the targets
    Other,    ///< elsewhere, and the geometry does not tell
    One,      ///< only the value of `element` goes on, without a place
    Sum       ///< all together, without a place
  };

  What what = What::Keeps;
  Elements elements = Elements::Same;
  std::size_t element = 0;            ///< for One: its index among those of the adaptee
  std::vector<double> factors = {};   ///< for Multiplies, between SI units; one for all elements or one each
  std::string area_attribute = {};    ///< for TimesArea: the attribute that holds areas, where elements have it
  bool has_amounts_of_spans = false;  ///< values it takes or gives are amounts of their spans, such as m3 in an hour
  std::string reason = {};            ///< for CannotSay: "gives the greatest value"

  static EffectOnAmount Unknown(std::string why) { return {.what = What::CannotSay, .reason = std::move(why)}; }
};

/// Optional interface of an adapted output: its effect on an amount, for the balance of the link it is on.
///
/// The balance measures what left the provider and what arrived at the consumer by itself. It takes from here only what
/// the adaptor is meant to do, never what it does, so that an adaptor that loses something shows. A link with an
/// adaptor without this interface is listed as not balanced.
///
/// The run asks when the link is complete and when elements have changed, not in each step.
class IEffectOnAmount {
 public:
  virtual ~IEffectOnAmount() = default;
  /// The effect with the arguments and elements as they are.
  /// \throws Error  an argument cannot be used; the link is then not balanced
  virtual EffectOnAmount StateEffect() const = 0;
};

}  // namespace openmi
