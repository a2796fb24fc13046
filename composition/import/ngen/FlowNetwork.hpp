#pragma once

#include <string>
#include <vector>

#include "composition/import/ngen/GroupLinks.hpp"
#include "composition/import/ngen/Hydrofabric.hpp"
#include "composition/import/ngen/ImportNgen.hpp"

namespace openmi::ngen {

/// Adds what the water flows through: `catchments`, `nexus` and, if the hydrofabric has flowpaths, `river`.
class FlowNetwork {
 public:
  /// \param interval_seconds  the step of ngen
  /// \param made  receives components, links, files and what is observed
  /// All are borrowed.
  FlowNetwork(const Hydrofabric& hydrofabric, const NgenOptions& options, double interval_seconds, NgenImport& made);

  /// \param flows  the runoff of each group; at least one
  void Add(const std::vector<CatchmentFlow>& flows);

 private:
  ComponentSpec& AddReady(const std::string& id, const std::string& type, const TableSpec& table,
                          std::vector<OmiArgument> arguments);
  void AddCatchments(const std::vector<CatchmentFlow>& flows);
  void AddNexuses();
  void AddRiver();
  void Observe(const std::string& component, const std::string& item);
  LinkSpec& Link(const ItemSpec& from, const ItemSpec& to);
  LinkSpec& LinkByEdges(const ItemSpec& from, const ItemSpec& to, const std::string& name, const Edges& edges);

  const Hydrofabric& hydrofabric_;
  const NgenOptions& options_;
  const double interval_seconds_;
  const std::string step_;
  NgenImport& made_;
};

}  // namespace openmi::ngen
