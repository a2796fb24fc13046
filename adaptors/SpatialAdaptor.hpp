#pragma once

#include <span>
#include <string>
#include <vector>

#include "adaptors/RowAdaptor.hpp"
#include "adaptors/kernels/SparseRows.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// What a way of mapping makes of two element sets.
struct SpatialMapping {
  SparseRows weights;  ///< [target x source]
  /// For methods by area: how much of each source lies in targets, and of each target is covered; m2, or coordinate
  /// units squared. Else empty.
  std::vector<double> covered_source_area = {};
  std::vector<double> covered_target_area = {};
};

/// The base of adaptors that map the values of one element set to another with weights: a derived class says what the
/// weights are, this class keeps, renews and applies them.
///
/// Weights are made once for each pair of element-set versions and each setting of the arguments, at the latest in
/// Initialize. Argument `missing`: what a missing source value does to its targets (propagate, or renormalise over the
/// sources that are there). Argument `uncovered`: what targets get that no source reaches (error, missing).
class SpatialAdaptor : public RowAdaptor {
 public:
  /// \param target  whose elements to map to; borrowed for the life of the adaptor, as is the adaptee
  /// \throws LinkError  target or adaptee have no elements
  SpatialAdaptor(std::string id, IBaseOutput& adaptee, const IBaseInput* target);
  /// \throws LinkError  elements that the method cannot use, or targets without a source
  void Check() override;

  const ISpatialDefinition* SpatialDefinition() const override { return target_; }
  void ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool moved) override;

  /// As in `SpatialMapping`.
  std::span<const double> CoveredSourceArea() const { return Renew().covered_source_area; }
  std::span<const double> CoveredTargetArea() const { return Renew().covered_target_area; }
  const SparseRows& Weights() const { return Renew().weights; }
  /// The targets that no source reaches, by index.
  const std::vector<std::size_t>& UncoveredTargets() const;

 protected:
  /// Makes the weights, with the arguments as they are.
  /// \throws LinkError  elements that the method cannot use
  virtual SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const = 0;

  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;
  std::size_t OutWidth(std::size_t) override;

 private:
  /// The mapping, made again when elements or arguments have changed.
  const SpatialMapping& Renew() const;
  bool ElementsChanged() const;
  void RequireSources() const;

  const IElementSet* source_ = nullptr;
  const IElementSet* target_ = nullptr;
  Argument<std::string> missing_sources_;
  Argument<std::string> uncovered_policy_;
  ApplyOptions options_;
  mutable SpatialMapping mapping_;
  mutable std::vector<std::size_t> uncovered_;
  mutable std::string arguments_made_with_;
  mutable bool made_ = false;
  mutable int source_version_ = 0;
  mutable int target_version_ = 0;
};

}  // namespace openmi
