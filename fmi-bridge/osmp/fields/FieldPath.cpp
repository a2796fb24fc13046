#include "fmi-bridge/osmp/fields/FieldPath.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::osi {
namespace {

[[noreturn]] void Refuse(const std::string& path, const std::string& problem, const std::string& remedy) {
  throw ArgumentError({}, fmt::format("field '{}': {}", path, problem), remedy);
}

/// Splits "name[3]".
FieldPath::Step StepOf(const MessageInfo& message, const std::string& part, const std::string& path) {
  const auto bracket = part.find('[');
  const std::string name = part.substr(0, bracket);
  const FieldInfo* field = message.Find(name);
  if (field == nullptr) {
    std::vector<std::string> names;
    for (const FieldInfo& one : message.fields) names.push_back(one.name);
    Refuse(path, fmt::format("expected a field of {}, found '{}'", message.name, name), Suggest(name, names));
  }
  if (bracket == std::string::npos) {
    if (field->is_repeated) {
      Refuse(path, fmt::format("expected '[*]' or an index after the repeated field '{}', found none", name),
             fmt::format("write '{}[*]' for all, '{}[0]' for the first", name, name));
    }
    return {field, FieldPath::kOnly};
  }
  const std::string inside = part.ends_with(']') ? part.substr(bracket + 1, part.size() - bracket - 2) : std::string();
  if (!field->is_repeated) {
    Refuse(path, fmt::format("expected no brackets after '{}', which is not repeated, found '{}'", name, part),
           "leave them out");
  }
  if (inside == "*") return {field, FieldPath::kAll};
  const auto index = AsNumber<int>(inside);
  if (!index || *index < 0) {
    Refuse(path, fmt::format("expected '[*]' or a number from 0 on after '{}', found '{}'", name, part),
           fmt::format("write '{}[*]' for all, '{}[0]' for the first", name, name));
  }
  return {field, *index};
}

}  // namespace

std::string FieldPath::ListText() const {
  if (!HasAll()) return {};
  std::string list;
  for (std::size_t i = 0; i <= all; ++i) {
    list += (i == 0 ? "" : ".") + steps[i].field->name;
    if (steps[i].index >= 0) list += fmt::format("[{}]", steps[i].index);
  }
  return list;
}

FieldPath FieldPath::Parse(const Schema& schema, const std::string& message, const std::string& text, Ends ends) {
  FieldPath path;
  path.text = text;
  const MessageInfo* inside = &schema.Require(message);
  std::size_t at = 0;
  std::size_t alls = 0;
  while (true) {
    const auto point = text.find('.', at);
    const Step step = StepOf(*inside, text.substr(at, point - at), text);
    if (step.index == kAll && ++alls == 1) path.all = path.steps.size();
    path.steps.push_back(step);
    // The context defines the unit of a vector (a position, a velocity); the parts of a time always have the same
    // units.
    const bool says_unit = step.field->kind == FieldKind::Nested && step.field->message != "Timestamp";
    if (says_unit && !step.field->unit.empty()) path.unit = step.field->unit;
    if (point == std::string::npos) break;
    if (step.field->kind != FieldKind::Nested) {
      Refuse(text,
             fmt::format("expected nothing after '{}', which is a {}, found '{}'", step.field->name,
                         NameOf(step.field->kind), text.substr(point)),
             "end the path there");
    }
    inside = &schema.Require(step.field->message);
    at = point + 1;
  }
  if (alls > 1) Refuse(text, "expected one '[*]' at most, found more", "name one of the inner ones by its number");
  if (alls == 0) path.all = path.steps.size();
  const FieldInfo& leaf = path.Leaf();
  if (!IsNumber(leaf.kind) && !(ends == Ends::InNumberOrMessage && leaf.kind == FieldKind::Nested)) {
    std::string remedy = "OSI items are numbers; take another field";
    if (leaf.kind == FieldKind::Nested && !schema.Require(leaf.message).fields.empty()) {
      remedy = fmt::format("continue with '{}.{}'", text, schema.Require(leaf.message).fields.front().name);
    }
    Refuse(text, fmt::format("expected a number at the end, found a {}", NameOf(leaf.kind)), remedy);
  }
  if (path.unit.empty()) path.unit = leaf.unit;
  return path;
}

std::vector<const FieldInfo*> IdPath(const Schema& schema, const std::string& message) {
  const MessageInfo* info = schema.Find(message);
  if (info == nullptr) return {};
  const auto number_in = [&schema](const FieldInfo* id) -> const FieldInfo* {
    if (id == nullptr || id->is_repeated || id->message != "Identifier") return nullptr;
    return schema.Require("Identifier").Find("value");
  };
  if (message == "Identifier") return {info->Find("value")};
  const FieldInfo* id = info->Find("id");
  if (const FieldInfo* value = number_in(id)) return {id, value};
  const FieldInfo* header = info->Find("header");
  if (header == nullptr || header->kind != FieldKind::Nested) return {};
  const FieldInfo* tracking = schema.Require(header->message).Find("tracking_id");
  if (const FieldInfo* value = number_in(tracking)) return {header, tracking, value};
  return {};
}

}  // namespace openmi::osi
