#include "fmi-bridge/osmp/fields/FieldAssembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"

namespace openmi::osi {
namespace {

std::uint64_t Whole(double value) {
  return value < 0.0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(std::llround(value)))
                     : static_cast<std::uint64_t>(std::round(value));
}

std::uint64_t ZigZag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

/// Writes one number with the type of its field.
void WriteNumber(const FieldInfo& field, double value, std::optional<std::uint64_t> exact, MessageWriter& writer) {
  const std::uint64_t whole =
      exact.value_or(field.kind == FieldKind::Double || field.kind == FieldKind::Float ? 0 : Whole(value));
  switch (field.kind) {
    case FieldKind::Double:
      return writer.Double(field.number, value);
    case FieldKind::Float:
      return writer.Float(field.number, static_cast<float>(value));
    case FieldKind::Bool:
      return writer.Bool(field.number, whole != 0);
    case FieldKind::Uint32:
      return writer.Unsigned(field.number, static_cast<std::uint32_t>(whole));
    case FieldKind::Int64:
    case FieldKind::Uint64:
      return writer.Unsigned(field.number, whole);
    case FieldKind::Sint32:
    case FieldKind::Sint64:
      return writer.Unsigned(field.number, ZigZag(static_cast<std::int64_t>(whole)));
    case FieldKind::Fixed64:
    case FieldKind::Sfixed64:
      return writer.Double(field.number, std::bit_cast<double>(whole));
    case FieldKind::Fixed32:
    case FieldKind::Sfixed32:
      return writer.Float(field.number, std::bit_cast<float>(static_cast<std::uint32_t>(whole)));
    default:
      return writer.Integer(field.number, static_cast<std::int32_t>(whole));
  }
}

/// Whether a number fits a field: -1 in an unsigned field would become another number.
bool Fits(FieldKind kind, double value) {
  const double rounded = std::round(value);
  switch (kind) {
    case FieldKind::Double:
    case FieldKind::Float:
      return true;
    case FieldKind::Bool:
      return rounded == 0.0 || rounded == 1.0;
    case FieldKind::Uint32:
    case FieldKind::Fixed32:
      return rounded >= 0.0 && rounded <= 4294967295.0;
    case FieldKind::Uint64:
    case FieldKind::Fixed64:
      return rounded >= 0.0 && rounded < 18446744073709551616.0;
    case FieldKind::Int64:
    case FieldKind::Sint64:
    case FieldKind::Sfixed64:
      return rounded >= -9223372036854775808.0 && rounded < 9223372036854775808.0;
    default:
      return rounded >= -2147483648.0 && rounded <= 2147483647.0;
  }
}

[[noreturn]] void RefuseValue(const FieldInfo& field, double value) {
  throw RangeError({.item = field.name},
                   fmt::format("expected a value that fits {}, found {}", NameOf(field.kind), value));
}

}  // namespace

FieldAssembly::FieldAssembly(const Schema& schema, const std::string& message, const std::vector<FieldPath>& paths,
                             std::vector<Constant> constants)
    : constants_(std::move(constants)) {
  const MessageInfo& info = schema.Require(message);
  nodes_.emplace_back();
  for (std::size_t i = 0; i < paths.size(); ++i) Add(schema, paths[i], static_cast<int>(i), nullptr);
  for (const Constant& constant : constants_) Add(schema, constant.path, -1, &constant);
  const auto own = [&](const char* name, const char* type, bool Node::*mark) {
    const FieldInfo* field = info.Find(name);
    if (field == nullptr || field->message != type) return;
    const auto is_set = std::ranges::any_of(
        nodes_.front().children, [&](int child) { return nodes_[static_cast<std::size_t>(child)].field == field; });
    if (!is_set) nodes_[static_cast<std::size_t>(Child(0, *field))].*mark = true;
  };
  own("version", "InterfaceVersion", &Node::is_version);
  own("timestamp", "Timestamp", &Node::is_time);
}

bool FieldAssembly::HasList() const {
  return std::ranges::any_of(nodes_, &Node::is_list);
}

int FieldAssembly::Child(int at, const FieldInfo& field) {
  for (const int child : nodes_[static_cast<std::size_t>(at)].children) {
    if (nodes_[static_cast<std::size_t>(child)].field == &field) return child;
  }
  const int added = static_cast<int>(nodes_.size());
  nodes_.emplace_back().field = &field;
  std::vector<int>& children = nodes_[static_cast<std::size_t>(at)].children;
  children.push_back(added);
  std::ranges::sort(children, {}, [&](int child) { return nodes_[static_cast<std::size_t>(child)].field->number; });
  return added;
}

void FieldAssembly::Add(const Schema& schema, const FieldPath& path, int column, const Constant* constant) {
  const auto refuse = [&](const std::string& problem, const std::string& remedy) {
    throw ArgumentError({}, fmt::format("field '{}': {}", path.text, problem), remedy);
  };
  int node = 0;
  for (const FieldPath::Step& step : path.steps) {
    if (nodes_[static_cast<std::size_t>(node)].column >= 0) {
      refuse("expected a message that is given whole, or its fields one by one, found both", "leave one of them out");
    }
    if (step.index >= 0)
      refuse("expected '[*]', found a number", "objects of a message that is written are known by id");
    node = Child(node, *step.field);
    nodes_[static_cast<std::size_t>(node)].varies |= column >= 0;
    if (step.index != FieldPath::kAll) continue;
    Node& list = nodes_[static_cast<std::size_t>(node)];
    if (!list.is_list) {
      list.is_list = true;
      int inside = node;
      if (step.field->kind != FieldKind::Nested) continue;
      for (const FieldInfo* id : IdPath(schema, step.field->message)) inside = Child(inside, *id);
      if (inside != node) nodes_[static_cast<std::size_t>(inside)].is_id = true;
    }
  }
  Node& leaf = nodes_[static_cast<std::size_t>(node)];
  if (leaf.column >= 0 || leaf.constant != nullptr || leaf.is_id || !leaf.children.empty()) {
    refuse("expected a field that is set once, found it again", "leave one of them out; ids are set by 'objects'");
  }
  leaf.column = column;
  leaf.constant = constant;
  if (constant != nullptr && !constant->whole && !Fits(leaf.field->kind, constant->value)) {
    RefuseValue(*leaf.field, constant->value);
  }
}

Message FieldAssembly::Write(const Content& content, MessageWriter& writer) const {
  writer.Clear();
  State state{content, writer};
  if (!content.base.empty()) CopyBase(state);
  Fields(nodes_.front(), state);
  return writer.Written();
}

void FieldAssembly::CopyBase(State& state) const {
  const auto is_own = [this](std::uint32_t number) {
    return std::ranges::any_of(nodes_.front().children, [&](int child) {
      const Node& node = nodes_[static_cast<std::size_t>(child)];
      return node.field->number == number && (node.is_version || node.is_time);
    });
  };
  for (FieldReader field(state.content.base); field.Next();) {
    if (!is_own(field.Number())) state.writer.Copy(field.Whole());
  }
}

void FieldAssembly::Fields(const Node& node, State& state) const {
  for (const int child : node.children) Field(nodes_[static_cast<std::size_t>(child)], state);
}

/// Whether this row has any number of a column.
bool FieldAssembly::IsThere(const Node& node, const State& state) const {
  if (node.column >= 0) {
    const auto column = static_cast<std::size_t>(node.column);
    if (node.field->kind == FieldKind::Nested) return !state.content.messages[column].empty();
    return !std::isnan(state.content.columns[column][state.row]);
  }
  return std::ranges::any_of(node.children,
                             [&](int child) { return IsThere(nodes_[static_cast<std::size_t>(child)], state); });
}

/// Whether nothing would be written into a message that is not repeated.
bool FieldAssembly::IsEmpty(const Node& node, const State& state) const {
  if (node.is_version || node.is_time || node.is_id || node.constant != nullptr) return false;
  if (node.is_list || node.children.empty()) return !IsThere(node, state);
  return std::ranges::all_of(node.children,
                             [&](int child) { return IsEmpty(nodes_[static_cast<std::size_t>(child)], state); });
}

void FieldAssembly::Field(const Node& node, State& state) const {
  MessageWriter& writer = state.writer;
  const Content& content = state.content;
  const std::uint32_t number = node.field->number;
  if (node.is_version) return osi::Write(writer, number, content.version);
  if (node.is_time) return osi::Write(writer, number, content.time);
  if (node.is_id) return writer.Unsigned(number, content.ids[state.row]);
  if (node.is_list && node.field->kind == FieldKind::Nested) {
    for (state.row = 0; state.row < content.ids.size(); ++state.row) {
      if (node.varies && !IsThere(node, state)) continue;
      writer.Begin(number);
      Fields(node, state);
      writer.End();
    }
    state.row = 0;
    return;
  }
  if (node.constant != nullptr) return WriteNumber(*node.field, node.constant->value, node.constant->whole, writer);
  if (node.column >= 0) {
    const auto column = static_cast<std::size_t>(node.column);
    if (node.field->kind == FieldKind::Nested) {
      if (!content.messages[column].empty()) writer.Length(number, content.messages[column]);
      return;
    }
    const std::span<const double> values = content.columns[column];
    const std::size_t end = node.is_list ? values.size() : state.row + 1;
    for (std::size_t row = node.is_list ? 0 : state.row; row < end; ++row) {
      if (std::isnan(values[row])) continue;
      if (!Fits(node.field->kind, values[row])) RefuseValue(*node.field, values[row]);
      WriteNumber(*node.field, values[row], std::nullopt, writer);
    }
    return;
  }
  if (IsEmpty(node, state)) return;
  writer.Begin(number);
  Fields(node, state);
  writer.End();
}

}  // namespace openmi::osi
