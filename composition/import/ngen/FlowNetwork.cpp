#include "composition/import/ngen/FlowNetwork.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "composition/import/ngen/CatchmentGroups.hpp"
#include "timespace/files/TextTable.hpp"

namespace openmi::ngen {
namespace {

/// The step of flowpaths, as in configurations of t-route.
constexpr double kRiverSeconds = 300.0;

/// The table of a network as CSV.
std::string EdgesText(const Edges& edges) {
  std::string text = "from,to\n";
  for (const auto& [from, to] : edges) text += CsvCell(from) + "," + CsvCell(to) + "\n";
  return text;
}

/// Adds up what comes along the edges of a table; targets without an edge get 0.
AdaptorSpec ByEdges(const std::string& table, const char* columns) {
  return Adaptor("weights-from-file",
                 {Argument("file", table), Argument("columns", columns), Argument("uncovered", "fill")});
}

}  // namespace

FlowNetwork::FlowNetwork(const Hydrofabric& hydrofabric, const NgenOptions& options, double interval_seconds,
                         NgenImport& made)
    : hydrofabric_(hydrofabric),
      options_(options),
      interval_seconds_(interval_seconds),
      step_(fmt::format("{} s", interval_seconds)),
      made_(made) {}

void FlowNetwork::Add(const std::vector<CatchmentFlow>& flows) {
  AddCatchments(flows);
  AddNexuses();
  if (hydrofabric_.flowpaths) AddRiver();
}

ComponentSpec& FlowNetwork::AddReady(const std::string& id, const std::string& type, const TableSpec& table,
                                     std::vector<OmiArgument> arguments) {
  OmiFile omi;
  omi.type = type;
  omi.assembly = "openmi-components";
  omi.arguments = std::move(arguments);
  made_.files.emplace_back(id + ".omi", OmiText(omi));
  ComponentSpec component;
  component.id = id;
  component.omi = id + ".omi";
  component.population = PopulationSpec{.table = table, .tables = {}, .networks = {}};
  component.population->table.of = options_.named(table.of);
  made_.file.components.push_back(std::move(component));
  return made_.file.components.back();
}

void FlowNetwork::Observe(const std::string& component, const std::string& item) {
  ObserveSpec observe;
  observe.item = {component, item};
  made_.file.observes.push_back(std::move(observe));
}

LinkSpec& FlowNetwork::Link(const ItemSpec& from, const ItemSpec& to) {
  LinkSpec link;
  link.from = from;
  link.to = to;
  made_.file.links.push_back(std::move(link));
  return made_.file.links.back();
}

void FlowNetwork::AddCatchments(const std::vector<CatchmentFlow>& flows) {
  std::string inputs, sum;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    inputs += fmt::format("{}from{}[m3 s-1]", i == 0 ? "" : ",", i + 1);
    sum += fmt::format("{}from{}", i == 0 ? "" : "+", i + 1);
  }
  AddReady("catchments", "openmi.Expression", SpecOf(hydrofabric_.catchments.Source()),
           {{.key = "inputs", .value = inputs},
            {.key = "outputs", .value = "flow=" + sum + "[m3 s-1]"},
            {.key = "time-step", .value = step_}});
  for (std::size_t i = 0; i < flows.size(); ++i) {
    LinkSpec& link = Link(flows[i].from, {"catchments", fmt::format("from{}", i + 1)});
    link.adaptors = flows[i].adaptors;
    link.adaptors.push_back(Adaptor("divide-by-span"));
    link.adaptors.push_back(Adaptor("times-element-area"));
    // The other catchments get 0.
    if (!flows[i].table.empty()) link.adaptors.push_back(ByEdges(flows[i].table, "id,id"));
  }
  Observe("catchments", "flow");
}

LinkSpec& FlowNetwork::LinkByEdges(const ItemSpec& from, const ItemSpec& to, const std::string& name,
                                   const Edges& edges) {
  made_.files.emplace_back(name, EdgesText(edges));
  LinkSpec& link = Link(from, to);
  link.adaptors.push_back(ByEdges(name, "from,to"));
  return link;
}

void FlowNetwork::AddNexuses() {
  if (hydrofabric_.to_nexus.empty()) return;
  AddReady("nexus", "openmi.Expression", SpecOf(hydrofabric_.nexuses.Source()),
           {{.key = "inputs", .value = "inflow[m3 s-1]"},
            {.key = "outputs", .value = "flow=inflow[m3 s-1]"},
            {.key = "time-step", .value = step_}});
  LinkByEdges({"catchments", "flow"}, {"nexus", "inflow"}, "catchments-to-nexus.csv", hydrofabric_.to_nexus);
  Observe("nexus", "flow");
}

void FlowNetwork::AddRiver() {
  const ChannelColumns& channel = hydrofabric_.channel;
  ComponentSpec& river = AddReady("river", "openmi.MuskingumCunge", SpecOf(hydrofabric_.flowpaths->Source()), {});
  for (const auto& [key, column] :
       {std::pair{"length", channel.length}, std::pair{"slope", channel.slope},
        std::pair{"roughness", channel.roughness}, std::pair{"bottom-width", channel.bottom_width},
        std::pair{"bank-slope", channel.bank_slope}}) {
    river.arguments.push_back(Argument(key, "{{" + column + "}}"));
  }
  river.arguments.push_back(Argument("time-step", fmt::format("{} s", std::min(kRiverSeconds, interval_seconds_))));
  river.population->tables.push_back({.id = "attributes",
                                      .of = options_.named(hydrofabric_.attributes.file),
                                      .layer = hydrofabric_.attributes.layer,
                                      .key = hydrofabric_.attributes.key});
  if (!hydrofabric_.downstream.empty()) {
    made_.files.emplace_back("downstream.csv", EdgesText(hydrofabric_.downstream));
    NetworkSpec network;
    network.from = "outflow";
    network.to = "inflow";
    network.edges.of = "downstream.csv";
    network.from_column = "from";
    network.to_column = "to";
    river.population->networks.push_back(std::move(network));
  }
  LinkSpec& link =
      LinkByEdges({"catchments", "flow"}, {"river", "lateral-inflow"}, "catchments-to-river.csv", hydrofabric_.lateral);
  if (interval_seconds_ > kRiverSeconds) link.adaptors.push_back(Adaptor("mean-over-span"));
  Observe("river", "outflow");
  Observe("river", "depth");
}

}  // namespace openmi::ngen
