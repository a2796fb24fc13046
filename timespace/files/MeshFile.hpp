#pragma once

#include <string>

#include "openmi/sdk/EnumNames.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi {

/// Which parts of a mesh become elements.
enum class MeshPlace {
  Any,   ///< the faces, else the edges, else the nodes
  Face,  ///< polygons
  Edge,  ///< polylines of two vertices
  Node   ///< points
};
inline constexpr EnumNames<MeshPlace> kMeshPlaces{
    {"face", MeshPlace::Face}, {"edge", MeshPlace::Edge}, {"node", MeshPlace::Node}};

/// Options of `ReadMeshFile`.
struct MeshOptions {
  MeshPlace place = MeshPlace::Any;
  std::string id_variable;       ///< texts or numbers, one for each element; empty: 1, 2, ...
  std::string reference_system;  ///< well-known text, for coordinates that are not in degrees
};

/// Reads the elements of an unstructured NetCDF mesh in the UGRID or the ESMF format.
///
/// Connectivity may have the faces as first or last dimension, count from 0 or 1, and contain padding. Longitudes and
/// latitudes in degrees or radians are WGS 84.
///
/// Source: UGRID conventions 1.0; ESMF Reference Manual, "ESMF unstructured file format".
/// \throws FileError    the file cannot be opened, or is not a NetCDF file
/// \throws FormatError  the file has no mesh or an invalid mesh, or coordinates in an unknown reference system; names
///   the file and its content
ElementSet ReadMeshFile(const std::string& path, const std::string& caption, const MeshOptions& options = {});

}  // namespace openmi
