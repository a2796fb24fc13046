#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "adaptors/ElementsInUse.hpp"
#include "adaptors/IEffectOnAmount.hpp"
#include "adaptors/RowAdaptor.hpp"
#include "adaptors/kernels/Crew.hpp"
#include "adaptors/kernels/SparseRows.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "timespace/ElementFileArguments.hpp"
#include "timespace/ElementSet.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"

namespace openmi {

/// What a way of mapping makes of two element sets.
struct SpatialMapping {
  SparseRows weights;  ///< [target x source]
  /// For methods by area: how much of each source lies in targets, and of each target is covered; m2, or coordinate
  /// units squared. Else empty.
  std::vector<double> covered_source_area = {};
  std::vector<double> covered_target_area = {};
  /// For methods that solve systems of equations the largest condition number (1-norm, estimated); else 0.
  double condition = 0.0;
  /// For methods that keep the mean: every row with weights sums to 1, which is checked.
  bool rows_sum_to_one = false;
  /// For methods that keep the total: covered target areas times weights sum to covered source areas, which is checked.
  bool keeps_integral = false;
  /// Where not empty, what targets get instead of weighted values; shape [targets].
  std::vector<double> fixed = {};
};

/// What kind of quantity a way of mapping is for.
enum class Carries {
  Anything,
  Intensive,  ///< states, concentrations, rates per area: targets get means
  Extensive   ///< amounts of each element: targets get sums, and the total is kept
};

/// The base of adaptors that map the values of one element set to another with weights: a derived class says what the
/// weights are, this class keeps, renews, checks and applies them.
///
/// Weights are made once for each pair of element-set versions and each setting of the arguments, at the latest in
/// Initialize. Arguments of all of them:
/// - `missing`: what a missing source value does to its targets (propagate, or renormalise over the sources there are)
/// - `uncovered`: what targets get that no source reaches. error: they are refused; missing; fill: the number `fill`;
///   keep: what the input held itself; nearest: the nearest source's value; creep: the mean of the neighbours that have
///   one, and so on inwards
/// - `source-mask`, `target-mask`: attributes of the elements; where they are 0 or unknown an element takes no part, a
///   target is missing
/// - `threads`: how many apply the weights, and make those of common areas; the values are the same with any number
/// - `elements-file`, `id-property`, `elements-place`, `elements-system`: elements of a file to map to, in the place of
///   the input's; for an adaptor behind this one, which maps on to those
/// - `write-weights`: a NetCDF file that the weights are written to when they are made, for other tools
///
/// Sources in another reference system than the targets are transformed to theirs first, vertex by vertex.
class SpatialAdaptor : public RowAdaptor, public IEffectOnAmount {
 public:
  /// \param target  whose elements to map to; borrowed until a consumer is added, which then stands for it
  /// \throws LinkError  target or adaptee have no elements
  SpatialAdaptor(std::string id, IBaseOutput& adaptee, const IBaseInput* target, Carries carries = Carries::Intensive);
  /// \throws LinkError  elements that the method cannot use, or targets without a source
  void Check() override;
  /// Says how many targets no source reached, which, and what became of them; how well systems of equations were
  /// conditioned; and whether the quantity is one that the method is for.
  std::vector<std::string> Notes() const override;
  /// Names sources that count and lie far from the targets.
  std::vector<std::string> Warnings() const override;

  /// \throws FileError, FormatError, ArgumentError  what is wrong with the file of elements that is asked for
  const ISpatialDefinition* SpatialDefinition() const override { return &Target(); }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override;
  void ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool moved) override;
  /// The amount shall be kept, and goes to elements elsewhere. A method that gives something else says so.
  EffectOnAmount StateEffect() const override { return {.elements = EffectOnAmount::Elements::ByPlace}; }

  /// As in `SpatialMapping`.
  std::span<const double> CoveredSourceArea() const { return Renew().covered_source_area; }
  std::span<const double> CoveredTargetArea() const { return Renew().covered_target_area; }
  const SparseRows& Weights() const { return Renew().weights; }
  double Condition() const { return Renew().condition; }
  /// The targets that no source reaches by the method itself, by index; masked ones are not among them.
  const std::vector<std::size_t>& UncoveredTargets() const;

 protected:
  /// Makes the weights, with the arguments as they are.
  /// \throws LinkError  elements that the method cannot use
  virtual SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const = 0;
  /// Whether the method asks where elements are, so that both sets have to be in one reference system.
  virtual bool UsesPlaces() const { return true; }
  unsigned Threads() const { return static_cast<unsigned>(threads_.Value()); }

  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;
  std::size_t OutWidth(std::size_t) override;
  void OnConsumerAdded(IBaseInput& consumer) override;
  void OnConsumerRemoved(IBaseInput& consumer) override;

 private:
  /// The mapping, made again when elements or arguments have changed.
  const SpatialMapping& Renew() const;
  SpatialMapping MakeMasked(const std::vector<bool>& source_in, const std::vector<bool>& target_in) const;
  std::vector<bool> TakingPart(const IElementSet& elements, const std::string& attribute) const;
  void Verify(const SpatialMapping& mapping) const;
  bool ElementsChanged() const;
  /// Takes up what the adaptee shows now. \throws LinkError  no elements
  void TakeSource() const;
  /// The elements mapped to: those of the file, where one is given, else the input's.
  const IElementSet& Target() const;
  void RequireSources() const;
  /// The sources in the reference system of the targets.
  const IElementSet& PlacedSource() const;
  void WriteWeights(const SpatialMapping& mapping) const;
  std::string IdsOf(std::span<const std::size_t> targets) const;
  void KeepFromInput(std::span<double> out);

  const ITimeSpaceInput* input_ = nullptr;  // the consumer, once there is one: the target may go, and another come
  mutable ElementsInUse source_;
  ElementsInUse target_;
  Carries carries_;
  Argument<std::string> missing_sources_;
  Argument<std::string> uncovered_policy_;
  Argument<double> fill_;
  Argument<std::string> source_mask_;
  Argument<std::string> target_mask_;
  Argument<int> threads_;
  Argument<std::string> write_weights_;
  ElementFileArguments elements_file_;
  ApplyOptions options_;
  bool keep_ = false;
  std::vector<double> kept_;  // what the input held, [uncovered]
  CastByType<const INumericRows, const IBaseValueSet> rows_door_;
  std::unique_ptr<Crew> crew_;                                        // for several threads
  mutable std::vector<std::shared_ptr<const ElementSet>> from_file_;  // the last one counts; others may hold the rest
  mutable std::string from_file_by_;                                  // the arguments it was read with
  mutable const IElementSet* mapped_ = nullptr;                       // what the weights were made for
  mutable ElementSet transformed_source_;
  mutable SpatialMapping mapping_;
  mutable std::vector<std::size_t> uncovered_;  // by the method
  mutable std::vector<std::size_t> without_;    // still, after what was asked for them
  mutable std::vector<std::size_t> masked_;     // targets that take no part
  mutable std::string arguments_made_with_;
  mutable bool made_ = false;
  mutable int source_version_ = 0;
  mutable int target_version_ = 0;
};

}  // namespace openmi
