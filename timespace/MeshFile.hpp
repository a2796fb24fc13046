#pragma once

#include <string>

#include "timespace/ElementSet.hpp"

namespace openmi {

/// What of a mesh become elements.
enum class MeshPlace {
  Any,   ///< its faces, else its edges, else its nodes
  Face,  ///< polygons
  Edge,  ///< polylines of two vertices
  Node   ///< points
};

struct MeshOptions {
  MeshPlace place = MeshPlace::Any;
  std::string id_variable;       ///< texts or numbers, one for each element; empty: 1, 2, ...
  std::string reference_system;  ///< well-known text, for coordinates that are no degrees
};

/// Reads the elements of an unstructured mesh in NetCDF: UGRID, or the unstructured form of ESMF.
///
/// Connectivity may be stored faces first or last, count from 0 or 1, and be padded. Longitudes and latitudes in
/// degrees or radians are WGS 84.
/// \throws FileError    the file cannot be opened, or is no NetCDF
/// \throws FormatError  it holds no mesh, or one that is broken, or coordinates in an unknown reference system; names
///                      the file and what there is
/// Source: UGRID conventions 1.0; ESMF Reference Manual, "ESMF unstructured file format".
ElementSet ReadMeshFile(const std::string& path, const std::string& caption, const MeshOptions& options = {});

}  // namespace openmi
