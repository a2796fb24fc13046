#include "fmi-bridge/fmi/VariableReader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "openmi/sdk/Suggest.hpp"

namespace openmi::fmi {

InitialRule RuleOf(Causality causality, Variability variability) {
  const bool is_parameter = variability == Variability::Fixed || variability == Variability::Tunable;
  const bool changes = variability == Variability::Discrete || variability == Variability::Continuous;
  switch (causality) {
    case Causality::Parameter:
    case Causality::StructuralParameter:
      return {.is_allowed = is_parameter, .standard = Initial::Exact};
    case Causality::CalculatedParameter:
      return {.is_allowed = is_parameter, .standard = Initial::Calculated, .may_be_approx = true};
    case Causality::Input:
      return {.is_allowed = changes, .standard = Initial::Exact};
    case Causality::Output:
    case Causality::Local:
      if (variability == Variability::Constant) return {.is_allowed = true, .standard = Initial::Exact};
      if (changes) return {.is_allowed = true, .standard = Initial::Calculated, .may_be_any = true};
      return {.is_allowed = causality == Causality::Local, .standard = Initial::Calculated, .may_be_approx = true};
    case Causality::Independent:
      break;
  }
  return {.is_allowed = variability == Variability::Continuous, .standard = Initial::None};
}

void VariableReader::ReadCommon(described::Attributes& attributes) {
  Variable& variable = Last();
  variable.line = attributes.Line();
  variable.name = attributes.Required("name");
  if (const auto text = attributes.Find("description")) variable.description = *text;
  if (const auto reference = attributes.Unsigned32("valueReference")) {
    variable.value_reference = *reference;
  } else if (!attributes.Find("valueReference")) {
    attributes.Required("valueReference");
  }
}

void VariableReader::ReadCausality(described::Attributes& attributes) {
  Variable& variable = Last();
  variable.causality = attributes.OneOf("causality", kCausalities).value_or(Causality::Local);
  variability_ = attributes.OneOf("variability", kVariabilities);
  initial_ = attributes.OneOf("initial", kInitials);
  if (description_.version == FmiMajor::Fmi2 && variable.causality == Causality::StructuralParameter) {
    attributes.Wrong("causality", "a causality of FMI 2.0", "structuralParameter");
    variable.causality = Causality::Parameter;
  }
}

void VariableReader::ReadFirstCausality(described::Attributes& attributes) {
  static constexpr EnumNames<Variability> kFirstVariabilities{{"constant", Variability::Constant},
                                                              {"parameter", Variability::Fixed},
                                                              {"discrete", Variability::Discrete},
                                                              {"continuous", Variability::Continuous}};
  static constexpr EnumNames<Causality> kFirstCausalities{{"input", Causality::Input},
                                                          {"output", Causality::Output},
                                                          {"internal", Causality::Local},
                                                          {"none", Causality::Local}};
  static constexpr EnumNames<AliasKind> kAliases{"noAlias", "alias", "negatedAlias"};
  Variable& variable = Last();
  variable.causality = attributes.OneOf("causality", kFirstCausalities).value_or(Causality::Local);
  variable.alias = attributes.OneOf("alias", kAliases).value_or(AliasKind::None);
  variability_ = attributes.OneOf("variability", kFirstVariabilities);
}

void VariableReader::BeginScalar(const XmlEventTag& tag) {
  description_.variables.emplace_back();
  variability_.reset();
  initial_.reset();
  has_body_ = false;
  is_fixed_ = true;
  const auto name = tag.Attribute("name");
  described::Attributes attributes(tag, report_, name == nullptr ? std::string_view() : name->value);
  ReadCommon(attributes);
  if (description_.version == FmiMajor::Fmi1) {
    ReadFirstCausality(attributes);
  } else {
    ReadCausality(attributes);
    Last().can_handle_multiple_set = attributes.Boolean("canHandleMultipleSetPerTimeInstant", true);
    attributes.Find("previous");  // from an early draft of clocks in 2.0
  }
}

void VariableReader::ReadScalarBody(const XmlEventTag& tag, VariableType type) {
  Variable& variable = Last();
  if (has_body_) {
    report_.Error(tag.line, variable.name, fmt::format("expected one type in a ScalarVariable, found {} too", tag.name),
                  "make two variables of it");
    return;
  }
  has_body_ = true;
  variable.type = type;
  described::Attributes attributes(tag, report_, variable.name);
  ReadTyped(attributes);
  if (type == VariableType::Float64 && description_.version == FmiMajor::Fmi2) {
    if (const auto state = attributes.Unsigned32("derivative")) {
      pending_.push_back({Pending::Derivative, static_cast<Index>(description_.variables.size() - 1), *state, 0});
    }
    variable.reinit = attributes.Boolean("reinit", false);
  }
  if (description_.version == FmiMajor::Fmi1) is_fixed_ = attributes.Boolean("fixed", true);
  ReadStartAttribute(attributes);
}

void VariableReader::EndScalar() {
  Variable& variable = Last();
  if (!has_body_) {
    report_.Error(variable, "expected the type of the variable, found none",
                  "write one of Real, Integer, Boolean, String, Enumeration inside the ScalarVariable");
  }
  if (description_.version == FmiMajor::Fmi1) {
    FinishFirst();
  } else {
    FinishCausality();
  }
  CheckStart();
}

void VariableReader::Begin(const XmlEventTag& tag, VariableType type) {
  Variable& variable = description_.variables.emplace_back();
  variable.type = type;
  const auto name = tag.Attribute("name");
  described::Attributes attributes(tag, report_, name == nullptr ? std::string_view() : name->value);
  ReadCommon(attributes);
  variability_.reset();
  initial_.reset();
  variable.causality = attributes.OneOf("causality", kCausalities).value_or(Causality::Local);
  variability_ = attributes.OneOf("variability", kVariabilities);
  if (type != VariableType::Clock) initial_ = attributes.OneOf("initial", kInitials);
  variable.can_handle_multiple_set = attributes.Boolean("canHandleMultipleSetPerTimeInstant", true);
  const auto self = static_cast<Index>(description_.variables.size() - 1);
  if (const auto clocks = attributes.Find("clocks")) {
    std::string_view rest = *clocks;
    for (std::string_view word = described::NextWord(rest); !word.empty(); word = described::NextWord(rest)) {
      const auto reference = described::ParseUnsigned(word);
      if (!reference || *reference > std::numeric_limits<std::uint32_t>::max()) {
        attributes.Wrong("clocks", "value references", word);
        break;
      }
      pending_.push_back({Pending::Clock, self, static_cast<std::uint32_t>(*reference), 0});
    }
  }
  if (type == VariableType::Clock) {
    std::optional<ClockAttributes> clock;
    ReadTyped(attributes);
    if (const TypeDefinition* declared = description_.TypeOf(variable)) clock = declared->clock;
    types_.ReadClock(attributes, clock);
    variable.clock = static_cast<Index>(description_.clocks.size());
    description_.clocks.push_back(*clock);
  } else {
    variable.intermediate_update = attributes.Boolean("intermediateUpdate", false);
    if (const auto previous = attributes.Unsigned32("previous")) {
      pending_.push_back({Pending::Previous, self, *previous, 0});
    }
    ReadTyped(attributes);
    if (IsFloat(type)) {
      if (const auto state = attributes.Unsigned32("derivative")) {
        pending_.push_back({Pending::Derivative, self, *state, 0});
      }
      variable.reinit = attributes.Boolean("reinit", false);
    }
    if (type != VariableType::String && type != VariableType::Binary) ReadStartAttribute(attributes);
  }
  FinishCausality();
}

void VariableReader::ReadTyped(described::Attributes& attributes) {
  Variable& variable = Last();
  const auto declared = attributes.Find("declaredType");
  if (declared && !declared->empty()) {
    variable.declared_type = types_.FindType(*declared);
    if (const TypeDefinition* type = description_.TypeOf(variable)) {
      if (type->type != variable.type) {
        report_.Error(
            attributes.Line(), variable.name,
            fmt::format("expected a declared type of {}, found {} of {}", Name(variable.type, description_.version),
                        Quoted(type->name), Name(type->type, description_.version)),
            "name another type");
        variable.declared_type = kNowhere;
      } else {
        variable.attributes = type->attributes;
      }
    } else {
      std::vector<std::string> names;
      for (const TypeDefinition& one : description_.types) {
        if (names.size() < 100 && !report_.IsFull()) names.push_back(one.name);
      }
      report_.Error(attributes.Line(), variable.name,
                    fmt::format("expected a declared type that is defined, found {}", Quoted(*declared)),
                    Suggest(*declared, names));
    }
  } else if (variable.type == VariableType::Enumeration) {
    report_.Error(attributes.Line(), variable.name, "expected the declaredType of an enumeration, found none",
                  "name the type that lists its items");
  }
  types_.ReadAttributes(attributes, variable.type, variable.attributes);
}

void VariableReader::FinishCausality() {
  Variable& variable = Last();
  const bool is_parameter = variable.causality == Causality::Parameter ||
                            variable.causality == Causality::StructuralParameter ||
                            variable.causality == Causality::CalculatedParameter;
  if (variability_) {
    variable.variability = *variability_;
  } else if (is_parameter) {
    variable.variability = Variability::Fixed;
    if (description_.version != FmiMajor::Fmi3) {
      report_.Warning(
          variable,
          fmt::format("expected the variability of a {}, found none; it was taken as fixed", Name(variable.causality)),
          "write variability=\"fixed\" or \"tunable\"");
    }
  } else {
    // The default in 2.0 is continuous for all types, but only a Real can be continuous.
    variable.variability = IsFloat(variable.type) ? Variability::Continuous : Variability::Discrete;
  }
  if (variable.variability == Variability::Continuous && !IsFloat(variable.type)) {
    // In FMI 2.0 it is also the default that the attribute has for all types, and FMUs are found that write it.
    const bool is_second = description_.version == FmiMajor::Fmi2;
    std::string problem = fmt::format(
        "expected only floats to be continuous (FMI {}), found a {}{}", is_second ? "2.0, 2.2.7" : "3.0, 2.4.7.4",
        Name(variable.type, description_.version), is_second ? "; it is taken as discrete" : "");
    const char* const remedy = "write variability=\"discrete\"";
    is_second ? report_.Warning(variable, std::move(problem), remedy)
              : report_.Error(variable, std::move(problem), remedy);
    variable.variability = Variability::Discrete;
  }
  const InitialRule rule = RuleOf(variable.causality, variable.variability);
  variable.initial = initial_.value_or(rule.standard);
  if (!rule.is_allowed) {
    report_.Error(variable,
                  fmt::format("expected a variability that a {} may have, found {}", Name(variable.causality),
                              Name(variable.variability)),
                  "parameters are fixed or tunable, inputs discrete or continuous, outputs not fixed or tunable; only "
                  "locals and outputs may be constant");
  } else if (initial_ && (!rule.Allows(*initial_) ||
                          (variable.causality == Causality::Input && description_.version == FmiMajor::Fmi2))) {
    report_.Error(
        variable,
        fmt::format("expected no initial=\"{}\" with causality {} and variability {}, found it", Name(*initial_),
                    Name(variable.causality), Name(variable.variability)),
        rule.standard == Initial::None ? "remove it" : fmt::format("remove it; it is {} then", Name(rule.standard)));
    variable.initial = rule.standard;
  }
}

void VariableReader::FinishFirst() {
  Variable& variable = Last();
  variable.variability =
      variability_.value_or(IsFloat(variable.type) ? Variability::Continuous : Variability::Discrete);
  if (variable.variability == Variability::Continuous && !IsFloat(variable.type)) {
    variable.variability = Variability::Discrete;
  }
  if (variable.variability == Variability::Fixed && variable.causality == Causality::Local) {
    variable.causality = variable.HasStart() ? Causality::Parameter : Causality::CalculatedParameter;
  }
  if (variable.HasStart()) {
    variable.initial = is_fixed_ || variable.causality == Causality::Input ? Initial::Exact : Initial::Approx;
  } else {
    variable.initial = variable.causality == Causality::Input ? Initial::Exact : Initial::Calculated;
  }
}

void VariableReader::ReadDimension(const XmlEventTag& tag) {
  Variable& variable = Last();
  described::Attributes attributes(tag, report_, variable.name);
  ArrayDimension dimension;
  const auto size = attributes.Unsigned("start");
  const auto reference = attributes.Unsigned32("valueReference");
  const bool has_size = tag.Attribute("start") != nullptr, has_reference = tag.Attribute("valueReference") != nullptr;
  if (has_size == has_reference) {
    report_.Error(
        tag.line, variable.name,
        fmt::format("expected either start or valueReference in a Dimension, found {}", has_size ? "both" : "none"),
        "write the size, or the value reference of the structural parameter that holds it");
  }
  if (size == 0) attributes.Wrong("start", "a size above 0", "0");
  dimension.size = size.value_or(1);
  if (variable.type == VariableType::Clock) {
    report_.Error(tag.line, variable.name, "expected a clock to be a scalar, found a Dimension", "make several clocks");
    return;
  }
  variable.dimensions.push_back(dimension);
  if (reference) {
    pending_.push_back({Pending::Dimension, static_cast<Index>(description_.variables.size() - 1), *reference,
                        static_cast<std::uint32_t>(variable.dimensions.size() - 1)});
  }
}

void VariableReader::ReadAlias(const XmlEventTag& tag) {
  Variable& variable = Last();
  described::Attributes attributes(tag, report_, variable.name);
  AliasName alias;
  alias.name = attributes.Required("name");
  alias.description = attributes.Text("description");
  if (const auto display = attributes.Find("displayUnit")) {
    if (const UnitDefinition* unit = description_.UnitOf(variable)) {
      const auto found =
          std::ranges::find_if(unit->display_units, [&](const DisplayUnit& one) { return one.name == *display; });
      if (found != unit->display_units.end()) {
        alias.display_unit = static_cast<Index>(found - unit->display_units.begin());
      }
    }
  }
  variable.aliases.push_back(std::move(alias));
}

void VariableReader::ReadStartAttribute(described::Attributes& attributes) {
  const auto start = attributes.Find("start");
  if (start) StoreStarts(*start, description_.version == FmiMajor::Fmi3);
}

void VariableReader::ReadStart(const XmlEventTag& tag) {
  Variable& variable = Last();
  described::Attributes attributes(tag, report_, variable.name);
  if (variable.type != VariableType::String && variable.type != VariableType::Binary) {
    report_.Error(tag.line, variable.name,
                  fmt::format("expected the attribute start in {}, found an element Start", Name(variable.type)),
                  "only String and Binary have the element");
    return;
  }
  const std::string_view value = attributes.Find("value").value_or(std::string_view());
  if (!variable.HasStart()) variable.start_begin = static_cast<std::uint32_t>(description_.texts.size());
  if (!StoreStart(value)) attributes.Wrong("value", "bytes in hexadecimal digits, two each", value);
}

bool VariableReader::StoreStart(std::string_view word) {
  Variable& variable = Last();
  if (IsFloat(variable.type)) {
    const std::optional<double> number = described::ParseDouble(word);
    if (!number) return false;
    description_.floats.push_back(*number);
  } else if (variable.type == VariableType::String) {
    description_.texts.emplace_back(word);
  } else if (variable.type == VariableType::Binary) {
    std::optional<std::string> bytes = described::BytesOfHex(described::Collapsed(word));
    if (!bytes) return false;
    description_.texts.push_back(std::move(*bytes));
  } else if (variable.type == VariableType::Boolean) {
    const std::optional<bool> value = described::ParseBoolean(word);
    if (!value) return false;
    description_.integers.push_back(*value ? 1 : 0);
  } else {
    const std::optional<std::int64_t> number = ParseInteger(word, variable.type);
    if (!number) return false;
    description_.integers.push_back(*number);
  }
  ++variable.start_count;
  return true;
}

void VariableReader::StoreStarts(std::string_view text, bool is_list) {
  Variable& variable = Last();
  const bool is_text = variable.type == VariableType::String;
  variable.start_begin = static_cast<std::uint32_t>(IsFloat(variable.type) ? description_.floats.size()
                                                    : is_text              ? description_.texts.size()
                                                                           : description_.integers.size());
  const auto wrong = [&](std::string_view word) {
    report_.Error(variable,
                  fmt::format("expected {} as start of {}, found {}",
                              IsFloat(variable.type)                   ? "a number"
                              : variable.type == VariableType::Boolean ? "true or false"
                                                                       : RangeText(variable.type),
                              Name(variable.type, description_.version), Quoted(word)),
                  "correct the value");
  };
  if (!is_list || is_text) {
    if (!StoreStart(text)) wrong(text);
    return;
  }
  std::string_view rest = text;
  std::string_view word = described::NextWord(rest);
  if (word.empty()) wrong(text);
  for (; !word.empty(); word = described::NextWord(rest)) {
    if (!StoreStart(word)) {
      wrong(word);
      return;
    }
  }
}

void VariableReader::End() {
  CheckStart();
}

void VariableReader::CheckStart() {
  const Variable& variable = Last();
  if (variable.type == VariableType::Clock) return;
  const bool is_needed = variable.initial == Initial::Exact || variable.initial == Initial::Approx;
  if (!variable.HasStart()) {
    if (is_needed && description_.version != FmiMajor::Fmi1) {
      report_.Warning(variable,
                      fmt::format("expected a start value of a variable with causality {} and initial {}, found none",
                                  Name(variable.causality), Name(variable.initial)),
                      "write start=\"...\"");
    }
    return;
  }
  if (variable.causality == Causality::Independent) {
    report_.Error(variable, "expected no start value of the independent variable, found one",
                  "remove it; the run says when it begins");
  } else if (variable.initial == Initial::Calculated && description_.version != FmiMajor::Fmi1) {
    report_.Error(variable, "expected no start value of a variable that is calculated initially, found one",
                  "remove it, or write initial=\"exact\" or \"approx\" where that is allowed");
  }
  const Limits& limits = variable.attributes.limits;
  if (!limits.minimum && !limits.maximum) return;
  const auto outside = [&](const std::string& value) {
    report_.Warning(variable, fmt::format("expected a start value from min to max, found {}", value),
                    "correct one of the three");
  };
  for (const double value : IsFloat(variable.type) ? description_.Floats(variable) : std::span<const double>()) {
    if (value < limits.minimum.value_or(value) || value > limits.maximum.value_or(value)) {
      outside(fmt::format("{}", value));
      return;
    }
  }
  if (!IsInteger(variable.type) && variable.type != VariableType::Enumeration) return;
  for (const std::int64_t value : description_.Integers(variable)) {
    const bool is_low =
        limits.minimum && (variable.type == VariableType::UInt64
                               ? static_cast<std::uint64_t>(value) < static_cast<std::uint64_t>(limits.integer_minimum)
                               : value < limits.integer_minimum);
    const bool is_high =
        limits.maximum && (variable.type == VariableType::UInt64
                               ? static_cast<std::uint64_t>(value) > static_cast<std::uint64_t>(limits.integer_maximum)
                               : value > limits.integer_maximum);
    if (is_low || is_high) {
      outside(variable.type == VariableType::UInt64 ? fmt::format("{}", static_cast<std::uint64_t>(value))
                                                    : fmt::format("{}", value));
      return;
    }
  }
}

namespace {

std::size_t At(Index index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

std::string VariableReader::Describe(Index variable) const {
  const Variable& one = description_.variables[At(variable)];
  return fmt::format("{} on line {}", Quoted(one.name), one.line);
}

void VariableReader::IndexReferences() {
  by_reference_.reserve(description_.variables.size());
  for (std::size_t i = 0; i < description_.variables.size(); ++i) {
    by_reference_.emplace_back(description_.variables[i].value_reference, static_cast<Index>(i));
  }
  if (!std::ranges::is_sorted(by_reference_)) std::ranges::sort(by_reference_);
  for (std::size_t i = 1; i < by_reference_.size(); ++i) {
    if (by_reference_[i].first != by_reference_[i - 1].first) continue;
    const Variable& again = description_.variables[At(by_reference_[i].second)];
    report_.Error(again,
                  fmt::format("expected every value reference once, found {} again; {} has it too",
                              again.value_reference, Describe(by_reference_[i - 1].second)),
                  "give one of the two another, or make it an Alias");
  }
}

Index VariableReader::Find(ValueReference reference) const {
  const auto found = std::ranges::lower_bound(by_reference_, reference, {}, [](const auto& one) { return one.first; });
  return found == by_reference_.end() || found->first != reference ? kNowhere : found->second;
}

void VariableReader::FindAliases() {
  // Integer and Enumeration have common value references.
  const auto space = [](VariableType type) {
    return static_cast<std::uint64_t>(type == VariableType::Enumeration ? VariableType::Int32 : type);
  };
  std::vector<std::pair<std::uint64_t, Index>> all;
  all.reserve(description_.variables.size());
  for (std::size_t i = 0; i < description_.variables.size(); ++i) {
    const Variable& variable = description_.variables[i];
    all.emplace_back(space(variable.type) << 32U | variable.value_reference, static_cast<Index>(i));
  }
  if (!std::ranges::is_sorted(all)) std::ranges::sort(all);
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    Index setter = kNowhere;
    for (end = begin; end < all.size() && all[end].first == all[begin].first; ++end) {
      Variable& variable = description_.variables[At(all[end].second)];
      if (end > begin) {
        variable.alias_of = all[begin].second;
        if (variable.alias == AliasKind::None) variable.alias = AliasKind::Alias;
      }
      const bool is_settable = variable.causality == Causality::Input || variable.causality == Causality::Parameter;
      if (!is_settable || description_.version == FmiMajor::Fmi1) continue;
      if (setter != kNowhere) {
        report_.Error(variable,
                      fmt::format("expected at most one of several variables with value reference {} to be set from "
                                  "outside, found this one and {}",
                                  variable.value_reference, Describe(setter)),
                      "give one of the two another value reference");
      }
      setter = all[end].second;
    }
  }
}

void VariableReader::Resolve() {
  if (description_.version == FmiMajor::Fmi3) {
    IndexReferences();
  } else {
    FindAliases();
  }
  std::vector<Pending> dimensions;
  for (const Pending& pending : pending_) {
    if (pending.kind == Pending::Dimension) {
      dimensions.push_back(pending);
    } else {
      ResolveOne(pending);
    }
  }
  ResolveDimensions(dimensions);
  ResolveDirect();
  for (std::size_t i = 0; i < description_.variables.size(); ++i) {
    const Variable& variable = description_.variables[i];
    if (variable.causality != Causality::Independent) continue;
    if (description_.independent == kNowhere) {
      description_.independent = static_cast<Index>(i);
    } else {
      report_.Error(
          variable,
          fmt::format("expected one independent variable, found this one and {}", Describe(description_.independent)),
          "keep one of the two");
    }
  }
}

void VariableReader::ResolveOne(const Pending& pending) {
  Variable& variable = description_.variables[At(pending.variable)];
  static constexpr std::array<const char*, 4> kNames = {"derivative", "previous", "clocks", "Dimension"};
  const char* name = kNames[static_cast<std::size_t>(pending.kind)];
  if (description_.version == FmiMajor::Fmi2) {
    // A position, counted from 1; only derivatives use positions.
    if (pending.reference == 0 || pending.reference > description_.variables.size()) {
      report_.Error(variable,
                    fmt::format("expected in {} the position of a variable, 1 to {}, found {}", name,
                                description_.variables.size(), pending.reference),
                    "in FMI 2.0 this is no value reference but a position in ModelVariables");
      return;
    }
    variable.derivative_of = static_cast<Index>(pending.reference - 1);
  } else {
    const Index found = Find(pending.reference);
    if (found == kNowhere) {
      report_.Error(variable,
                    fmt::format("expected in {} the value reference of a variable, found {}", name, pending.reference),
                    "correct the number");
      return;
    }
    switch (pending.kind) {
      case Pending::Derivative:
        variable.derivative_of = found;
        break;
      case Pending::Previous:
        variable.previous = found;
        break;
      default:
        variable.clocks.push_back(found);
        break;
    }
  }
  if (pending.kind != Pending::Derivative) return;
  const Variable& state = description_.variables[At(variable.derivative_of)];
  if (!IsFloat(state.type) || state.variability != Variability::Continuous) {
    report_.Error(variable,
                  fmt::format("expected a derivative of a continuous variable, found that of {}, which is {}",
                              Describe(variable.derivative_of), Name(state.variability)),
                  "correct the reference, or the variable");
  }
}

void VariableReader::ResolveDimensions(const std::vector<Pending>& dimensions) {
  for (const Pending& pending : dimensions) {
    Variable& variable = description_.variables[At(pending.variable)];
    ArrayDimension& dimension = variable.dimensions[pending.slot];
    dimension.variable = Find(pending.reference);
    if (dimension.variable == kNowhere) {
      report_.Error(variable,
                    fmt::format("expected the value reference of a variable as the size of a Dimension, found {}",
                                pending.reference),
                    "correct the number");
      continue;
    }
    const Variable& size = description_.variables[At(dimension.variable)];
    const bool is_one = size.type == VariableType::UInt64 && !size.IsArray() &&
                        (size.causality == Causality::StructuralParameter || size.variability == Variability::Constant);
    if (!is_one) {
      report_.Error(variable,
                    fmt::format("expected a UInt64 that is a structuralParameter or constant as the size of a "
                                "Dimension, found {}",
                                Describe(dimension.variable)),
                    "correct the number, or that variable");
      dimension.variable = kNowhere;
      continue;
    }
    if (!size.HasStart()) continue;
    dimension.size = static_cast<std::uint64_t>(description_.Integers(size).front());
    if (dimension.size == 0) {
      report_.Error(
          variable,
          fmt::format("expected a size above 0 of a Dimension, found 0 as start of {}", Describe(dimension.variable)),
          "correct that start value");
      dimension.size = 1;
    }
  }
}

void VariableReader::BeginDirectDependency() {
  direct_.push_back({static_cast<Index>(description_.variables.size() - 1), {}});
}

void VariableReader::AddDirectDependency(std::string name) {
  if (!direct_.empty()) direct_.back().names.push_back(std::move(name));
}

void VariableReader::ResolveDirect() {
  if (description_.version != FmiMajor::Fmi1) return;
  const VariableNames names(description_);
  std::vector<Index> row_of(description_.variables.size(), kNowhere);
  for (std::size_t i = 0; i < description_.variables.size(); ++i) {
    const Variable& variable = description_.variables[i];
    if (variable.causality != Causality::Output) continue;
    row_of[i] = static_cast<Index>(description_.structure.outputs.size());
    description_.structure.outputs.push_back({.variable = static_cast<Index>(i), .line = variable.line});
  }
  for (const Direct& direct : direct_) {
    const Variable& variable = description_.variables[At(direct.output)];
    if (row_of[At(direct.output)] == kNowhere) {
      report_.Warning(variable, "expected DirectDependency at outputs only, found it elsewhere", "remove it");
      continue;
    }
    Unknown& unknown = description_.structure.outputs[At(row_of[At(direct.output)])];
    unknown.depends_on_all = false;
    for (const std::string& name : direct.names) {
      const Index input = names.Find(name);
      if (input == kNowhere || description_.variables[At(input)].causality != Causality::Input) {
        report_.Error(variable,
                      fmt::format("expected the name of an input in DirectDependency, found {}", Quoted(name)),
                      "correct the name");
        continue;
      }
      unknown.dependencies.push_back(input);
    }
  }
}

}  // namespace openmi::fmi
