#include "composition/model/CompositionReader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <utility>

#include "composition/model/FormValues.hpp"
#include "openmi/omi/SchemaValidator.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

namespace {

constexpr std::string_view kNamespace = "urn:openmi2:composition:1";

std::string RemedyForRoot(const std::string& name) {
  if (name == "LinkableComponent") return "this is an OMI file; name it in Omi=\"...\" of a Component";
  if (name == "opr" || name == "guiComposition") {
    return "this is a project of the OpenMI configuration editor; turn it into a composition with openmi import";
  }
  if (name == "SystemStructureDescription") return "this is an SSP system; import it first";
  return Suggest(name, std::vector<std::string>{"Composition"});
}

}  // namespace

void CompositionReader::Read(const XmlDocument& document) {
  problems_.insert(problems_.end(), document.notes.begin(), document.notes.end());
  const std::size_t before = CountProblems(problems_, Problem::Error);
  if (!ReadRoot(document.root)) return;
  // The checks of this class give better messages; the schema validator runs only if they found nothing.
  if (CountProblems(problems_, Problem::Error) > before) return;
  const Problems further = ValidateXml(document, "Composition.xsd");
  problems_.insert(problems_.end(), further.begin(), further.end());
}

bool CompositionReader::ReadRoot(const XmlElement& root) {
  if (root.name != "Composition") {
    AddError(problems_, root.Place(), fmt::format("expected the root element Composition, found {}", Quoted(root.name)),
             RemedyForRoot(root.name));
    return false;
  }
  if (root.namespace_uri != kNamespace) {
    AddError(problems_, root.Place(),
             fmt::format("expected the namespace '{}', found {}", kNamespace,
                         root.namespace_uri.empty() ? "none" : Quoted(root.namespace_uri)),
             fmt::format("write <Composition xmlns=\"{}\" ...>", kNamespace));
  }
  form_.OnlyAttributes(root, {"Id", "Caption", "Description"});
  form_.OnlyChildren(
      root, {"Component", "Population", "Link", "Iterate", "Observe", "Compare", "Run", "Checkpoints", "Results"});
  form_.AtMostOne(root, "Run");
  form_.AtMostOne(root, "Checkpoints");
  form_.AtMostOne(root, "Results");
  form_.NoText(root);
  file_.id = form_.Text(root, "Id");
  if (file_.id == "." || file_.id == ".." || file_.id.find('/') != std::string::npos) {
    AddError(
        problems_, root.Place(*root.Attribute("Id")),
        fmt::format("expected an Id of the composition without '/' that can name files, found {}", Quoted(file_.id)),
        "write a name as in Id=\"upper-creek\"; result files are named after it, and --results chooses their folder");
  }
  file_.caption = root.Get("Caption");
  file_.description = root.Get("Description");
  if (root.Child("Component") == nullptr && root.Child("Population") == nullptr) {
    AddError(problems_, root.Place(), "expected at least one Component in Composition, found none",
             "write <Component Id=\"...\" Omi=\"...\"/>");
  }
  // Components first: the elements may come in any order, and all others refer to components.
  for (const XmlElement& child : root.children) {
    if (child.name == "Component" || child.name == "Population") ReadComponent(child);
  }
  for (const XmlElement& child : root.children) {
    if (child.name == "Link") ReadLink(child);
    if (child.name == "Iterate") ReadIterate(child);
    if (child.name == "Observe") ReadObserve(child);
    if (child.name == "Compare") ReadCompare(child);
    if (child.name == "Run") ReadRun(child);
    if (child.name == "Checkpoints") ReadCheckpoints(child);
    if (child.name == "Results") ReadResults(child);
  }
  return true;
}

void CompositionReader::ReadComponent(const XmlElement& element) {
  const bool is_population = element.name == "Population";
  if (is_population) {
    form_.Only(element,
               {"Id", "Caption", "Omi", "Of", "Layer", "Key", "InitialState", "Invented", "KeepState", "Isolation",
                "Group", "Parts", "PartsBy", "TimeLimit", "MemoryLimit", "OnFailure"},
               {"Argument", "Table", "Network"});
  } else {
    form_.Only(element,
               {"Id", "Caption", "Omi", "Type", "Assembly", "InitialState", "Invented", "KeepState", "Isolation",
                "Group", "Ranks", "TimeLimit", "MemoryLimit", "OnFailure"},
               {"Argument"});
  }
  ComponentSpec component;
  component.line = element.line;
  component.id = form_.Text(element, "Id");
  Optional(element, "Omi", component.omi);
  Optional(element, "Type", component.type);
  Optional(element, "Assembly", component.assembly);
  Optional(element, "InitialState", component.initial_state);
  component.caption = element.Get("Caption");
  component.invented = form_.Boolean(element, "Invented", false);
  component.apart = ReadIsolation(element);
  component.keep_state = form_.Boolean(element, "KeepState", false);
  component.arguments = ReadArguments(element);
  if (component.id.find_first_of(" \t\r\n.") != std::string::npos) {
    AddError(problems_, element.Place(*element.Attribute("Id")),
             fmt::format("expected a component Id without blanks and dots, found {}", Quoted(component.id)),
             "write '-' instead; \"component.item\" is cut at the first dot");
  }
  if (is_population) {
    form_.Required(element, "Omi", "write Omi=\"...\", the path of the OMI file of its members");
    component.population = ReadPopulation(element);
  } else {
    CheckSource(element, component);
  }
  CheckOnce(element, "Id", component_ids_);
  if (component_ids_.size() > component_names_.size()) component_names_.push_back(component.id);
  file_.components.push_back(std::move(component));
}

TableSpec CompositionReader::ReadTable(const XmlElement& element, std::string_view file_attribute) {
  TableSpec table;
  table.line = element.line;
  if (const XmlAttribute* of =
          form_.Required(element, file_attribute,
                         fmt::format("write {}=\"...\", the path of a table relative to this file", file_attribute))) {
    table.of = of->value;
  }
  Optional(element, "Layer", table.layer);
  Optional(element, "Key", table.key);
  return table;
}

PopulationSpec CompositionReader::ReadPopulation(const XmlElement& element) {
  PopulationSpec population;
  population.table = ReadTable(element, "Of");
  Lines ids;
  for (const XmlElement* child : element.Children("Table")) {
    form_.Only(*child, {"Id", "Of", "Layer", "Key"}, {});
    TableSpec table = ReadTable(*child, "Of");
    table.id = form_.Text(*child, "Id");
    CheckOnce(*child, "Id", ids);
    if (!table.id.empty() && !table.of.empty()) population.tables.push_back(std::move(table));  // else reported
  }
  for (const XmlElement* child : element.Children("Network")) population.networks.push_back(ReadNetwork(*child));
  const XmlAttribute* const parts = element.Attribute("Parts");
  population.parts = static_cast<int>(ReadNumber(problems_, element, "Parts", 1.0, 2.0, 1e4, true));
  Optional(element, "PartsBy", population.parts_by);
  if (parts != nullptr && element.Attribute("Group") == nullptr) {
    AddError(problems_, element.Place(*parts), "expected the Group whose parts are placed, found Parts alone",
             "write Group=\"lowland\"; its parts are the groups lowland-1, lowland-2, ...");
  }
  if (parts == nullptr && !population.parts_by.empty()) {
    AddError(problems_, element.Place(*element.Attribute("PartsBy")),
             "expected the number of Parts beside PartsBy, found none", "write Parts=\"4\"");
  }
  return population;
}

NetworkSpec CompositionReader::ReadNetwork(const XmlElement& element) {
  form_.Only(element, {"From", "To", "Column", "Edges", "Layer", "FromColumn", "ToColumn", "WeightColumn"}, {});
  NetworkSpec network;
  network.line = element.line;
  network.from = form_.Text(element, "From");
  network.to = form_.Text(element, "To");
  Optional(element, "Column", network.column);
  const bool has_edges = element.Attribute("Edges") != nullptr;
  if (has_edges == (element.Attribute("Column") != nullptr)) {
    AddError(problems_, element.Place(),
             fmt::format("expected either 'Column' or 'Edges' in Network, found {}", has_edges ? "both" : "none"),
             "write Column=\"...\", the column with the key downstream, or Edges=\"...\", a table of edges");
    return network;
  }
  for (const char* name : {"Layer", "FromColumn", "ToColumn", "WeightColumn"}) {
    const XmlAttribute* attribute = element.Attribute(name);
    if (attribute == nullptr || has_edges) continue;
    AddError(problems_, element.Place(*attribute),
             fmt::format("expected 'Edges' beside '{}' of Network, found 'Column'", name), "leave it out");
  }
  if (!has_edges) return network;
  network.edges = ReadTable(element, "Edges");
  network.from_column = form_.Text(element, "FromColumn");
  network.to_column = form_.Text(element, "ToColumn");
  Optional(element, "WeightColumn", network.weight_column);
  return network;
}

IsolationSpec CompositionReader::ReadIsolation(const XmlElement& element) {
  IsolationSpec apart;
  form_.OneOf(element, "Isolation", kIsolations, apart.isolation);
  form_.OneOf(element, "OnFailure", kOnFailures, apart.on_failure);
  if (const auto limit = ReadSpan(problems_, element, "TimeLimit")) apart.time_limit_seconds = ToSeconds(*limit);
  apart.memory_limit_bytes = ReadMemory(problems_, element, "MemoryLimit");
  if (element.Attribute("Group") != nullptr) apart.group = ReadGroup(element, apart.isolation);
  apart.ranks = static_cast<int>(ReadNumber(problems_, element, "Ranks", 0.0, 1.0, 1e5, true));
  for (const char* limit : {"TimeLimit", "MemoryLimit"}) {
    const XmlAttribute* attribute = element.Attribute(limit);
    if (attribute == nullptr || apart.isolation != Isolation::None || !apart.group.empty() || apart.ranks > 0) continue;
    AddError(
        problems_, element.Place(*attribute),
        fmt::format("expected '{}' on a Component in a process of its own, found it on one in the process of the run",
                    limit),
        "add Isolation=\"process\", or remove the limit");
  }
  return apart;
}

std::string CompositionReader::ReadGroup(const XmlElement& element, Isolation isolation) {
  const XmlAttribute& attribute = *element.Attribute("Group");
  if (attribute.value.empty() || attribute.value.find_first_of(" \t\r\n=#") != std::string::npos) {
    AddError(problems_, element.Place(attribute),
             fmt::format("expected a Group without blanks, '=' and '#', found {}", Quoted(attribute.value)),
             "write a name as in Group=\"lowland\"");
    return {};
  }
  if (isolation == Isolation::Instance) {
    AddError(problems_, element.Place(attribute),
             "expected a component of a group to share its process, found Isolation=\"instance\"",
             "leave out one of the two; components of a group that cannot share a process get several");
  }
  return attribute.value;
}

void CompositionReader::CheckSource(const XmlElement& element, const ComponentSpec& component) {
  const bool omi = element.Attribute("Omi") != nullptr;
  const bool type = element.Attribute("Type") != nullptr;
  const bool assembly = element.Attribute("Assembly") != nullptr;
  const std::string name = Quoted(component.id);
  if (omi && (type || assembly)) {
    AddError(problems_, element.Place(),
             fmt::format("expected either 'Omi' or 'Type' and 'Assembly' in Component {}, found both", name),
             "remove 'Type' and 'Assembly', which are in the OMI file");
  } else if (!omi && !type && !assembly) {
    AddError(problems_, element.Place(),
             fmt::format("expected 'Omi', or 'Type' and 'Assembly', in Component {}, found none", name),
             "write Omi=\"...\", the path of an OMI file relative to this file");
  } else if (!omi && (!type || !assembly)) {
    AddError(problems_, element.Place(),
             fmt::format("expected 'Type' and 'Assembly' together in Component {}, found '{}' alone", name,
                         type ? "Type" : "Assembly"),
             fmt::format("write {}=\"...\" too", type ? "Assembly" : "Type"));
  }
}

void CompositionReader::ReadLink(const XmlElement& element) {
  form_.Only(element, {"Id", "From", "To", "Loop", "Balance"}, {"Adaptor"});
  LinkSpec link;
  form_.OneOf(element, "Loop", kLoopAnswers, link.loop);
  form_.OneOf(element, "Balance", EnumNames<bool>{{"yes", true}, {"no", false}}, link.balance);
  link.line = element.line;
  Optional(element, "Id", link.id);
  CheckOnce(element, "Id", link_ids_);
  link.from = ReadItem(element, "From");
  link.to = ReadItem(element, "To");
  for (const XmlElement* adaptor : element.Children("Adaptor")) link.adaptors.push_back(ReadAdaptor(*adaptor));
  if (!link.from.item.empty() && !link.to.item.empty()) {
    if (link.from.Text() == link.to.Text()) {
      AddError(
          problems_, element.Place(),
          fmt::format("expected a link to lead to another item, found {} linked to itself", Quoted(link.from.Text())),
          "name an input of another component in 'To'");
    }
    if (const auto [first, is_new] = link_texts_.try_emplace(link.Text(), element.line); !is_new) {
      AddError(problems_, element.Place(),
               fmt::format("expected each link once, found {} again; the first is on line {}", Quoted(link.Text()),
                           first->second),
               "remove one of the two");
    }
  }
  file_.links.push_back(std::move(link));
}

AdaptorSpec CompositionReader::ReadAdaptor(const XmlElement& element) {
  form_.Only(element, {"Id", "Factory"}, {"Argument"});
  AdaptorSpec adaptor;
  adaptor.line = element.line;
  adaptor.id = form_.Text(element, "Id");
  Optional(element, "Factory", adaptor.factory);
  adaptor.arguments = ReadArguments(element);
  return adaptor;
}

void CompositionReader::ReadObserve(const XmlElement& element) {
  form_.Only(element, {"Id", "Item", "Elements", "Every", "As"}, {});
  ObserveSpec observe;
  form_.OneOf(element, "As", kObserveAs, observe.as);
  observe.line = element.line;
  Optional(element, "Id", observe.id);
  CheckOnce(element, "Id", observe_ids_);
  observe.item = ReadItem(element, "Item");
  observe.elements = Split(element.Get("Elements"));
  observe.every = ReadSpanAboveZero(element, "Every", "omit it to write each row");
  file_.observes.push_back(std::move(observe));
}

void CompositionReader::ReadCompare(const XmlElement& element) {
  form_.Only(element, {"Id", "Simulated", "Observed", "Measures"}, {"Window"});
  CompareSpec compare;
  compare.line = element.line;
  Optional(element, "Id", compare.id);
  CheckOnce(element, "Id", compare_ids_);
  compare.simulated = ReadItem(element, "Simulated");
  compare.observed = ReadItem(element, "Observed");
  if (const XmlAttribute* measures = form_.Required(element, "Measures", "write Measures=\"nse kge volume peak\"")) {
    compare.measures = Split(measures->value);
    if (compare.measures.empty()) {
      AddError(problems_, element.Place(*measures), "expected names of measures in 'Measures' of Compare, found blanks",
               "write Measures=\"nse kge volume peak\"");
    }
  }
  Lines labels;
  for (const XmlElement* window : element.Children("Window")) compare.windows.push_back(ReadWindow(*window, labels));
  file_.compares.push_back(std::move(compare));
}

WindowSpec CompositionReader::ReadWindow(const XmlElement& element, Lines& labels) {
  form_.Only(element, {"Label", "From", "To"}, {});
  WindowSpec window;
  window.line = element.line;
  window.label = form_.Text(element, "Label");
  CheckOnce(element, "Label", labels);
  ReadPeriod(element, window.from, window.to);
  return window;
}

void CompositionReader::ReadRun(const XmlElement& element) {
  form_.Only(element, {"From", "To", "WarmUp", "Trigger", "Mode", "Threads", "Pace", "Late", "LateAfter"}, {});
  RunSpec run;
  form_.OneOf(element, "Mode", kRunModes, run.mode);
  run.line = element.line;
  ReadPeriod(element, run.from, run.to);
  if (const auto warm_up = ReadSpan(problems_, element, "WarmUp")) {
    run.warm_up = *warm_up;
    if (run.from && run.to && *warm_up >= *run.to - *run.from && *run.to > *run.from) {
      AddError(problems_, element.Place(*element.Attribute("WarmUp")),
               fmt::format("expected a warm-up shorter than the run of {}, found {}",
                           FormatIsoDuration(*run.to - *run.from), FormatIsoDuration(*warm_up)),
               "shorten the warm-up, or let the run start earlier");
    }
  }
  run.threads = static_cast<int>(ReadNumber(problems_, element, "Threads", run.threads, 1.0, 1024.0, true));
  if (const XmlAttribute* trigger = element.Attribute("Trigger")) {
    run.trigger = Split(trigger->value);
    if (run.trigger.empty()) {
      AddError(problems_, element.Place(*trigger), "expected Ids of components in 'Trigger' of Run, found none",
               "name the component furthest downstream, or omit 'Trigger'");
    }
    for (const std::string& id : run.trigger) CheckComponent(element, *trigger, id);
  }
  ReadPace(element, run);
  if (!file_.run) file_.run = std::move(run);
}

void CompositionReader::ReadPace(const XmlElement& element, RunSpec& run) {
  PaceSpec pace;
  form_.OneOf(element, "Late", kLatePolicies, pace.late);
  const XmlAttribute* factor = element.Attribute("Pace");
  const std::optional<Days> late_after = ReadSpanAboveZero(element, "LateAfter");
  if (factor == nullptr) {
    for (const char* name : {"Late", "LateAfter"}) {
      if (const XmlAttribute* attribute = element.Attribute(name)) {
        AddError(problems_, element.Place(*attribute),
                 fmt::format("expected 'Pace' beside '{}' of Run, found none", name),
                 "write Pace=\"1\" to simulate as fast as the clock, or omit it");
      }
    }
    return;
  }
  pace.factor = AsNumber<double>(factor->value).value_or(0.0);
  if (!(pace.factor > 0.0) || !std::isfinite(pace.factor)) {
    AddError(problems_, element.Place(*factor),
             fmt::format("expected a number above 0 in 'Pace' of Run, found {}", Quoted(factor->value)),
             "write how many simulated seconds pass in a second, as in Pace=\"60\"");
    return;
  }
  if (late_after) pace.late_after_seconds = ToSeconds(*late_after);
  run.pace = pace;
}

void CompositionReader::ReadCheckpoints(const XmlElement& element) {
  form_.Only(element, {"Every", "EveryWall", "Keep", "WithoutState"}, {});
  CheckpointSpec checkpoints;
  form_.OneOf(element, "WithoutState", EnumNames<bool>{"refuse", "skip"}, checkpoints.skips);
  if (file_.checkpoints) return;  // a second one was reported already
  checkpoints.line = element.line;
  checkpoints.every = ReadSpanAboveZero(element, "Every");
  if (const auto span = ReadSpanAboveZero(element, "EveryWall")) checkpoints.every_seconds = ToSeconds(*span);
  if (element.Attribute("Every") == nullptr && element.Attribute("EveryWall") == nullptr) {
    checkpoints.every_seconds = 60.0;
  }
  if (const XmlAttribute* keep = element.Attribute("Keep")) {
    checkpoints.keep = AsNumber<int>(keep->value).value_or(0);
    if (checkpoints.keep < 1 || checkpoints.keep > 99) {
      AddError(problems_, element.Place(*keep),
               fmt::format("expected a number from 1 to 99 in 'Keep' of Checkpoints, found {}", Quoted(keep->value)),
               "write how many checkpoints to keep, as in Keep=\"2\"");
      checkpoints.keep = CheckpointSpec().keep;
    }
  }
  file_.checkpoints = checkpoints;
}

void CompositionReader::ReadResults(const XmlElement& element) {
  form_.Only(element, {"Csv", "NetCDF", "Report", "GeoPackage", "Compression"}, {});
  if (file_.results.line > 0) return;  // a second one was reported already
  file_.results.line = element.line;
  ResultName(element, "Csv", file_.results.csv);
  ResultName(element, "NetCDF", file_.results.netcdf);
  ResultName(element, "Report", file_.results.report);
  ResultName(element, "GeoPackage", file_.results.geopackage);
  file_.results.compression = static_cast<int>(ReadNumber(problems_, element, "Compression", 0.0, 0.0, 9.0, true));
}

void CompositionReader::ResultName(const XmlElement& element, std::string_view attribute, std::string& name) {
  Optional(element, attribute, name);
  const std::filesystem::path path = name;
  if (name.empty()) return;
  if (!path.is_absolute() && std::ranges::find(path, "..") == path.end()) return;
  AddError(problems_, element.Place(*element.Attribute(attribute)),
           fmt::format("expected the name of a file in the folder of results in '{}' of Results, found {}", attribute,
                       Quoted(name)),
           "write a name without '..' and without a '/' before it; --results chooses the folder");
}

std::vector<ArgumentSpec> CompositionReader::ReadArguments(const XmlElement& element) {
  std::vector<ArgumentSpec> arguments;
  Lines keys;
  for (const XmlElement* child : element.Children("Argument")) {
    form_.Only(*child, {"Key", "Value"}, {});
    const XmlAttribute* key = form_.Required(*child, "Key", "write Key=\"...\", the Id of the argument");
    const XmlAttribute* value = form_.Present(*child, "Value");
    CheckOnce(*child, "Key", keys);
    if (key != nullptr && value != nullptr) arguments.push_back({key->value, value->value, child->line});
  }
  return arguments;
}

ItemSpec CompositionReader::ReadItem(const XmlElement& element, std::string_view attribute_name) {
  const XmlAttribute* attribute =
      form_.Required(element, attribute_name, fmt::format("write {}=\"component.item\"", attribute_name));
  if (attribute == nullptr) return {};
  const std::string& text = attribute->value;
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == text.size() || IsBlank(text[dot + 1]) ||
      IsBlank(text.back()) || text.find_first_of(kBlanks) < dot) {
    AddError(problems_, element.Place(*attribute),
             fmt::format("expected component.item in '{}' of {}, found {}", attribute_name, element.name, Quoted(text)),
             "write the component's Id, a dot and the item's Id");
    return {};
  }
  ItemSpec item{text.substr(0, dot), text.substr(dot + 1)};
  CheckComponent(element, *attribute, item.component);
  return item;
}

void CompositionReader::CheckComponent(const XmlElement& element, const XmlAttribute& attribute, std::string_view id) {
  if (component_ids_.contains(id)) return;
  file_.unknown_components.emplace(id);
  AddError(
      problems_, element.Place(attribute),
      fmt::format("expected the Id of a component in '{}' of {}, found {}", attribute.name, element.name, Quoted(id)),
      Suggest(id, component_names_));
}

std::optional<Stamp> CompositionReader::ReadTime(const XmlElement& element, std::string_view attribute_name) {
  const XmlAttribute* attribute =
      form_.Required(element, attribute_name, fmt::format("write {}=\"2015-12-01T00:00Z\"", attribute_name));
  if (attribute == nullptr) return std::nullopt;
  if (attribute->value.find("${") != std::string::npos) {
    AddError(problems_, element.Place(*attribute),
             fmt::format("expected a time by ISO 8601, found {} in '{}' of {}: times take no variables",
                         Quoted(attribute->value), attribute_name, element.name),
             "write the time itself; variables are for arguments and the paths of components");
    return std::nullopt;
  }
  try {
    return ParseIsoTime(attribute->value);
  } catch (const Error& e) {
    AddError(problems_, element.Place(*attribute),
             fmt::format("{} in '{}' of {}", e.Problem(), attribute_name, element.name), e.Remedy());
    return std::nullopt;
  }
}

std::optional<Days> CompositionReader::ReadSpanAboveZero(const XmlElement& element, std::string_view attribute_name,
                                                         std::string_view without) {
  const std::optional<Days> span = ReadSpan(problems_, element, attribute_name);
  if (!span || *span > Days()) return span;
  AddError(problems_, element.Place(*element.Attribute(attribute_name)),
           fmt::format("expected a span above 0 in '{}' of {}, found 0", attribute_name, element.name),
           fmt::format("write {}=\"PT1H\", or {}", attribute_name, without));
  return std::nullopt;
}

void CompositionReader::ReadPeriod(const XmlElement& element, std::optional<Stamp>& from, std::optional<Stamp>& to) {
  from = ReadTime(element, "From");
  to = ReadTime(element, "To");
  if (from && to && *to <= *from) {
    AddError(problems_, element.Place(*element.Attribute("To")),
             fmt::format("expected an end after the start {} in 'To' of {}, found {}", FormatIsoTime(*from),
                         element.name, FormatIsoTime(*to)),
             "exchange 'From' and 'To', or correct one of them");
  }
}

void CompositionReader::CheckOnce(const XmlElement& element, std::string_view attribute_name, Lines& lines) {
  const XmlAttribute* attribute = element.Attribute(attribute_name);
  if (attribute == nullptr || attribute->value.empty()) return;
  const auto [first, is_new] = lines.try_emplace(attribute->value, attribute->line);
  if (is_new) return;
  AddError(problems_, element.Place(*attribute),
           fmt::format("expected each '{}' of {} once, found {} again; the first is on line {}", attribute_name,
                       element.name, Quoted(attribute->value), first->second),
           "give one of the two another name");
}

void CompositionReader::Optional(const XmlElement& element, std::string_view attribute_name, std::string& value) {
  if (element.Attribute(attribute_name) == nullptr) return;
  if (const XmlAttribute* attribute = form_.Required(element, attribute_name)) value = attribute->value;
}

void CompositionReader::ReadIterate(const XmlElement& element) {
  form_.Only(element,
             {"Components", "Order", "Method", "Relaxation", "AbsoluteTolerance", "RelativeTolerance", "MaxIterations",
              "Guess", "OnFailure", "ReusedSteps"},
             {"Tolerance"});
  IterateSpec iterate;
  form_.OneOf(element, "Order", kLoopOrders, iterate.order);
  form_.OneOf(element, "Method", kLoopMethods, iterate.method);
  form_.OneOf(element, "Guess", kLoopGuesses, iterate.guess);
  form_.OneOf(element, "OnFailure", kLoopFailures, iterate.on_failure);
  iterate.line = element.line;
  if (const XmlAttribute* components =
          form_.Required(element, "Components", "write Components=\"a b\", the members of one loop")) {
    iterate.components = Split(components->value);
    for (const std::string& id : iterate.components) {
      CheckComponent(element, *components, id);
      if (const auto [first, is_new] = iterated_.try_emplace(id, element.line); !is_new) {
        AddError(problems_, element.Place(*components),
                 fmt::format("expected each component in one Iterate at most, found {} again; the first is on line {}",
                             Quoted(id), first->second),
                 "name the members of a loop once");
      }
    }
    if (iterate.components.empty()) {
      AddError(problems_, element.Place(*components),
               "expected Ids of components in 'Components' of Iterate, found none",
               "name the members of one loop in the order in which they should compute");
    }
  }
  constexpr double kMost = std::numeric_limits<double>::max();
  iterate.relaxation = ReadNumber(problems_, element, "Relaxation", iterate.relaxation, 1e-6, 2.0);
  iterate.absolute_tolerance =
      ReadNumber(problems_, element, "AbsoluteTolerance", iterate.absolute_tolerance, 0.0, kMost);
  iterate.relative_tolerance =
      ReadNumber(problems_, element, "RelativeTolerance", iterate.relative_tolerance, 0.0, 1.0);
  iterate.max_iterations =
      static_cast<int>(ReadNumber(problems_, element, "MaxIterations", iterate.max_iterations, 1.0, 1e6, true));
  iterate.reused_steps =
      static_cast<int>(ReadNumber(problems_, element, "ReusedSteps", iterate.reused_steps, 0.0, 1000.0, true));
  Lines items;
  for (const XmlElement* tolerance : element.Children("Tolerance")) {
    iterate.tolerances.push_back(ReadTolerance(*tolerance, items));
  }
  file_.iterates.push_back(std::move(iterate));
}

ToleranceSpec CompositionReader::ReadTolerance(const XmlElement& element, Lines& items) {
  form_.Only(element, {"Item", "Absolute", "Relative"}, {});
  constexpr double kMost = std::numeric_limits<double>::max();
  ToleranceSpec tolerance;
  tolerance.line = element.line;
  tolerance.item = ReadItem(element, "Item");
  CheckOnce(element, "Item", items);
  if (element.Attribute("Absolute") == nullptr && element.Attribute("Relative") == nullptr) {
    AddError(problems_, element.Place(), "expected 'Absolute' or 'Relative' in Tolerance, found none",
             "write Absolute=\"...\", in the unit of the input, or Relative=\"1e-6\"");
  }
  if (element.Attribute("Absolute") != nullptr)
    tolerance.absolute = ReadNumber(problems_, element, "Absolute", 0.0, 0.0, kMost);
  if (element.Attribute("Relative") != nullptr)
    tolerance.relative = ReadNumber(problems_, element, "Relative", 1e-6, 0.0, 1.0);
  return tolerance;
}

}  // namespace openmi
