#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bmi-bridge/component/BmiArguments.hpp"
#include "bmi-bridge/component/Variable.hpp"
#include "bmi-bridge/model/Model.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi::bmi {

/// The elements of the variables of a model: all variables with the same grid and location share one element set.
///
/// Elements are in the flat order of the values, and their ids are the flat indices from 0 on (omitted if there are
/// more than 100 000). The lists of a grid start with the last axis: shape [ny, nx], origin [y0, x0].
///
/// | grid | nodes | edges | faces |
/// | --- | --- | --- | --- |
/// | scalar, none | a value without a place; bare ids if there are several | | |
/// | points | points | | |
/// | vector | points | lines from one to the next | |
/// | uniform_rectilinear, rectilinear, structured_quadrilateral | points | bare ids | quadrangles (bare ids in 3D) |
/// | unstructured | points | lines | polygons |
class GridElements {
 public:
  /// \param model  borrowed
  /// \param wkt    the reference system of the coordinates, which a model does not give
  /// \param rank   of this process, which begins the ids of its elements ("2:0"); no value: one process has them all
  GridElements(Model& model, std::string wkt, std::optional<int> rank = {})
      : model_(&model), wkt_(std::move(wkt)), rank_(rank) {}

  /// Reads from another model of the same kind from now on.
  /// \param model  borrowed
  void Use(Model& model) { model_ = &model; }
  /// Reads all grids again. If elements have moved, the element set gets the new coordinates and a higher version.
  /// \throws FormatError  a grid no longer describes the elements
  /// \throws RangeError   the number or the type of the elements has changed
  void Follow();
  /// The elements of a variable, one for each value; null for a single value without a place.
  ///
  /// If the grid cannot describe the elements, they have bare ids, and a warning states why.
  std::shared_ptr<const ISpatialDefinition> Of(const Variable& variable, std::vector<std::string>& warnings);

 private:
  struct Grid;
  struct Made {
    Variable variable;
    std::shared_ptr<ElementSet> elements;  // null for a scalar
  };
  std::shared_ptr<ElementSet> Make(const Variable& variable);
  std::shared_ptr<ElementSet> MakePoints(const Grid& grid, const Variable& variable) const;
  std::shared_ptr<ElementSet> MakeLines(const Grid& grid, const Variable& variable, const std::vector<int>& ends) const;
  std::shared_ptr<ElementSet> MakeFaces(const Grid& grid, const Variable& variable, const std::vector<int>& nodes,
                                        const std::vector<int>& counts) const;
  Grid Read(int grid) const;
  void ReadStructured(Grid& grid) const;

  Model* model_;
  /// Empty if there are too many elements to name them all.
  std::string IdOf(std::size_t index, std::size_t count) const;
  std::vector<std::string> Indices(std::size_t count) const;

  std::string wkt_;
  std::optional<int> rank_;
  std::map<std::tuple<int, std::string, std::size_t>, Made> made_;
};

/// The elements of values whose model gives no place, from the arguments: those of the file, or the one that `element`
/// names; null if the arguments give none.
/// \param path  of `elements-file`
/// \throws ArgumentError  the file has no such element, or the area cannot be read, or is that of several elements
std::shared_ptr<const ElementSet> GivenElements(const BmiArguments& arguments, const Model& model,
                                                const std::string& caption, const std::string& path);

std::vector<std::string> IdsOf(const ElementSet& elements);

}  // namespace openmi::bmi
