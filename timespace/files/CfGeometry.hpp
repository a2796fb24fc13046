#pragma once

#include <string>
#include <vector>

#include "timespace/elements/ElementSet.hpp"
#include "timespace/files/ElementFile.hpp"
#include "timespace/files/NetcdfFile.hpp"

namespace openmi {

/// A set of points, lines or polygons in a NetCDF file.
struct CfGeometry {
  std::string container;     ///< the variable that describes it
  NetcdfDimension elements;  ///< without a name if there is a single element and no dimension
};

/// The geometries of a file after the CF conventions.
///
/// Source: CF conventions 1.8, 7.5.
/// \throws FormatError  a container names variables that do not exist, or of another shape
std::vector<CfGeometry> CfGeometriesIn(const NetcdfFile& file);

/// Reads the elements of a geometry, polygons with their parts and holes.
///
/// Ids are the texts of `options.ids`, else of the variable with the name of the dimension; without either they are
/// numbers from 1. The reference system is the `crs_wkt` of the grid mapping, else WGS 84 for coordinates in degrees,
/// else `options.reference_system`, as well-known text.
/// \throws FormatError  the counts do not fit each other, an element breaks a rule of ElementSetBuilder, a line or point
///   has several parts, or the reference system is unknown
ElementSet ReadCfGeometry(const NetcdfFile& file, const CfGeometry& geometry, const std::string& caption,
                          const ElementFileOptions& options = {});

/// The well-known text of the grid mapping that a variable names; empty if there is none.
std::string CrsWktOf(const NetcdfFile& file, const std::string& variable);

}  // namespace openmi
