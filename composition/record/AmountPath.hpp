#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adaptors/base/IEffectOnAmount.hpp"
#include "composition/link/Link.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "composition/record/ConservedQuantity.hpp"

namespace openmi {

/// Factors of the elements of one output. They are made once for all links of that output that use the same ones.
class SourceFactors {
 public:
  struct Factors {
    std::vector<double> values;  ///< shape [elements]
    std::string note;            ///< where the factors come from
  };
  /// Returns the factors with that name.
  ///
  /// \param make  called once, when there are no factors with that name yet
  const Factors& Of(const std::string& name, const std::function<Factors()>& make);
  /// Returns the factors with that name.
  ///
  /// \pre They exist.
  const Factors& Of(const std::string& name) const;
  void Clear() { all_.clear(); }

 private:
  std::vector<std::pair<std::string, std::unique_ptr<const Factors>>> all_;
};

/// How values become amounts at both ends of a link, with its elements as they are now.
struct AmountMeasures {
  std::string not_balanced;  ///< why no balance can be made; empty: one can be made
  std::string unit;          ///< of the amounts at both ends: "m3", "kg", "m", "kg m-2"
  std::string note;          ///< where areas come from
  double factor = 1.0;       ///< multiplies all amounts that the provider gives
  bool has_places = false;   ///< whether anything here depends on the elements of the two ends
  /// The name of the factors that the provider's values are multiplied by; links of one output share them. Empty: 1.
  std::string source_factors;
  std::optional<std::size_t> one;  ///< only this element of the provider is on the link
  /// The elements of the provider that lie at least partly within the targets: index, and the share that lies within
  /// multiplied by all factors. No value: all of each element lies within.
  std::optional<std::vector<std::pair<std::uint32_t, double>>> within;
  std::vector<double> target_areas;  ///< shape [elements of the consumer]; empty: 1 each
};

/// What balances need to know about a link: what it carries, and what each of its adaptors states about amounts.
///
/// It uses nothing that an adaptor computes with. Areas, and what lies outside the targets, come from the element sets
/// of both ends and of the outputs between them.
class AmountPath {
 public:
  /// \param link    borrowed
  /// \param source  the provider, the first output of the link; borrowed
  AmountPath(Link& link, OutputProxy& source);

  /// Whether the link is to be balanced: it carries a conserved quantity, or the composition file asks for a balance.
  bool IsConserved() const { return is_conserved_; }
  /// Why it stays open whether the link carries a conserved quantity, and how to say it in the composition file; empty
  /// where it is plain.
  const std::string& Doubt() const { return doubt_; }
  const AmountKind& Given() const { return given_; }
  const AmountKind& Taken() const { return taken_; }
  /// Measures both ends with their elements as they are now.
  ///
  /// \param factors  those of the provider's elements, shared with its other links
  AmountMeasures Measure(SourceFactors& factors) const;

  const ISpatialDefinition* SourcePlaces() const { return source_.SpatialDefinition(); }
  const ISpatialDefinition* TargetPlaces() const { return link_.Target()->SpatialDefinition(); }

 private:
  struct Stage {
    std::string id;
    const IEffectOnAmount* effect;   // null: the adaptor states none
    const ITimeSpaceOutput* output;  // null: an output without elements
  };
  class Walk;
  bool FindOut();

  Link& link_;
  OutputProxy& source_;
  std::vector<Stage> stages_;
  AmountKind given_;
  AmountKind taken_;
  bool is_conserved_ = false;
  std::string doubt_;
};

}  // namespace openmi
