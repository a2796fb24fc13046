#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

#include "composition/report/GraphSvg.hpp"

namespace openmi {
namespace {

/// A quoted string of the dot language; control characters are dropped, line breaks become spaces.
std::string DotText(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    if (letter == '\n' || letter == '\t') {
      quoted += ' ';
    } else if (static_cast<unsigned char>(letter) >= 0x20 && letter != 0x7F) {
      quoted += letter;
    }
  }
  return quoted + "\"";
}

/// Text in a record label, where braces, bars, angle brackets and spaces have a meaning.
std::string RecordText(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (std::string_view("{}|<> \\").find(letter) != std::string_view::npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

std::string Ports(const std::vector<GraphItem>& items, char kind) {
  std::string ports;
  for (std::size_t i = 0; i < items.size(); ++i) {
    ports += fmt::format("{}<{}{}> {}", i > 0 ? "|" : "", kind, i, RecordText(items[i].id));
  }
  return ports;
}

/// Quotes a record label; its backslashes belong to the record and stay.
std::string QuotedRecord(std::string_view record) {
  std::string quoted = "\"";
  for (const char letter : record) {
    if (letter == '"') quoted += '\\';
    if (static_cast<unsigned char>(letter) >= 0x20 && letter != 0x7F) quoted += letter;
  }
  return quoted + "\"";
}

}  // namespace

std::string GraphDot(const GraphModel& model) {
  const ResolvedGraph graph = ResolveGraph(model);
  std::string dot = fmt::format("digraph {} {{\n", DotText(model.title.empty() ? "composition" : model.title));
  dot +=
      "  rankdir=LR;\n  node [shape=record, fontname=\"Helvetica\", fontsize=11];\n"
      "  edge [fontname=\"Helvetica\", fontsize=9];\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    const std::string record =
        fmt::format("{{{{{}}}|{}|{{{}}}}}", Ports(node.inputs, 'i'), RecordText(node.id), Ports(node.outputs, 'o'));
    fmt::format_to(std::back_inserter(dot), "  n{} [label={}{}{}];\n", i, QuotedRecord(record),
                   node.is_invented ? ", style=dashed" : "", node.is_trigger ? ", penwidth=2" : "");
  }
  for (std::size_t i = 0; i < graph.links.size(); ++i) {
    const ResolvedLink& link = graph.links[i];
    std::string label;
    for (const std::string& adaptor : model.links[i].adaptors) label += (label.empty() ? "" : " > ") + adaptor;
    fmt::format_to(std::back_inserter(dot), "  n{}:o{} -> n{}:i{}{};\n", link.from_node, link.from_item, link.to_node,
                   link.to_item, label.empty() ? "" : " [label=" + DotText(label) + "]");
  }
  return dot + "}\n";
}

}  // namespace openmi
