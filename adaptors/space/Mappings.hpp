#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "adaptors/kernels/NearestPlaces.hpp"
#include "adaptors/kernels/PointsInPolygons.hpp"
#include "adaptors/kernels/PolygonWeights.hpp"
#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// A spatial adaptor whose weights a function makes.
class MapBy final : public SpatialAdaptor {
 public:
  /// Makes the weights with the present arguments.
  /// \throws LinkError  the method cannot use the elements
  using Method = std::function<SpatialMapping(const IElementSet& source, const IElementSet& target)>;
  /// \param declare  called as `declare(adaptor)`: declares the method's arguments and returns the method
  template <class Declare>
  MapBy(std::string id, IBaseOutput& adaptee, const IBaseInput* target, Carries carries, const Declare& declare)
      : SpatialAdaptor(std::move(id), adaptee, target, carries), method_(declare(*this)) {}
  using SpatialAdaptor::AddArgument;
  using SpatialAdaptor::Place;
  using SpatialAdaptor::SetOwnDefinition;
  using SpatialAdaptor::Threads;
  /// Replaces the effect that spatial adaptors have. For methods, when they declare.
  void StatesEffect(EffectOnAmount effect) { effect_ = std::move(effect); }
  /// States that the method does without the places of elements. For methods, when they declare.
  void NeedsNoPlaces() { uses_places_ = false; }
  EffectOnAmount StateEffect() const override { return effect_ ? *effect_ : SpatialAdaptor::StateEffect(); }

 protected:
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override {
    return method_(source, target);
  }
  bool UsesPlaces() const override { return uses_places_; }

 private:
  std::optional<EffectOnAmount> effect_;
  bool uses_places_ = true;
  Method method_;  // made last, since its declaration sets the others
};

/// An `AdaptorOffer::make` for a method below and its constants.
template <Carries carries, auto declare, auto... constants>
std::unique_ptr<IBaseAdaptedOutput> MakeMap(const std::string& id, IBaseOutput& adaptee, const IBaseInput* target) {
  return std::make_unique<MapBy>(id, adaptee, target, carries,
                                 [](MapBy& adaptor) { return declare(adaptor, constants...); });
}

/// The divisor of common lengths.
enum class LengthWeights {
  Mean,       ///< their sum for each target: rows sum to 1, or to -1 .. 1 with signed lengths
  PerTarget,  ///< the target's length: parts without a source count as 0
  Distribute  ///< the source's length: totals are kept
};

/// The cells of a mesh that a method interpolates in.
enum class MeshCells { Triangles, Quadrilaterals };

/// Weights sources by the area that they have in common with a target (ElementMapper800, 801, 802).
MapBy::Method MapByArea(MapBy& adaptor, PolygonWeightKind kind);

/// Weights sources by common area, with a slope in each of them: second order (`SecondOrderWeights`).
MapBy::Method MapByAreaAndSlope(MapBy& adaptor);

/// Weights polylines by their lengths in a polygon (ElementMapper500 Mean, 501 Distribute).
MapBy::Method MapLinesToPolygons(MapBy& adaptor, LengthWeights kind);

/// Weights polygons by the length of a polyline in them (ElementMapper700 Mean, 701 PerTarget).
MapBy::Method MapPolygonsToLines(MapBy& adaptor, LengthWeights kind);

/// Weights polylines by the length over which they coincide.
///
/// Argument `direction`: `signed` changes the sign of a source with the opposite direction, as a flux along or across a
/// line needs; `ignore` does not, as a level needs.
MapBy::Method MapLinesToLines(MapBy& adaptor, LengthWeights kind);

/// Gives each target the value of the nearest source; equally near sources share (ElementMapper100, 200, 400).
///
/// The distance of elements is that of their middles. Between points and polylines, it is that from the nearest place
/// of the line. On the earth, distances are those on the sphere; where both sets have Z, those in space.
MapBy::Method MapNearest(MapBy& adaptor);

/// Gives the value of each source to its nearest target, which takes the mean or the sum of the values it gets.
MapBy::Method MapToNearestTarget(MapBy& adaptor, Gather gather);

/// Weights the nearest sources by a power of 1 / distance (ElementMapper101, 201, 401); distances as for `MapNearest`.
MapBy::Method MapByInverseDistance(MapBy& adaptor);

/// Interpolates linearly between the sources around a target.
///
/// Values belong to elements. In a mesh of polygons they are at the cells' centres, and the interpolation uses a mesh
/// between these centres. `Quadrilaterals` uses the dual of the mesh; around the vertices of a mesh of quadrilaterals
/// its cells are quadrilaterals again (bilinear). `Triangles` uses the Delaunay triangles between the centres
/// (barycentric).
///
/// For points, `Triangles` uses Delaunay triangles between them, and `Quadrilaterals` needs a grid along the axes.
/// Targets beyond the outermost centres are not covered.
MapBy::Method MapOnMesh(MapBy& adaptor, MeshCells cells);

/// Gives each target the value of the polygon (or in space the polyhedron) that its place lies in (ElementMapper600).
MapBy::Method MapValueAt(MapBy& adaptor);

/// Gives each polygon the mean or the sum of the points inside it (ElementMapper300, 301).
MapBy::Method MapPointsInPolygons(MapBy& adaptor, InPolygon gather);

/// Interpolates with radial basis functions about all sources (`RadialBasisWeights`).
///
/// Wendland's functions have compact support.
MapBy::Method MapByRadialBasis(MapBy& adaptor);

/// Interpolates with radial basis functions in overlapping, blended patches (`PartitionOfUnityWeights`), for many
/// sources.
MapBy::Method MapByPatches(MapBy& adaptor);

/// Fits a linear function to the nearest sources of each target (moving least squares).
///
/// It suits scattered sources, also for targets beyond the outermost ones.
MapBy::Method MapByLeastSquares(MapBy& adaptor);

/// What kriging gives: the estimate, or its variance.
enum class KrigingGives { Estimate, Variance };

/// Ordinary kriging (`OrdinaryKriging`) with a variogram from arguments.
///
/// The variance depends on the places alone and has the square of the values' unit.
/// \throws UnitError  the variance is wanted, and the values have no unit or a unit with an offset
MapBy::Method MapByKriging(MapBy& adaptor, KrigingGives give);

/// Maps along M, the chainage of a reach: points and polylines with M on both sides.
///
/// Argument `give`: `interpolated` between the middles of sources, or the `mean` over the stretch that a target has in
/// common with them.
MapBy::Method MapAlongMeasure(MapBy& adaptor);

/// Gives each target the value of the source element with the same id.
///
/// The method throws LinkError if no source has the id of a target.
MapBy::Method MapById(MapBy& adaptor);

/// Takes the weights from a NetCDF file of SCRIP, CDO or ESMF, whose elements are those of the two sets, in their
/// order; or from a table of edges, such as the links between two populations, with their ids.
///
/// The method throws LinkError if no file is given or the file is for other numbers of elements, and FileError and
/// FormatError as `ReadWeightFile`.
MapBy::Method MapByWeightFile(MapBy& adaptor);

}  // namespace openmi
