#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "components/population/RowTable.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ngen {

/// Edges of a network: from the id of a source to the id of a target.
using Edges = std::vector<std::pair<std::string, std::string>>;

/// The channel of each flowpath: the columns that hold it, of the flowpaths or, with `attributes.`, of a second table.
struct ChannelColumns {
  std::string length;  ///< m
  std::string slope, roughness, bottom_width, bank_slope;
};

/// The catchments, nexuses and flowpaths of NextGen: a GeoPackage, or a pair of GeoJSON files.
struct Hydrofabric {
  population::RowTable catchments;
  std::string area_column;  ///< of the catchments, km2
  population::RowTable nexuses;
  Edges to_nexus;  ///< from catchments
  std::optional<population::RowTable> flowpaths;
  population::TableSource attributes;  ///< further columns of the flowpaths; no file: none
  ChannelColumns channel;
  Edges downstream;  ///< between flowpaths, through a nexus
  Edges lateral;     ///< from catchments to their flowpaths
};

/// Reads a hydrofabric.
///
/// A GeoPackage has the layers divides, nexus and, for routing, flowpaths with a table of their attributes. In GeoJSON,
/// catchments and nexuses are two files, and there are no attributes for routing.
/// \param nexus  empty: `catchments` is a GeoPackage with all layers
/// \param route  whether flowpaths are needed
/// \throws FileError, FormatError, ArgumentError  a file cannot be read, or lacks what is needed
Hydrofabric ReadHydrofabric(const std::filesystem::path& catchments, const std::filesystem::path& nexus, bool route,
                            Problems& problems);

}  // namespace openmi::ngen
