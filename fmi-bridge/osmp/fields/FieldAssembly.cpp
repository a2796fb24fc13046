#include "fmi-bridge/osmp/fields/FieldAssembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::osi {
namespace {

/// The nearest integer; beyond the range of 64 bits, the end of that range.
std::uint64_t Whole(double value) {
  const double whole = std::round(value);
  if (whole < 0.0) return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::max(whole, -0x1p63)));
  return whole < 0x1p64 ? static_cast<std::uint64_t>(whole) : ~std::uint64_t{0};
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

/// A field that is written, with the fields in it.
struct FieldAssembly::Node {
  const FieldInfo* field = nullptr;
  std::vector<Node> children = {};  // sorted by the numbers of their fields
  int column = -1;                  // of a number or a message that ends here
  const Constant* constant = nullptr;
  bool varies = false;  // whether a column is inside it
  bool is_list = false;
  bool is_id = false;
  bool is_version = false;
  bool is_time = false;

  /// The node of a field, which is added where there is none.
  static Node& Of(const FieldInfo& field, std::vector<Node>& nodes) {
    const auto at =
        std::ranges::lower_bound(nodes, field.number, {}, [](const Node& node) { return node.field->number; });
    return at != nodes.end() && at->field == &field ? *at : *nodes.insert(at, Node{.field = &field});
  }
};

/// One message while it is written.
class FieldAssembly::Writing {
 public:
  Writing(const Content& content, MessageWriter& writer) : content_(content), writer_(writer) {}

  /// Writes the base without the fields that are set otherwise.
  void CopyBase(const std::vector<Node>& fields) {
    for (FieldReader field(content_.base); field.Next();) {
      const bool is_own = std::ranges::any_of(fields, [&](const Node& node) {
        return node.field->number == field.Number() && (node.is_version || node.is_time);
      });
      if (!is_own) writer_.Copy(field.Whole());
    }
  }

  void Fields(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) Field(node);
  }

 private:
  void Field(const Node& node) {
    const std::uint32_t number = node.field->number;
    const bool is_message = node.field->kind == FieldKind::Nested;
    if (node.is_version) return osi::Write(writer_, number, content_.version);
    if (node.is_time) return osi::Write(writer_, number, content_.time);
    if (node.is_id) return writer_.Unsigned(number, content_.ids[row_]);
    if (node.is_list && is_message) {
      for (row_ = 0; row_ < content_.ids.size(); ++row_) {
        if (!node.varies || IsThere(node)) Nested(node);
      }
      row_ = 0;
    } else if (node.constant != nullptr) {
      WriteNumber(*node.field, node.constant->value, node.constant->whole, writer_);
    } else if (node.column >= 0 && is_message) {
      const Message message = content_.messages[static_cast<std::size_t>(node.column)];
      if (!message.empty()) writer_.Length(number, message);
    } else if (node.column >= 0) {
      const std::span<const double> values = content_.columns[static_cast<std::size_t>(node.column)];
      for (const double value : node.is_list ? values : values.subspan(row_, 1)) {
        if (std::isnan(value)) continue;
        if (!Fits(node.field->kind, value)) RefuseValue(*node.field, value);
        WriteNumber(*node.field, value, std::nullopt, writer_);
      }
    } else if (!IsEmpty(node)) {
      Nested(node);
    }
  }

  void Nested(const Node& node) {
    writer_.Begin(node.field->number);
    Fields(node.children);
    writer_.End();
  }

  /// Whether this row has any number of a column.
  bool IsThere(const Node& node) const {
    if (node.column < 0) return std::ranges::any_of(node.children, [&](const Node& child) { return IsThere(child); });
    const auto column = static_cast<std::size_t>(node.column);
    if (node.field->kind == FieldKind::Nested) return !content_.messages[column].empty();
    return !std::isnan(content_.columns[column][row_]);
  }

  /// Whether nothing would be written into a message that is not repeated.
  bool IsEmpty(const Node& node) const {
    if (node.is_version || node.is_time || node.is_id || node.constant != nullptr) return false;
    if (node.is_list || node.children.empty()) return !IsThere(node);
    return std::ranges::all_of(node.children, [&](const Node& child) { return IsEmpty(child); });
  }

  const Content& content_;
  MessageWriter& writer_;
  std::size_t row_ = 0;
};

FieldAssembly::FieldAssembly(const Schema& schema, const std::string& message, const std::vector<FieldPath>& paths,
                             std::vector<Constant> constants)
    : constants_(std::move(constants)) {
  const MessageInfo& info = schema.Require(message);
  for (std::size_t i = 0; i < paths.size(); ++i) Add(schema, paths[i], static_cast<int>(i), nullptr);
  for (const Constant& constant : constants_) Add(schema, constant.path, -1, &constant);
  const auto own = [&](const char* name, const char* type, bool Node::*mark) {
    const FieldInfo* field = info.Find(name);
    if (field == nullptr || field->message != type) return;
    if (std::ranges::find(fields_, field, &Node::field) == fields_.end()) Node::Of(*field, fields_).*mark = true;
  };
  own("version", "InterfaceVersion", &Node::is_version);
  own("timestamp", "Timestamp", &Node::is_time);
}

FieldAssembly::~FieldAssembly() = default;

bool FieldAssembly::HasList() const {
  const auto has_list = [](const auto& self, const std::vector<Node>& nodes) -> bool {
    return std::ranges::any_of(nodes, [&](const Node& node) { return node.is_list || self(self, node.children); });
  };
  return has_list(has_list, fields_);
}

void FieldAssembly::Add(const Schema& schema, const FieldPath& path, int column, const Constant* constant) {
  const auto refuse = [&](const std::string& problem, const std::string& remedy) {
    throw ArgumentError({}, fmt::format("field '{}': {}", path.text, problem), remedy);
  };
  Node* node = nullptr;  // null: the message itself
  for (const FieldPath::Step& step : path.steps) {
    if (node != nullptr && node->column >= 0) {
      refuse("expected a message that is given whole, or its fields one by one, found both", "leave one of them out");
    }
    if (step.index >= 0)
      refuse("expected '[*]', found a number", "objects of a message that is written are known by id");
    node = &Node::Of(*step.field, node == nullptr ? fields_ : node->children);
    node->varies |= column >= 0;
    if (step.index != FieldPath::kAll || std::exchange(node->is_list, true)) continue;
    if (step.field->kind != FieldKind::Nested) continue;
    Node* inside = node;
    for (const FieldInfo* id : IdPath(schema, step.field->message)) inside = &Node::Of(*id, inside->children);
    if (inside != node) inside->is_id = true;
  }
  if (node->column >= 0 || node->constant != nullptr || node->is_id || !node->children.empty()) {
    refuse("expected a field that is set once, found it again", "leave one of them out; ids are set by 'objects'");
  }
  node->column = column;
  node->constant = constant;
  if (constant != nullptr && !constant->whole && !Fits(node->field->kind, constant->value)) {
    RefuseValue(*node->field, constant->value);
  }
}

Message FieldAssembly::Write(const Content& content, MessageWriter& writer) const {
  writer.Clear();
  Writing writing(content, writer);
  if (!content.base.empty()) writing.CopyBase(fields_);
  writing.Fields(fields_);
  return writer.Written();
}

}  // namespace openmi::osi
