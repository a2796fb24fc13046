#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "adaptors/base/IEffectOnAmount.hpp"
#include "adaptors/base/RowAdaptor.hpp"
#include "adaptors/kernels/Crew.hpp"
#include "adaptors/kernels/SparseRows.hpp"
#include "adaptors/space/ElementsInUse.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "openmi/standard/IDimension.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/files/ElementFileArguments.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"

namespace openmi {

/// The mapping from one element set to another that a method makes.
struct SpatialMapping {
  SparseRows weights;  ///< [target x source]
  /// For methods by area: for each source, the area that lies in targets; m2, or squared coordinate units. Else empty.
  std::vector<double> covered_source_area = {};
  /// For methods by area: for each target, the area that sources cover; in the same unit. Else empty.
  std::vector<double> covered_target_area = {};
  /// For methods that solve systems of equations: the largest condition number (1-norm, estimated). Else 0.
  double condition = 0.0;
  /// For methods that keep the mean: the weights of each target sum to 1, if the target has weights. This is checked.
  bool rows_sum_to_one = false;
  /// For methods that keep the total: for each source, the products (covered area of the target) x (weight of the
  /// source in that target) sum to the covered area of the source. This is checked.
  bool keeps_integral = false;
  /// If not empty: the values of the targets, which are used instead of weighted values; shape [targets].
  std::vector<double> fixed = {};
};

/// The kind of quantity that a method is for.
enum class Carries {
  Anything,
  Intensive,  ///< states, concentrations, rates per area: targets get means
  Extensive   ///< amounts of each element: targets get sums, and the total is kept
};

/// What targets without a source get, as `SpatialAdaptor` describes it.
enum class Uncovered { Error, Missing, Fill, Keep, Nearest, Creep };

/// The arguments that all spatial adaptors have, as `SpatialAdaptor` describes them.
struct SpatialArguments {
  Argument<MissingSources> missing;
  Argument<Uncovered> uncovered;
  Argument<double> fill;
  Argument<std::string> source_mask;
  Argument<std::string> target_mask;
  Argument<int> threads;
  Argument<std::string> write_weights;
  ElementFileArguments elements_file;
};

/// The base of adaptors that map values from one element set to another with weights.
///
/// A derived class makes the weights (`MakeMapping`). This class checks, keeps and applies them. Weights are made at
/// the latest in `Initialize`, and again when the elements or the arguments have changed.
///
/// All these adaptors have the arguments:
/// - `missing`: the effect of a missing source value on its targets
///   - `propagate`: the targets are missing, too
///   - `renormalise`: the weights of the sources with values are multiplied by one factor, so that the sum of the
///     weights stays the same
/// - `uncovered`: what targets without a source get
///   - `error`: the link is refused
///   - `missing`: the missing value
///   - `fill`: the number in the argument `fill`
///   - `keep`: the value that the input held
///   - `nearest`: the value of the nearest source
///   - `creep`: the mean of the neighbours that have a value. This is repeated, so that values spread further
/// - `source-mask`, `target-mask`: attributes of the elements. A source with the attribute 0 or unknown is not used. A
///   target with the attribute 0 or unknown gets the missing value
/// - `threads`: how many threads apply the weights and compute common areas. The values do not depend on this number
/// - `elements-file`, `id-property`, `elements-place`, `elements-system`: a file with the target elements, used instead
///   of the elements of the input. Another spatial adaptor after this one can then map from these elements to the input
/// - `write-weights`: a NetCDF file for other tools. The weights are written to it when they are made
///
/// If the sources have another reference system than the targets, they are first transformed to that of the targets,
/// vertex by vertex.
class SpatialAdaptor : public RowAdaptor, public IEffectOnAmount {
 public:
  /// \param target  an input with the target elements, which stay in use. The input is borrowed until a consumer is
  ///   added, which then replaces it
  /// \throws LinkError  the target or the adaptee has no elements
  SpatialAdaptor(std::string id, IBaseOutput& adaptee, const IBaseInput* target, Carries carries = Carries::Intensive);
  AdaptorTraits Traits() const override { return {.keeps_rows = true, .maps_places = true}; }
  /// \throws LinkError  one of these:
  ///   - the method cannot use the elements
  ///   - targets have no source, and `uncovered` gives them no value
  ///   - `uncovered` is `keep`, and another adaptor follows
  void Check() override;
  /// States, where it applies:
  /// - that the sources were transformed to another reference system
  /// - how many targets no source reaches, their ids (at most ten), and what they get (`uncovered`)
  /// - the condition number of systems of equations
  /// - that the method may be wrong for the quantity
  std::vector<std::string> Notes() const override;
  /// Names sources that have weights and lie far from the targets.
  std::vector<std::string> Warnings() const override;

  /// The target elements.
  /// \throws FileError  the file of elements cannot be opened
  /// \throws FormatError  the file of elements cannot be read
  /// \throws ArgumentError  an argument for the file of elements is wrong
  const ISpatialDefinition* SpatialDefinition() const override { return &Target(); }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override;
  void ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool moved) override;
  /// States that the amount is kept and goes to other elements. A method that gives something else overrides this
  /// function.
  EffectOnAmount StateEffect() const override { return {.elements = EffectOnAmount::Elements::ByPlace}; }

  /// As in `SpatialMapping`.
  std::span<const double> CoveredSourceArea() const { return Renew().covered_source_area; }
  /// As in `SpatialMapping`.
  std::span<const double> CoveredTargetArea() const { return Renew().covered_target_area; }
  /// The weights, [target x source], after the argument `uncovered` was applied.
  const SparseRows& Weights() const { return Renew().weights; }
  /// The sources in the reference system of the targets, once there are weights.
  const IElementSet& PlacedSource() const;
  /// As in `SpatialMapping`.
  double Condition() const { return Renew().condition; }

 protected:
  /// Makes the weights with the present arguments.
  /// \throws LinkError  the method cannot use the elements
  virtual SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const = 0;
  /// Whether the method needs the places of elements. If so, both sets must be in one reference system.
  virtual bool UsesPlaces() const { return true; }
  /// The value of the argument `threads`.
  unsigned Threads() const { return static_cast<unsigned>(arguments_.threads.Value()); }

  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;
  std::size_t OutWidth(std::size_t) override;
  void OnConsumerAdded(IBaseInput& consumer) override;
  void OnConsumerRemoved(IBaseInput& consumer) override;

 private:
  /// The mapping. It is made again if elements or arguments have changed.
  const SpatialMapping& Renew() const;
  SpatialMapping MakeMasked(const std::vector<bool>& source_in, const std::vector<bool>& target_in) const;
  std::vector<bool> TakingPart(const IElementSet& elements, const std::string& attribute) const;
  void Verify(const SpatialMapping& mapping) const;
  bool ElementsChanged() const;
  /// Starts to use the elements that the adaptee shows now.
  /// \throws LinkError  the adaptee has no elements
  void TakeSource() const;
  /// The target elements: those of the file if one is given, else those of the input.
  const IElementSet& Target() const;
  void RequireSources() const;
  bool WithPlaces() const;
  void WriteWeights(const SpatialMapping& mapping) const;
  std::string IdsOf(std::span<const std::size_t> targets) const;
  void KeepFromInput(std::span<double> out);

  const ITimeSpaceInput* input_ = nullptr;  // the consumer, once there is one; it can be replaced by another
  mutable ElementsInUse source_;
  ElementsInUse target_;
  Carries carries_;
  SpatialArguments arguments_;
  ApplyOptions options_;
  bool keep_ = false;
  std::vector<double> kept_;  // values that the input held, [uncovered]
  CastByType<const INumericRows, const IBaseValueSet> numeric_rows_;
  std::unique_ptr<Crew> crew_;  // for several threads
  // Elements that were read from a file, by the arguments they were read with. The last ones are in use; other objects
  // may still hold the earlier ones.
  mutable std::vector<std::pair<std::string, std::shared_ptr<const ElementSet>>> from_file_;
  mutable const IElementSet* mapped_ = nullptr;  // the target elements that the weights were made for
  mutable ElementSet transformed_source_;
  mutable SpatialMapping mapping_;
  mutable std::vector<std::size_t> uncovered_;  // targets that get no weights from the method
  mutable std::vector<std::size_t> without_;    // those without weights, and not masked, after `uncovered` was applied
  mutable std::vector<std::size_t> masked_;     // targets that `target-mask` excludes
  mutable std::string arguments_made_with_;     // empty: no mapping was made
  mutable int source_version_ = 0;
  mutable int target_version_ = 0;
};

/// Whether values of a dimension are amounts of an element (extensive), or rates of amounts.
///
/// Amounts are volume, mass, energy and amount of substance, each alone or per time. Values per area or per volume,
/// lengths, speeds and temperatures are not amounts. The result is also false for amounts that the dimension does not
/// show, such as counts.
bool IsAmount(const IDimension& dimension);

}  // namespace openmi
