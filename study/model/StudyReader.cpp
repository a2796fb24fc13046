#include "study/model/StudyReader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "composition/model/FormValues.hpp"
#include "openmi/omi/SchemaValidator.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

constexpr std::string_view kNamespace = "urn:openmi2:study:1";
constexpr double kMost = std::numeric_limits<double>::max();

}  // namespace

void StudyReader::Read(const XmlDocument& document) {
  problems_.insert(problems_.end(), document.notes.begin(), document.notes.end());
  const std::size_t before = CountProblems(problems_, Problem::Error);
  if (!ReadRoot(document.root)) return;
  // The checks of this class give better messages; the schema validator runs only if they found nothing.
  if (CountProblems(problems_, Problem::Error) > before) return;
  const Problems further = ValidateXml(document, "Study.xsd");
  problems_.insert(problems_.end(), further.begin(), further.end());
}

bool StudyReader::ReadRoot(const XmlElement& root) {
  if (root.name != "Study") {
    AddError(problems_, root.Place(), fmt::format("expected the root element Study, found {}", Quoted(root.name)),
             root.name == "Composition"
                 ? "this is a composition: run it with openmi run, or name it in Composition=\"...\" of a Study"
                 : Suggest(root.name, std::vector<std::string>{"Study"}));
    return false;
  }
  if (root.namespace_uri != kNamespace) {
    AddError(problems_, root.Place(),
             fmt::format("expected the namespace '{}', found {}", kNamespace,
                         root.namespace_uri.empty() ? "none" : Quoted(root.namespace_uri)),
             fmt::format("write <Study xmlns=\"{}\" ...>", kNamespace));
  }
  form_.Only(root, {"Id", "Caption", "Description", "Composition"},
             {"Vary", "Template", "Design", "Calibrate", "Objective", "Workers", "Branch"});
  for (const char* name : {"Design", "Calibrate", "Workers", "Branch"}) form_.AtMostOne(root, name);
  file_.id = form_.Text(root, "Id");
  if (file_.id == "." || file_.id == ".." || file_.id.find('/') != std::string::npos) {
    AddError(problems_, root.Place(*root.Attribute("Id")),
             fmt::format("expected an Id of the study without '/' that can name files, found {}", Quoted(file_.id)),
             "write a name as in Id=\"storage\"; result files are named after it");
  }
  file_.caption = root.Get("Caption");
  file_.description = root.Get("Description");
  if (const XmlAttribute* composition = form_.Required(
          root, "Composition", "write Composition=\"...\", the path of a composition relative to this file")) {
    file_.composition = composition->value;
    file_.composition_line = composition->line;
  }
  for (const XmlElement& child : root.children) {
    if (child.name == "Vary") ReadVary(child);
    if (child.name == "Template") ReadTemplate(child);
    if (child.name == "Design" && !file_.design) ReadDesign(child);
    if (child.name == "Calibrate" && !file_.calibrate) ReadCalibrate(child);
    if (child.name == "Objective") ReadObjective(child);
    if (child.name == "Workers") ReadWorkers(child);
    if (child.name == "Branch") ReadBranch(child);
  }
  CheckWhole(root);
  return true;
}

void StudyReader::ReadPair(const XmlElement& element, const XmlAttribute& attribute, std::string& component,
                           std::string& name) {
  const std::size_t dot = attribute.value.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == attribute.value.size()) {
    AddError(problems_, element.Place(attribute),
             fmt::format("expected component.argument in '{}' of {}, found {}", attribute.name, element.name,
                         Quoted(attribute.value)),
             "write the component's Id, a dot and the key of the argument");
    return;
  }
  component = attribute.value.substr(0, dot);
  name = attribute.value.substr(dot + 1);
}

void StudyReader::ReadTarget(const XmlElement& element, VarySpec& vary) {
  std::vector<std::string> found;
  for (const char* name : {"Argument", "Component", "InitialState", "Adaptor"}) {
    const XmlAttribute* attribute = element.Attribute(name);
    if (attribute == nullptr || form_.Required(element, name) == nullptr) continue;
    found.emplace_back(name);
    if (attribute->name == "Argument") {
      vary.target = VaryTarget::Argument;
      ReadPair(element, *attribute, vary.component, vary.argument);
    } else if (attribute->name == "Component") {
      vary.target = VaryTarget::Component;
      vary.component = attribute->value;
    } else if (attribute->name == "InitialState") {
      vary.target = VaryTarget::InitialState;
      vary.component = attribute->value;
    } else {
      vary.target = VaryTarget::Adaptor;
      vary.link = attribute->value;
      vary.adaptor = static_cast<int>(ReadNumber(problems_, element, "Number", 1.0, 1.0, 1000.0, true));
      if (element.Attribute("Key") != nullptr) {
        vary.target = VaryTarget::AdaptorArgument;
        vary.argument = form_.Text(element, "Key");
      }
    }
  }
  if (found.size() > 1) {
    AddError(problems_, element.Place(),
             fmt::format("expected one target in Vary {}, found '{}' and '{}'", Quoted(vary.id), found[0], found[1]),
             "write a Vary for each");
  }
  if (vary.target == VaryTarget::Template) return;
  const auto [first, is_new] = targets_.try_emplace(vary.TargetText(), element.line);
  if (is_new) return;
  AddError(problems_, element.Place(),
           fmt::format("expected each target once, found {} again; the first is on line {}", Quoted(vary.TargetText()),
                       first->second),
           "remove one of the two");
}

void StudyReader::ReadRange(const XmlElement& element, VarySpec& vary) {
  for (const char* name : {"From", "To"}) {
    const XmlAttribute* attribute = element.Attribute(name);
    if (attribute == nullptr) continue;
    const auto number = AsNumber<double>(attribute->value);
    if (!number || !std::isfinite(*number)) {
      AddError(problems_, element.Place(*attribute),
               fmt::format("expected a number in '{}' of Vary, found {}", name, Quoted(attribute->value)),
               fmt::format("write {}=\"0.5\"; values that are no numbers are listed with <Value Is=\"...\"/>", name));
      continue;
    }
    (attribute->name == "From" ? vary.from : vary.to) = *number;
  }
  vary.is_whole = form_.Boolean(element, "Whole", false);
  vary.steps = static_cast<int>(ReadNumber(problems_, element, "Steps", 0.0, 2.0, 1e6, true));
  form_.OneOf(element, "Scale", kVaryScales, vary.scale);
  const bool has_from = element.Attribute("From") != nullptr;
  if (has_from != (element.Attribute("To") != nullptr)) {
    AddError(problems_, element.Place(),
             fmt::format("expected 'From' and 'To' together in Vary {}, found '{}' alone", Quoted(vary.id),
                         has_from ? "From" : "To"),
             fmt::format("write {}=\"...\" too", has_from ? "To" : "From"));
  }
  if (!vary.IsRange()) return;
  if (*vary.to <= *vary.from) {
    AddError(problems_, element.Place(*element.Attribute("To")),
             fmt::format("expected an end above the start {} in 'To' of Vary, found {}", *vary.from, *vary.to),
             "exchange 'From' and 'To', or correct one of them");
  } else if (vary.scale == VaryScale::Log && *vary.from <= 0.0) {
    AddError(problems_, element.Place(*element.Attribute("From")),
             fmt::format("expected a start above 0 for a logarithmic scale, found {}", *vary.from),
             "start above 0, or leave out 'Scale'");
  } else if (vary.is_whole && std::floor(*vary.to) < std::ceil(*vary.from)) {
    AddError(problems_, element.Place(*element.Attribute("From")),
             fmt::format("expected a whole number between {} and {}, found none", *vary.from, *vary.to),
             "widen the range");
  }
}

void StudyReader::ReadValues(const XmlElement& element, VarySpec& vary) {
  for (const XmlElement* child : element.Children("Value")) {
    form_.Only(*child, {"Is"}, {"Argument"});
    VaryValue value{.line = child->line};
    if (const XmlAttribute* is = form_.Present(*child, "Is", "write <Value Is=\"...\"/>")) value.text = is->value;
    for (const XmlElement* argument : child->Children("Argument")) {
      form_.Only(*argument, {"Key", "Value"}, {});
      const XmlAttribute* key = form_.Required(*argument, "Key");
      const XmlAttribute* text = form_.Present(*argument, "Value");
      if (key != nullptr && text != nullptr) value.arguments.push_back({key->value, text->value, argument->line});
    }
    if (!value.arguments.empty() && vary.target != VaryTarget::Component && vary.target != VaryTarget::Adaptor) {
      AddError(problems_, child->Place(), "expected arguments with whole components and adaptors only, found some",
               "write a Vary with Argument=\"...\" instead");
    }
    vary.values.push_back(std::move(value));
  }
  if (vary.values.empty() || element.Attribute("From") == nullptr) return;
  AddError(problems_, element.Place(),
           fmt::format("expected either a range or values in Vary {}, found both", Quoted(vary.id)),
           "remove 'From' and 'To', or the values");
}

void StudyReader::ReadVary(const XmlElement& element) {
  form_.Only(element,
             {"Id", "Argument", "Component", "InitialState", "Adaptor", "Number", "Key", "Unit", "From", "To", "Scale",
              "Whole", "Steps"},
             {"Value"});
  VarySpec vary;
  vary.line = element.line;
  vary.id = form_.Text(element, "Id");
  vary.unit = element.Get("Unit");
  CheckOnce(element, "Id", vary_ids_);
  if (vary.id.find_first_of("{},\"") != std::string::npos) {
    AddError(problems_, element.Place(*element.Attribute("Id")),
             fmt::format("expected an Id that can head a column and stand in a template, found {}", Quoted(vary.id)),
             "leave out braces, commas and quotes");
  }
  ReadTarget(element, vary);
  ReadRange(element, vary);
  ReadValues(element, vary);
  file_.varies.push_back(std::move(vary));
}

void StudyReader::ReadTemplate(const XmlElement& element) {
  form_.Only(element, {"Argument", "Of"}, {});
  TemplateSpec spec;
  spec.line = element.line;
  if (const XmlAttribute* argument = form_.Required(element, "Argument", "write Argument=\"component.argument\"")) {
    ReadPair(element, *argument, spec.component, spec.argument);
  }
  spec.of = form_.Text(element, "Of");
  const std::string target = spec.component + "." + spec.argument;
  if (const auto [first, is_new] = targets_.try_emplace(target, element.line); !is_new) {
    AddError(problems_, element.Place(),
             fmt::format("expected each target once, found {} again; the first is on line {}", Quoted(target),
                         first->second),
             "remove one of the two");
  }
  file_.templates.push_back(std::move(spec));
}

std::uint64_t StudyReader::ReadCount(const XmlElement& element, std::string_view name, std::uint64_t otherwise,
                                     double least) {
  return static_cast<std::uint64_t>(ReadNumber(problems_, element, name, static_cast<double>(otherwise), least,
                                               static_cast<double>(kMostMembers), true));
}

void StudyReader::ReadDesign(const XmlElement& element) {
  form_.Only(element, {"Method", "Members", "Seed", "Table"}, {});
  DesignSpec design;
  design.line = element.line;
  const bool has_method = form_.Required(element, "Method", "write Method=\"latin-hypercube\"") != nullptr;
  if (has_method) form_.OneOf(element, "Method", kDesignMethods, design.method);
  design.members = ReadCount(element, "Members", 0, 1.0);
  design.seed = ReadSeed(element);
  design.table = element.Get("Table");
  const bool is_sampled = design.method >= DesignMethod::LatinHypercube;
  const std::string method = kDesignMethods.NameOf(design.method);
  if (is_sampled && element.Attribute("Members") == nullptr) {
    AddError(problems_, element.Place(), fmt::format("expected 'Members' with a design '{}', found none", method),
             "write Members=\"1000\"");
  }
  if (!is_sampled && has_method) {
    for (const char* name : {"Members", "Seed"}) {
      if (const XmlAttribute* attribute = element.Attribute(name)) {
        AddError(problems_, element.Place(*attribute),
                 fmt::format("expected no '{}' with a design '{}', found one", name, method), "leave it out");
      }
    }
  }
  if ((design.method == DesignMethod::Table) != (element.Attribute("Table") != nullptr) && has_method) {
    AddError(problems_, element.Place(),
             fmt::format("expected 'Table' with the method 'table' and no other, found '{}' {} it", method,
                         element.Attribute("Table") != nullptr ? "with" : "without"),
             "write Method=\"table\" Table=\"members.csv\", or leave out 'Table'");
  }
  file_.design = std::move(design);
}

void StudyReader::ReadCalibrate(const XmlElement& element) {
  form_.Only(element, {"Method", "Budget", "Time", "Seed", "Population"}, {});
  CalibrateSpec calibrate;
  calibrate.line = element.line;
  form_.OneOf(element, "Method", kSearchMethods, calibrate.method);
  form_.Required(element, "Budget", "write Budget=\"500\", the number of evaluations");
  calibrate.budget = ReadCount(element, "Budget", 500, 1.0);
  calibrate.seed = ReadSeed(element);
  calibrate.population = static_cast<int>(ReadNumber(problems_, element, "Population", 0.0, 4.0, 1e5, true));
  if (const auto time = ReadSpan(problems_, element, "Time")) calibrate.seconds = ToSeconds(*time);
  file_.calibrate = calibrate;
}

void StudyReader::ReadObjective(const XmlElement& element) {
  form_.Only(element, {"Id", "Compare", "Item", "Measure", "Window", "Element", "Weight", "Goal"}, {});
  ObjectiveSpec objective;
  objective.line = element.line;
  objective.id = form_.Text(element, "Id");
  CheckOnce(element, "Id", objective_ids_);
  objective.compare = element.Get("Compare");
  objective.item = element.Get("Item");
  objective.window = element.Get("Window");
  objective.element = element.Get("Element");
  objective.weight = ReadNumber(problems_, element, "Weight", 0.0, 0.0, kMost);
  form_.OneOf(element, "Goal", kObjectiveGoals, objective.goal);
  if (objective.compare.empty() == objective.item.empty()) {
    AddError(
        problems_, element.Place(),
        fmt::format("expected either 'Compare' or 'Item' in Objective, found {}",
                    objective.compare.empty() ? "none" : "both"),
        "write Compare=\"...\", the Id of a Compare of the composition, or Item=\"component.item\", which it observes");
  }
  if (const XmlAttribute* measure = form_.Required(element, "Measure", "write Measure=\"nse\"")) {
    form_.OneOf(element, "Measure", kObjectiveMeasures, objective.measure);
    if (kObjectiveMeasures.Find(measure->value) && IsComparing(objective.measure) == objective.compare.empty()) {
      AddError(problems_, element.Place(*measure),
               fmt::format("expected a measure of {}, found {}",
                           objective.compare.empty() ? "an item alone" : "a comparison", Quoted(measure->value)),
               objective.compare.empty() ? "write mean, sum, minimum, maximum or last, or name a Compare"
                                         : "write nse, kge, log-nse, volume, peak or rmse, or name an Item");
    }
  }
  if (!objective.window.empty() && objective.compare.empty()) {
    AddError(problems_, element.Place(*element.Attribute("Window")),
             "expected 'Window' together with 'Compare', found it with 'Item'", "leave it out");
  }
  file_.objectives.push_back(std::move(objective));
}

void StudyReader::ReadWorkers(const XmlElement& element) {
  form_.Only(element, {"Count", "TimeLimit", "MemoryLimit", "Members"}, {});
  file_.workers.line = element.line;
  file_.workers.count = static_cast<int>(ReadNumber(problems_, element, "Count", 0.0, 1.0, 1024.0, true));
  if (const auto limit = ReadSpan(problems_, element, "TimeLimit"))
    file_.workers.time_limit_seconds = ToSeconds(*limit);
  file_.workers.memory_limit_bytes = ReadMemory(problems_, element, "MemoryLimit");
  file_.workers.members = ReadCount(element, "Members", 0, 1.0);
}

void StudyReader::ReadBranch(const XmlElement& element) {
  form_.Only(element, {"At"}, {});
  file_.branch_line = element.line;
  const XmlAttribute* at = form_.Required(element, "At", "write At=\"2015-12-01T00:00Z\"");
  if (at == nullptr) return;
  try {
    file_.branch = ParseIsoTime(at->value);
  } catch (const Error& error) {
    AddError(problems_, element.Place(*at), error.Problem() + " in 'At' of Branch", error.Remedy());
  }
}

void StudyReader::CheckValues(const VarySpec& vary) {
  const std::string name = Quoted(vary.id);
  const bool has_values = vary.IsRange() || !vary.values.empty();
  const bool is_table = file_.design && file_.design->method == DesignMethod::Table;
  if (is_table) {
    if (has_values) {
      AddError(problems_, Place(vary.line),
               fmt::format("expected no values in Vary {}, whose values are a column of the table, found some", name),
               "remove them, or choose another method of the design");
    }
    return;
  }
  if (!has_values) {
    AddError(problems_, Place(vary.line), fmt::format("expected values in Vary {}, found none", name),
             "write From=\"...\" To=\"...\", or <Value Is=\"...\"/> inside");
  } else if (file_.design && file_.design->method == DesignMethod::List && vary.IsRange()) {
    AddError(problems_, Place(vary.line),
             fmt::format("expected listed values in Vary {} for a design 'list', found a range", name),
             "list them with <Value Is=\"...\"/>, or choose another method");
  } else if (file_.design && file_.design->method == DesignMethod::Grid && vary.IsRange() && vary.steps == 0) {
    AddError(problems_, Place(vary.line), fmt::format("expected 'Steps' in Vary {} for a grid, found none", name),
             "write Steps=\"5\", the number of points of the range");
  }
}

void StudyReader::CheckWhole(const XmlElement& root) {
  if (file_.varies.empty()) {
    AddError(problems_, root.Place(), "expected at least one Vary in Study, found none",
             "write <Vary Id=\"...\" Argument=\"component.argument\" From=\"...\" To=\"...\"/>");
  }
  if (file_.design.has_value() == file_.calibrate.has_value()) {
    AddError(problems_, root.Place(),
             fmt::format("expected either Design or Calibrate in Study, found {}", file_.design ? "both" : "none"),
             "write <Design Method=\"latin-hypercube\" Members=\"1000\"/>, or <Calibrate Budget=\"500\"/>");
  }
  for (const VarySpec& vary : file_.varies) CheckValues(vary);
  if (file_.design && file_.design->method == DesignMethod::List && !file_.varies.empty()) {
    const std::size_t count = file_.varies.front().values.size();
    for (const VarySpec& vary : file_.varies) {
      if (vary.IsRange() || vary.values.empty() || vary.values.size() == count) continue;
      AddError(problems_, Place(vary.line),
               fmt::format("expected {} values in Vary {}, as in the first one, found {}", count, Quoted(vary.id),
                           vary.values.size()),
               "a member has the value of the same number of each list; for all combinations write Method=\"grid\"");
    }
  }
  for (const VarySpec& vary : file_.varies) {
    if (vary.target == VaryTarget::Template && file_.templates.empty()) {
      AddError(
          problems_, Place(vary.line), fmt::format("expected a target of Vary {}, found none", Quoted(vary.id)),
          "write Argument=\"component.argument\", Component, InitialState or Adaptor, or add a Template that uses it");
    }
  }
  const bool has_cost =
      std::ranges::any_of(file_.objectives, [](const ObjectiveSpec& one) { return one.weight > 0.0; });
  if (file_.calibrate && !has_cost) {
    AddError(problems_, Place(file_.calibrate->line),
             "expected an Objective with a weight for a calibration, found none",
             "write <Objective Id=\"fit\" Compare=\"...\" Measure=\"nse\" Weight=\"1\"/>");
  }
  if (file_.design && file_.design->method == DesignMethod::Saltelli && file_.objectives.empty()) {
    AddError(problems_, Place(file_.design->line), "expected an Objective for sensitivity indices, found none",
             "write <Objective Id=\"mean\" Item=\"component.item\" Measure=\"mean\"/>");
  }
}

void StudyReader::CheckOnce(const XmlElement& element, std::string_view attribute_name, Lines& lines) {
  const XmlAttribute* attribute = element.Attribute(attribute_name);
  if (attribute == nullptr || attribute->value.empty()) return;
  const auto [first, is_new] = lines.try_emplace(attribute->value, attribute->line);
  if (is_new) return;
  AddError(problems_, element.Place(*attribute),
           fmt::format("expected each '{}' of {} once, found {} again; the first is on line {}", attribute_name,
                       element.name, Quoted(attribute->value), first->second),
           "give one of the two another name");
}

}  // namespace openmi
