#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adaptors/IEffectOnAmount.hpp"
#include "composition/run/ConservedQuantity.hpp"
#include "composition/run/Link.hpp"
#include "composition/run/StandIn.hpp"

namespace openmi {

/// Factors of the elements of one output, made once for all its links that use the same ones.
class SourceFactors {
 public:
  struct Factors {
    std::vector<double> values;  ///< shape [elements]
    std::string note;            ///< where they come from
  };
  /// Those of that name; made where there are none yet.
  const Factors& Of(const std::string& name, const std::function<Factors()>& make);
  /// Those of that name, which are there.
  const Factors& Of(const std::string& name) const;
  void Clear() { all_.clear(); }

 private:
  std::vector<std::pair<std::string, std::unique_ptr<const Factors>>> all_;
};

/// How values become amounts at both ends of a link, with its elements as they are.
struct AmountMeasures {
  std::string not_balanced;  ///< why no balance can be made; empty: it can
  std::string unit;          ///< of the amounts at both ends: "m3", "kg", "m", "kg m-2"
  std::string note;          ///< where areas come from
  double factor = 1.0;       ///< of all that is given
  bool has_places = false;   ///< whether anything here depends on the elements of the two ends
  /// What each value of the provider is multiplied with, by a name that links of one output share; empty: with 1.
  std::string source_factors;
  std::optional<std::size_t> one;  ///< only this element of the provider is on the link
  /// The parts that lie within the targets, by element and with all factors; nothing: everything does.
  std::optional<std::vector<std::pair<std::uint32_t, double>>> within;
  std::vector<double> target_areas;  ///< shape [elements of the consumer]; empty: 1 each
};

/// What balances know of a link: what it carries, and what each of its adaptors states about amounts.
///
/// Nothing here is taken from what an adaptor computes with. Areas and what lies beyond the targets come from the
/// element sets of both ends and of those in between.
class AmountPath {
 public:
  /// \param source  the provider, as the link begins with it; both are borrowed
  AmountPath(Link& link, StandIn& source);

  /// Whether the link is one to be balanced: it carries a conserved quantity, or the composition file says so.
  bool IsConserved() const { return is_conserved_; }
  const AmountKind& Given() const { return given_; }
  const AmountKind& Taken() const { return taken_; }
  /// \param factors  of the provider's elements, shared with its other links
  AmountMeasures Measure(SourceFactors& factors) const;

  const ISpatialDefinition* SourcePlaces() const { return source_.SpatialDefinition(); }
  const ISpatialDefinition* TargetPlaces() const { return link_.Target()->SpatialDefinition(); }

 private:
  struct Stage {
    std::string id;
    const IEffectOnAmount* effect;   // null: the adaptor states none
    const ITimeSpaceOutput* output;  // null: none with places
  };
  class Walk;
  bool FindOut();

  Link& link_;
  StandIn& source_;
  std::vector<Stage> stages_;
  AmountKind given_;
  AmountKind taken_;
  bool is_conserved_ = false;
};

}  // namespace openmi
