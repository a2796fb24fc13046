#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "composition/results/CfFile.hpp"
#include "composition/results/MeshTopology.hpp"
#include "composition/results/NetcdfNames.hpp"
#include "composition/results/ResultSeries.hpp"

namespace openmi {

/// The elements of results in a NetCDF file.
///
/// Series with the same elements share a dimension. The variable of its name holds the ids; beside it are the places: a
/// coordinate pair for each element, the geometry [CF-1.8, 7.5], the reference system [CF-1.8, 5.6] and, of a mesh, the
/// topology [UGRID-1.0].
///
/// Order of calls: `TakeCoordinateNames`, then names of other variables, `Define`, `Describe`, `Write`.
class ElementAxes {
 public:
  /// \param series  borrowed, as the file
  ElementAxes(CfFile& file, NetcdfNames& names, const std::vector<ResultSeries>& series);

  /// Whether the file is a set of time series after chapter 9 of the conventions: all data have one set of places, by
  /// longitude and latitude, that is no mesh.
  bool AreTimeSeries() const;
  bool HasMeshes() const;

  void TakeCoordinateNames();
  /// Defines dimensions and variables.
  /// \param variables  the names of the variables of the series
  void Define(const std::vector<std::string>& variables);
  /// The dimension of a series' elements; nothing if it has none.
  std::optional<int> DimensionOf(std::size_t series) const;
  /// Writes the attributes that lead from a variable of data to its elements.
  void Describe(int variable, std::size_t series) const;
  /// Writes ids, places and meshes.
  void Write();

 private:
  struct Values {  // of a variable, until it is written
    int variable;
    std::vector<double> doubles;
    std::vector<int> integers;
  };
  struct Axis {
    const ResultSeries* series = nullptr;  // the first with these elements
    std::string caption = {};              // of the first series that has one
    std::string name = {};
    int dimension = -1;
    int ids = -1;
    std::string x = {}, y = {}, z = {};    // names of coordinate variables; empty: there is none
    std::string node_x = {}, node_y = {};  // of the nodes of lines and polygons
    std::string coordinates = {}, geometry = {}, grid_mapping = {}, mesh = {}, location = {};  // attributes of data
    std::optional<MeshTopology> topology = {};
    std::size_t nodes_of = kNone;  // the axis whose points are the nodes of the mesh
  };

  void FindMeshes();
  void DefineIds(Axis& axis);
  void DefineGridMapping(Axis& axis);
  void DefineCoordinates(const Axis& axis);
  void DefineGeometry(Axis& axis);
  /// Defines the nodes of lines and polygons, and how many each has.
  void DefineNodes(Axis& axis, int container);
  void DefineMesh(Axis& axis);
  /// Defines a coordinate variable, x, y or z of places or nodes.
  int DefineCoordinate(const std::string& name, int dimension, const Axis& axis, char direction);
  int DefineIntegers(const std::string& name, std::initializer_list<int> dimensions, std::vector<int> values);

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  CfFile& file_;
  NetcdfNames& names_;
  const std::vector<ResultSeries>& series_;
  std::vector<Axis> axes_;
  std::vector<std::size_t> axis_of_;                                // by series; kNone: it has no elements
  std::vector<std::pair<std::string, std::string>> grid_mappings_;  // well-known text and name
  std::vector<Values> values_;
};

}  // namespace openmi
