#pragma once

#include "adaptors/SpatialAdaptor.hpp"

namespace openmi {

/// What common lengths are divided by.
enum class LengthWeights {
  Mean,       ///< by their sum for each target: rows sum to 1, or to -1 .. 1 where signed
  PerTarget,  ///< by the target's length: what nothing runs along counts as 0
  Distribute  ///< by the source's length: totals are kept
};

/// Weighs polylines by how long they run in a polygon (ElementMapper500 Mean, 501 Distribute).
class MapLinesToPolygons final : public SpatialAdaptor {
 public:
  MapLinesToPolygons(std::string id, IBaseOutput& adaptee, const IBaseInput* target, LengthWeights weights)
      : SpatialAdaptor(std::move(id), adaptee, target,
                       weights == LengthWeights::Distribute ? Carries::Extensive : Carries::Intensive),
        weights_(weights) {}

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  LengthWeights weights_;
};

/// Weighs polygons by how long a polyline runs in them (ElementMapper700 Mean, 701 PerTarget).
class MapPolygonsToLines final : public SpatialAdaptor {
 public:
  MapPolygonsToLines(std::string id, IBaseOutput& adaptee, const IBaseInput* target, LengthWeights weights)
      : SpatialAdaptor(std::move(id), adaptee, target), weights_(weights) {}

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  LengthWeights weights_;
};

/// Weighs polylines by how long they run along each other. Argument `direction`: `signed` turns the sign of a source
/// that runs the other way round, as a flux along or across a line needs; `ignore` does not, as a level needs.
class MapLinesToLines final : public SpatialAdaptor {
 public:
  MapLinesToLines(std::string id, IBaseOutput& adaptee, const IBaseInput* target, LengthWeights weights);

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  LengthWeights weights_;
  Argument<std::string> direction_;
};

}  // namespace openmi
