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
  /// For methods by area: the area of each source that lies in targets, and of each target that is covered; m2, or
  /// coordinate units squared. Else empty.
  std::vector<double> covered_source_area = {};
  std::vector<double> covered_target_area = {};
  /// For methods that solve systems of equations: the largest condition number (1-norm, estimated). Else 0.
  double condition = 0.0;
  /// For methods that keep the mean: every row with weights sums to 1. This is checked.
  bool rows_sum_to_one = false;
  /// For methods that keep the total: covered target areas times weights sum to the covered source areas. This is
  /// checked.
  bool keeps_integral = false;
  /// If not empty: the values of the targets, used instead of weighted values; shape [targets].
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
/// A derived class makes the weights. This class keeps, renews, checks and applies them. Weights are made once for each
/// pair of element-set versions and each setting of the arguments, at the latest in `Initialize`.
///
/// All these adaptors have the arguments:
/// - `missing`: what a missing source value does to its targets: `propagate`, or `renormalise` over the sources with
///   values
/// - `uncovered`: what targets without a source get. `error`: they are refused. `missing`: the missing value. `fill`:
///   the number in `fill`. `keep`: the value that the input held. `nearest`: the nearest source's value. `creep`: the
///   mean of the neighbours that have a value, and so on inwards
/// - `source-mask`, `target-mask`: attributes of the elements. Where the attribute is 0 or unknown, a source takes no
///   part, and a target is missing
/// - `threads`: how many threads apply the weights and compute common areas. The values do not depend on it
/// - `elements-file`, `id-property`, `elements-place`, `elements-system`: a file with the target elements, used instead
///   of the input's elements. Another spatial adaptor after this one can then map on to the input
/// - `write-weights`: a NetCDF file that the weights are written to when they are made, for other tools
///
/// Sources in another reference system than the targets are transformed to it first, vertex by vertex.
class SpatialAdaptor : public RowAdaptor, public IEffectOnAmount {
 public:
  /// \param target  has the elements to map to; borrowed until a consumer is added, whose elements are used from then
  ///   on
  /// \throws LinkError  the target or the adaptee has no elements
  SpatialAdaptor(std::string id, IBaseOutput& adaptee, const IBaseInput* target, Carries carries = Carries::Intensive);
  AdaptorTraits Traits() const override { return {.keeps_rows = true, .maps_places = true}; }
  /// \throws LinkError  the method cannot use the elements, or targets have no source, or keep what the input held
  ///   although another adaptor follows
  void Check() override;
  /// States how many targets no source reached, which, and what values they get; the condition of systems of equations;
  /// and whether the quantity is one that the method is for.
  std::vector<std::string> Notes() const override;
  /// Names sources that have weights and lie far from the targets.
  std::vector<std::string> Warnings() const override;

  /// The elements mapped to.
  /// \throws FileError  the file of elements cannot be opened
  /// \throws FormatError  the file of elements cannot be read
  /// \throws ArgumentError  an argument for the file of elements is wrong
  const ISpatialDefinition* SpatialDefinition() const override { return &Target(); }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override;
  void ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool moved) override;
  /// Keeps the amount and passes it to other elements. A method that gives something else overrides this.
  EffectOnAmount StateEffect() const override { return {.elements = EffectOnAmount::Elements::ByPlace}; }

  /// As in `SpatialMapping`.
  std::span<const double> CoveredSourceArea() const { return Renew().covered_source_area; }
  /// As in `SpatialMapping`.
  std::span<const double> CoveredTargetArea() const { return Renew().covered_target_area; }
  /// The weights, [target x source], after `uncovered` was applied.
  const SparseRows& Weights() const { return Renew().weights; }
  /// As in `SpatialMapping`.
  double Condition() const { return Renew().condition; }

 protected:
  /// Makes the weights with the present arguments.
  /// \throws LinkError  the method cannot use the elements
  virtual SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const = 0;
  /// Whether the method needs the places of elements. Both sets must then be in one reference system.
  virtual bool UsesPlaces() const { return true; }
  /// The value of the argument `threads`.
  unsigned Threads() const { return static_cast<unsigned>(arguments_.threads.Value()); }

  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;
  std::size_t OutWidth(std::size_t) override;
  void OnConsumerAdded(IBaseInput& consumer) override;
  void OnConsumerRemoved(IBaseInput& consumer) override;

 private:
  /// The mapping; made again if elements or arguments have changed.
  const SpatialMapping& Renew() const;
  SpatialMapping MakeMasked(const std::vector<bool>& source_in, const std::vector<bool>& target_in) const;
  std::vector<bool> TakingPart(const IElementSet& elements, const std::string& attribute) const;
  void Verify(const SpatialMapping& mapping) const;
  bool ElementsChanged() const;
  /// Starts to use the elements that the adaptee shows now.
  /// \throws LinkError  the adaptee has no elements
  void TakeSource() const;
  /// The elements mapped to: those of the file where one is given, else those of the input.
  const IElementSet& Target() const;
  void RequireSources() const;
  bool WithPlaces() const;
  /// The sources in the reference system of the targets.
  const IElementSet& PlacedSource() const;
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
  // Elements of the file, by the arguments of the reading. The last ones are in use; others may hold the earlier ones.
  mutable std::vector<std::pair<std::string, std::shared_ptr<const ElementSet>>> from_file_;
  mutable const IElementSet* mapped_ = nullptr;  // the elements that the weights were made for
  mutable ElementSet transformed_source_;
  mutable SpatialMapping mapping_;
  mutable std::vector<std::size_t> uncovered_;  // by the method alone
  mutable std::vector<std::size_t> without_;    // still without a value after `uncovered` was applied
  mutable std::vector<std::size_t> masked_;     // targets that take no part
  mutable std::string arguments_made_with_;     // empty: no mapping was made
  mutable int source_version_ = 0;
  mutable int target_version_ = 0;
};

/// Whether values of a dimension are amounts of an element (extensive), or rates of amounts.
///
/// Amounts are volume, mass, energy and amount of substance, each alone or per time. Values per area or per volume,
/// lengths, speeds and temperatures are none. Neither are values whose dimension does not show it, such as counts.
bool IsAmount(const IDimension& dimension);

}  // namespace openmi
