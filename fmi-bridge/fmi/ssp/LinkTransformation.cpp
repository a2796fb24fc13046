#include "fmi-bridge/fmi/ssp/LinkTransformation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "composition/link/Variables.hpp"
#include "fmi-bridge/fmi/ssp/SspDocument.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::ssp {
namespace {

using Kind = Transformation::Kind;

/// The entries of the formula "x == 1 ? 10 : (x == 2 ? 20 : (x))", which an import writes for a mapping of integers.
std::optional<std::vector<std::pair<std::string, std::string>>> EntriesIn(std::string_view formula) {
  std::vector<std::pair<std::string, std::string>> entries;
  std::string_view rest = Trimmed(formula);
  while (rest.starts_with("x ==")) {
    const std::size_t question = rest.find('?'), colon = rest.find(':');
    if (question == std::string_view::npos || colon == std::string_view::npos || colon < question) return std::nullopt;
    const std::string_view source = Trimmed(rest.substr(4, question - 4));
    const std::string_view target = Trimmed(rest.substr(question + 1, colon - question - 1));
    if (!AsNumber<std::int64_t>(source) || !AsNumber<std::int64_t>(target)) return std::nullopt;
    entries.emplace_back(source, target);
    rest = Trimmed(rest.substr(colon + 1));
    if (!rest.starts_with('(') || !rest.ends_with(')')) return std::nullopt;
    rest = Trimmed(rest.substr(1, rest.size() - 2));
  }
  if (rest != "x" || entries.empty()) return std::nullopt;
  std::ranges::reverse(entries);  // the first one is innermost
  return entries;
}

/// "a=0; b=1" as name and number.
std::vector<std::pair<std::string, std::string>> TableIn(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> table;
  for (const std::string& entry : Split(text, ";")) table.push_back(PairAt(entry, entry.rfind('=')));
  return table;
}

class Adaptors {
 public:
  Adaptors(const LinkSpec& link, const std::string& file, Problems& problems)
      : link_(link), file_(file), problems_(problems) {}
  std::optional<LinkTransformation> Read(const fmi::Variable& from, const fmi::Variable& to,
                                         const std::string& from_unit, const std::string& to_unit,
                                         const std::optional<LinearConversion>& conversion) {
    const bool units_differ = !from_unit.empty() && !to_unit.empty() && from_unit != to_unit;
    bool is_converted = !units_differ;
    for (const AdaptorSpec& adaptor : link_.adaptors) {
      if (!KnowsArguments(adaptor)) return std::nullopt;
      const std::string unit = Argument(adaptor, "unit");
      if (adaptor.id == "unit-conversion" && (unit == to_unit || to_unit.empty())) {
        is_converted = true;
      } else if (adaptor.id == "expression" && Trimmed(Argument(adaptor, "formula")) == "x") {
        if (units_differ) found_.transformation.suppress_units = true;
        is_converted = true;
      } else if (adaptor.id == "expression" && unit.empty() && EntriesIn(Argument(adaptor, "formula"))) {
        if (!Take(adaptor, Kind::Integer)) return std::nullopt;
        found_.transformation.entries = *EntriesIn(Argument(adaptor, "formula"));
      } else if (adaptor.id == "linear-operation" && (is_converted || conversion)) {
        if (!TakeLinear(adaptor, is_converted ? after_ : before_)) return std::nullopt;
      } else if (adaptor.id == "categories-to-numbers") {
        there_ = &adaptor;
      } else if (adaptor.id == "numbers-to-categories") {
        if (there_ != nullptr && !TakeTables(adaptor, from)) return std::nullopt;
        there_ = nullptr;
      } else if (adaptor.id == "one-value" && Argument(adaptor, "of") == "element" && &adaptor == &link_.adaptors[0]) {
        found_.start_element = Argument(adaptor, "element");
      } else if (adaptor.id != (fmi::IsFloat(from.type) ? "linear" : "previous")) {
        Refuse(adaptor);
        return std::nullopt;
      }
    }
    if (found_.transformation.kind == Kind::Linear) Combine(conversion);
    // Numbers for categories alone: the conversion that an import adds between these types.
    const bool is_between_types = there_ == nullptr || to.type != fmi::VariableType::Boolean;
    if (!is_between_types) Refuse(*there_);
    return is_between_types ? std::optional(found_) : std::nullopt;
  }

 private:
  /// A value without variables.
  std::string Argument(const AdaptorSpec& adaptor, std::string_view key) {
    const auto found = std::ranges::find(adaptor.arguments, key, &ArgumentSpec::key);
    if (found == adaptor.arguments.end()) return {};
    Problems ignored;  // the text stays, and is refused where it means nothing
    return Substitute(found->value, {}, {}, ignored);
  }

  /// An argument that an adaptor does not have would be lost, and the connection would mean something else.
  bool KnowsArguments(const AdaptorSpec& adaptor) {
    static const std::map<std::string, std::vector<std::string>> kArguments{
        {"categories-to-numbers", {"table", "unit"}},
        {"expression", {"formula", "unit"}},
        {"linear-operation", {"a", "b"}},
        {"numbers-to-categories", {"table"}},
        {"one-value", {"of", "element"}},
        {"unit-conversion", {"unit"}}};
    const auto known = kArguments.find(adaptor.id);
    if (known == kArguments.end()) return true;
    for (const ArgumentSpec& argument : adaptor.arguments) {
      if (std::ranges::find(known->second, argument.key) != known->second.end()) continue;
      AddError(problems_, {.file = file_, .line = argument.line},
               fmt::format("expected an argument of adaptor '{}', found '{}'", adaptor.id, argument.key),
               Suggest(argument.key, known->second));
      return false;
    }
    return true;
  }

  void Refuse(const AdaptorSpec& adaptor) {
    AddError(problems_, {.file = file_, .line = adaptor.line == 0 ? link_.line : adaptor.line},
             fmt::format("expected a link that a connection of SSP can express, found the adaptor {} on {}",
                         Quoted(adaptor.id), Quoted(link_.Text())),
             "SSP has linear transformations (after conversions of units), mappings of categories and integers, and "
             "single elements; remove the adaptor, or make an FMU of it");
  }

  bool Take(const AdaptorSpec& adaptor, Kind kind) {
    if (found_.transformation.kind == Kind::None) {
      found_.transformation.kind = kind;
      return true;
    }
    Refuse(adaptor);  // a second transformation
    return false;
  }

  /// v -> factor v + offset.
  struct Line {
    double factor = 1.0;
    double offset = 0.0;
  };

  bool TakeLinear(const AdaptorSpec& adaptor, Line& line) {
    const std::string a_text = Argument(adaptor, "a"), b_text = Argument(adaptor, "b");
    const std::optional<double> a = a_text.empty() ? 1.0 : AsNumber<double>(a_text);
    const std::optional<double> b = b_text.empty() ? 0.0 : AsNumber<double>(b_text);
    Transformation& linear = found_.transformation;
    if (!a || !b || (linear.kind != Kind::None && linear.kind != Kind::Linear)) {
      Refuse(adaptor);
      return false;
    }
    linear.kind = Kind::Linear;
    line = {*a * line.factor, *a * line.offset + *b};
    return true;
  }

  /// The line of SSP, which comes after the conversion of units c x + d:
  /// a1 (c (a0 x + b0) + d) + b1 = f (c x + d) + o.
  ///
  /// Source: SSP 2.0, 5.4.2, suppressUnitConversion; 7.1.1.
  void Combine(const std::optional<LinearConversion>& conversion) {
    const auto [c, d] = conversion.value_or(LinearConversion{});
    Transformation& linear = found_.transformation;
    linear.factor = after_.factor * before_.factor;
    linear.offset = after_.factor * (c * before_.offset + d * (1.0 - before_.factor)) + after_.offset;
  }

  bool TakeTables(const AdaptorSpec& back, const fmi::Variable& from) {
    if (!Take(back, from.type == fmi::VariableType::Boolean ? Kind::Boolean : Kind::Enumeration)) return false;
    std::map<std::string, std::string> names;
    for (const auto& [name, number] : TableIn(Argument(back, "table"))) names[number] = name;
    for (const auto& [name, number] : TableIn(Argument(*there_, "table"))) {
      const auto target = names.find(number);
      if (target == names.end()) {
        Refuse(back);
        return false;
      }
      found_.transformation.entries.emplace_back(name, target->second);
    }
    return true;
  }

  const LinkSpec& link_;
  const std::string& file_;
  Problems& problems_;
  LinkTransformation found_;
  Line before_, after_;                 // the conversion of units
  const AdaptorSpec* there_ = nullptr;  // the conversion to numbers that waits for the one back
};

}  // namespace

bool IsSameUnit(const fmi::UnitDefinition& a, const fmi::UnitDefinition& b) {
  return a.has_base && b.has_base && a.exponents == b.exponents && a.factor == b.factor && a.offset == b.offset;
}

void WarnOfUnit(const std::string& connector, const std::string& stated, const fmi::UnitDefinition& own,
                const std::map<std::string, fmi::UnitDefinition>& units, const Where& where, Problems& problems) {
  const auto known = units.find(stated);
  if (stated.empty() || stated == own.name || (known != units.end() && IsSameUnit(known->second, own))) return;
  AddWarning(problems, where,
             fmt::format("expected the connector {} to have the unit of its variable, {}, found {}: the number is in "
                         "the unit of the variable",
                         connector, Quoted(own.name), Quoted(stated)),
             "correct the unit of the connector");
}

std::optional<LinkTransformation> TransformationOf(const LinkSpec& link, const fmi::Variable& from,
                                                   const fmi::Variable& to, const std::string& from_unit,
                                                   const std::string& to_unit,
                                                   const std::optional<LinearConversion>& conversion,
                                                   const std::string& file, Problems& problems) {
  return Adaptors(link, file, problems).Read(from, to, from_unit, to_unit, conversion);
}

XmlElement ElementOf(const Transformation& transformation) {
  if (transformation.kind == Kind::Linear) {
    return MakeElement(
        kSsc, "LinearTransformation",
        {{"factor", fmt::format("{}", transformation.factor)}, {"offset", fmt::format("{}", transformation.offset)}});
  }
  const char* name = transformation.kind == Kind::Boolean   ? "BooleanMappingTransformation"
                     : transformation.kind == Kind::Integer ? "IntegerMappingTransformation"
                                                            : "EnumerationMappingTransformation";
  XmlElement element = MakeElement(kSsc, name);
  for (const auto& [source, target] : transformation.entries) {
    XmlElement& entry = AddChild(element, MakeElement(kSsc, "MapEntry"));
    entry.attributes = {{"source", {}, source}, {"target", {}, target}};
  }
  return element;
}

}  // namespace openmi::ssp
