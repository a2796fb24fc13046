#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "composition/import/ngen/ForcingSource.hpp"
#include "composition/import/ngen/Hydrofabric.hpp"
#include "composition/import/ngen/Realization.hpp"
#include "composition/model/CompositionFile.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ngen {

/// Catchments that differ only in the values of parameters, the names of configurations, and the data of the forcing.
struct CatchmentGroup {
  std::vector<std::size_t> rows;         ///< of the catchments of the hydrofabric
  std::vector<const Formulation*> each;  ///< of each of them; shape [rows]
  int source = -1;                       ///< of the forcing; negative: none

  const Formulation& Of() const { return *each.front(); }
};

/// The groups of all catchments that have a formulation, and their sources of forcing.
struct GroupedCatchments {
  std::vector<CatchmentGroup> groups;
  std::vector<ForcingSource> sources;
};

/// \param root  folder from which relative paths start
GroupedCatchments GroupCatchments(const Realization& realization, const Hydrofabric& hydrofabric,
                                  const std::filesystem::path& root, Problems& problems);

/// What the modules of a group are given, as values of a population with `{{column}}`, and its table.
struct GroupTable {
  TableSpec table;                      ///< with the path as it is, not yet relative
  std::string text;                     ///< of the table as CSV; empty: it is that of the hydrofabric
  std::vector<std::string> configs;     ///< shape [modules]: paths below `root`, with `{{column}}`
  std::vector<std::string> parameters;  ///< shape [modules]: "name=value;..."
};

/// \param name  of the table, if it is a file of its own
/// \param root  folder from which relative paths start
GroupTable TableOf(const CatchmentGroup& group, const Hydrofabric& hydrofabric, const std::string& name,
                   const std::filesystem::path& root, Problems& problems);

/// The configuration of a module for one catchment, as a path.
std::filesystem::path ConfigOf(const Module& module, const std::string& catchment, const std::filesystem::path& root);

/// A table as a population names it.
TableSpec SpecOf(const population::TableSource& source);

/// An argument that is in no file yet.
inline ArgumentSpec Argument(std::string key, std::string value) {
  return {.key = std::move(key), .value = std::move(value), .line = 0};
}

/// An adaptor that is in no file yet.
inline AdaptorSpec Adaptor(std::string id, std::vector<ArgumentSpec> arguments = {}) {
  return {.id = std::move(id), .factory = {}, .arguments = std::move(arguments), .line = 0};
}

}  // namespace openmi::ngen
