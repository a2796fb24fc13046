#pragma once

#include <span>
#include <string>
#include <vector>

#include "adaptors/Geometry.hpp"
#include "adaptors/RowAdaptor.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// How values go from one element set to another.
enum class SpatialMethod {
  ById,              ///< the source element with the same id; a target id without one is refused
  Nearest,           ///< the source whose point is nearest; equally near ones share (ElementMapper100)
  AreaWeightedMean,  ///< weighted by common areas, rows sum to 1 (ElementMapper800)
  AreaWeightedSum    ///< common area over target area: what no source covers counts as 0 (ElementMapper801)
};

/// Maps the values of one element set to another with weights that are made once for each pair of versions.
///
/// Argument `missing`: what a missing source value does to its targets (propagate, or renormalise over the sources that
/// are there). Argument `uncovered`: what targets get that no source reaches (error, missing).
class SpatialAdaptor final : public RowAdaptor {
 public:
  /// \param target  whose elements to map to; borrowed for the life of the adaptor, as is the adaptee
  /// \throws LinkError  target or adaptee have no elements, or none that the method can use; ids or targets without a
  /// source
  SpatialAdaptor(std::string id, IBaseOutput& adaptee, const IBaseInput* target, SpatialMethod method);
  void Check() override { RequireSources(); }

  const ISpatialDefinition* SpatialDefinition() const override { return target_; }

  /// For methods by area: how much of each source element lies in targets, m2 (or coordinate units squared); else
  /// empty.
  std::span<const double> CoveredSourceArea() const { return covered_; }
  /// Likewise how much of each target element sources cover.
  std::span<const double> CoveredTargetArea() const { return covered_targets_; }
  /// The targets that no source reaches, by index.
  const std::vector<std::size_t>& UncoveredTargets() const { return uncovered_; }
  const SparseRows& Weights() const { return weights_; }

 protected:
  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;
  std::size_t OutWidth(std::size_t) override;

 private:
  void MakeWeights();
  void RequireSources() const;
  SpatialMethod method_;
  const IElementSet* source_ = nullptr;
  const IElementSet* target_ = nullptr;
  Argument<std::string> missing_sources_;
  Argument<std::string> uncovered_policy_;
  SparseRows weights_;
  ApplyOptions options_;
  std::vector<double> covered_;
  std::vector<double> covered_targets_;
  std::vector<std::size_t> uncovered_;
  int source_version_ = -1;
  int target_version_ = -1;
};

/// Multiplies a value per area with the area of its element: depth rate to volume rate, depth to volume. The dimension
/// gains two powers of length. The area is the element set's attribute that the argument `attribute` names ("area"),
/// else geodesic on WGS84, else planar; the report says which.
class TimesElementArea final : public RowAdaptor {
 public:
  /// \throws LinkError  the adaptee has no elements
  TimesElementArea(std::string id, IBaseOutput& adaptee);
  /// \throws LinkError  the elements have no area
  void Check() override { Renew(); }

  /// Where the areas come from, and how far attribute and geometry differ.
  const std::string& AreaSource() const { return Renew().source; }
  double AreaDifference() const { return Renew().difference; }
  std::span<const double> Areas() const { return Renew().square_metres; }

 protected:
  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;

 private:
  /// The areas, read again when the elements or the argument changed.
  const ElementAreas& Renew() const;
  Argument<std::string> attribute_;
  const IElementSet* elements_ = nullptr;
  mutable ElementAreas areas_;
  mutable std::string read_attribute_;
  mutable int version_ = -1;
  std::span<const double> factors_;  // shape [elements], m2
};

}  // namespace openmi
