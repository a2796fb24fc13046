#pragma once

#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// The divisor of common lengths.
enum class LengthWeights {
  Mean,       ///< their sum for each target: rows sum to 1, or to -1 .. 1 with signed lengths
  PerTarget,  ///< the target's length: parts without a source count as 0
  Distribute  ///< the source's length: totals are kept
};

/// Weights polylines by their lengths in a polygon (ElementMapper500 Mean, 501 Distribute).
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

/// Weights polygons by the length of a polyline in them (ElementMapper700 Mean, 701 PerTarget).
class MapPolygonsToLines final : public SpatialAdaptor {
 public:
  MapPolygonsToLines(std::string id, IBaseOutput& adaptee, const IBaseInput* target, LengthWeights weights)
      : SpatialAdaptor(std::move(id), adaptee, target), weights_(weights) {}

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;

 private:
  LengthWeights weights_;
};

/// Weights polylines by the length over which they coincide.
///
/// Argument `direction`: `signed` changes the sign of a source with the opposite direction, as a flux along or across a
/// line needs; `ignore` does not, as a level needs.
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
