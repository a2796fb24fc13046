#include "composition/model/CompositionFile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "composition/model/CompositionReader.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

namespace {

/// Room for a million components with two million links: of both, some 100 bytes and three attributes each.
constexpr XmlLimits kLimits{.bytes = std::size_t{256} << 20, .depth = 256, .nodes = 20'000'000};

CompositionFile FromDocument(const XmlDocument& document, const std::filesystem::path& path, Problems& problems) {
  CompositionFile file;
  file.path = path;
  CompositionReader(file, problems).Read(document);
  return file;
}

std::string Attribute(std::string_view name, std::string_view value) {
  return value.empty() ? std::string() : fmt::format(" {}=\"{}\"", name, EscapeXml(value));
}

/// Empty for the usual value.
template <class E>
std::string Attribute(std::string_view name, const EnumNames<E>& names, E value, E usual) {
  return value == usual ? std::string() : Attribute(name, names.NameOf(value));
}

/// "<name attributes/>", or with the arguments inside.
/// \param more  further elements inside
std::string WithArguments(std::string_view indent, std::string_view name, std::string_view attributes,
                          const std::vector<ArgumentSpec>& arguments, const std::string& more = {}) {
  if (arguments.empty() && more.empty()) return fmt::format("{}<{}{}/>\n", indent, name, attributes);
  std::string text = fmt::format("{}<{}{}>\n", indent, name, attributes);
  for (const ArgumentSpec& argument : arguments) {
    text += fmt::format("{}  <Argument Key=\"{}\" Value=\"{}\"/>\n", indent, EscapeXml(argument.key),
                        EscapeXml(argument.value));
  }
  return text + more + fmt::format("{}</{}>\n", indent, name);
}

std::string TableAttributes(std::string_view file_attribute, const TableSpec& table) {
  return Attribute("Id", table.id) + Attribute(file_attribute, table.of) + Attribute("Layer", table.layer) +
         Attribute("Key", table.key);
}

/// The elements inside a Population, except its arguments.
std::string PopulationText(const PopulationSpec& population) {
  std::string text;
  for (const TableSpec& table : population.tables) text += "    <Table" + TableAttributes("Of", table) + "/>\n";
  for (const NetworkSpec& network : population.networks) {
    text += "    <Network" + Attribute("From", network.from) + Attribute("To", network.to) +
            Attribute("Column", network.column) + TableAttributes("Edges", network.edges) +
            Attribute("FromColumn", network.from_column) + Attribute("ToColumn", network.to_column) +
            Attribute("WeightColumn", network.weight_column) + "/>\n";
  }
  return text;
}

std::string IsolationText(const IsolationSpec& apart) {
  std::string text =
      Attribute("Isolation", kIsolations, apart.isolation, Isolation::None) + Attribute("Group", apart.group);
  if (apart.ranks > 0) text += Attribute("Ranks", std::to_string(apart.ranks));
  if (apart.time_limit_seconds > 0.0) {
    text += Attribute("TimeLimit", FormatIsoDuration(Seconds(apart.time_limit_seconds)));
  }
  if (apart.memory_limit_bytes > 0) {
    text += Attribute("MemoryLimit", fmt::format("{} kB", static_cast<double>(apart.memory_limit_bytes) / 1e3));
  }
  return text + Attribute("OnFailure", kOnFailures, apart.on_failure, OnFailure::Stop);
}

std::string PartsText(const PopulationSpec& population) {
  return (population.parts > 1 ? Attribute("Parts", std::to_string(population.parts)) : std::string()) +
         Attribute("PartsBy", population.parts_by);
}

std::string ComponentText(const ComponentSpec& component) {
  return WithArguments(
      "  ", component.population ? "Population" : "Component",
      Attribute("Id", component.id) + Attribute("Caption", component.caption) + Attribute("Omi", component.omi) +
          Attribute("Type", component.type) + Attribute("Assembly", component.assembly) +
          (component.population ? TableAttributes("Of", component.population->table) : std::string()) +
          Attribute("InitialState", component.initial_state) + (component.invented ? " Invented=\"true\"" : "") +
          (component.keep_state ? " KeepState=\"true\"" : "") + IsolationText(component.apart) +
          (component.population ? PartsText(*component.population) : std::string()),
      component.arguments, component.population ? PopulationText(*component.population) : std::string());
}

std::string LinkText(const LinkSpec& link) {
  std::string text = "  <Link" + Attribute("Id", link.id) + Attribute("From", link.from.Text()) +
                     Attribute("To", link.to.Text()) + Attribute("Loop", kLoopAnswers, link.loop, LoopAnswer::Last);
  if (link.balance) text += *link.balance ? " Balance=\"yes\"" : " Balance=\"no\"";
  if (link.adaptors.empty()) return text + "/>\n";
  text += ">\n";
  for (const AdaptorSpec& adaptor : link.adaptors) {
    text += WithArguments("    ", "Adaptor", Attribute("Id", adaptor.id) + Attribute("Factory", adaptor.factory),
                          adaptor.arguments);
  }
  return text + "  </Link>\n";
}

std::string IterateText(const IterateSpec& iterate) {
  const IterateSpec usual;
  const auto unless = [](std::string_view name, const auto& value, const auto& default_value) {
    return value == default_value ? std::string() : Attribute(name, fmt::format("{}", value));
  };
  std::string text = "  <Iterate" + Attribute("Components", fmt::format("{}", fmt::join(iterate.components, " "))) +
                     Attribute("Order", kLoopOrders, iterate.order, LoopOrder::GaussSeidel) +
                     Attribute("Method", kLoopMethods.NameOf(iterate.method)) +
                     unless("Relaxation", iterate.relaxation, usual.relaxation) +
                     unless("AbsoluteTolerance", iterate.absolute_tolerance, usual.absolute_tolerance) +
                     unless("RelativeTolerance", iterate.relative_tolerance, usual.relative_tolerance) +
                     unless("MaxIterations", iterate.max_iterations, usual.max_iterations) +
                     unless("ReusedSteps", iterate.reused_steps, usual.reused_steps) +
                     Attribute("Guess", kLoopGuesses, iterate.guess, usual.guess) +
                     Attribute("OnFailure", kLoopFailures, iterate.on_failure, usual.on_failure);
  if (iterate.tolerances.empty()) return text + "/>\n";
  text += ">\n";
  for (const ToleranceSpec& tolerance : iterate.tolerances) {
    text += "    <Tolerance" + Attribute("Item", tolerance.item.Text()) +
            (tolerance.absolute ? Attribute("Absolute", fmt::format("{}", *tolerance.absolute)) : std::string()) +
            (tolerance.relative ? Attribute("Relative", fmt::format("{}", *tolerance.relative)) : std::string()) +
            "/>\n";
  }
  return text + "  </Iterate>\n";
}

std::string TimeAttribute(std::string_view name, const std::optional<Stamp>& time) {
  return Attribute(name, time ? FormatIsoTime(*time) : "nan");
}

std::string ObserveText(const ObserveSpec& observe) {
  return "  <Observe" + Attribute("Id", observe.id) + Attribute("Item", observe.item.Text()) +
         Attribute("Elements", fmt::format("{}", fmt::join(observe.elements, " "))) +
         (observe.every ? Attribute("Every", FormatIsoDuration(*observe.every)) : std::string()) +
         Attribute("As", kObserveAs, observe.as, ObserveAs::Instant) + "/>\n";
}

std::string CompareText(const CompareSpec& compare) {
  std::string text = "  <Compare" + Attribute("Id", compare.id) + Attribute("Simulated", compare.simulated.Text()) +
                     Attribute("Observed", compare.observed.Text()) +
                     Attribute("Measures", fmt::format("{}", fmt::join(compare.measures, " ")));
  if (compare.windows.empty()) return text + "/>\n";
  text += ">\n";
  for (const WindowSpec& window : compare.windows) {
    text += "    <Window" + Attribute("Label", window.label) + TimeAttribute("From", window.from) +
            TimeAttribute("To", window.to) + "/>\n";
  }
  return text + "  </Compare>\n";
}

std::string PaceText(const PaceSpec& pace) {
  std::string text = Attribute("Pace", fmt::format("{}", pace.factor));
  text += Attribute("Late", kLatePolicies, pace.late, LatePolicy::CarryOn);
  if (pace.late_after_seconds != PaceSpec().late_after_seconds) {
    text += Attribute("LateAfter", fmt::format("{} s", pace.late_after_seconds));
  }
  return text;
}

std::string CheckpointText(const CheckpointSpec& checkpoints) {
  return "  <Checkpoints" +
         (checkpoints.every ? Attribute("Every", FormatIsoDuration(*checkpoints.every)) : std::string()) +
         (checkpoints.every_seconds ? Attribute("EveryWall", fmt::format("{} s", *checkpoints.every_seconds))
                                    : std::string()) +
         (checkpoints.keep != CheckpointSpec().keep ? Attribute("Keep", fmt::format("{}", checkpoints.keep))
                                                    : std::string()) +
         (checkpoints.skips ? Attribute("WithoutState", "skip") : std::string()) + "/>\n";
}

std::string RunText(const RunSpec& run) {
  return "  <Run" + TimeAttribute("From", run.from) + TimeAttribute("To", run.to) +
         (run.warm_up > Days() ? Attribute("WarmUp", FormatIsoDuration(run.warm_up)) : std::string()) +
         Attribute("Trigger", fmt::format("{}", fmt::join(run.trigger, " "))) +
         Attribute("Mode", kRunModes, run.mode, RunMode::Pull) +
         (run.threads > 1 ? Attribute("Threads", fmt::format("{}", run.threads)) : std::string()) +
         (run.pace ? PaceText(*run.pace) : std::string()) + "/>\n";
}

}  // namespace

const ComponentSpec* CompositionFile::Component(std::string_view component_id) const {
  const auto found = std::find_if(components.begin(), components.end(),
                                  [&](const ComponentSpec& component) { return component.id == component_id; });
  return found == components.end() ? nullptr : &*found;
}

void SetArgumentOf(CompositionFile& file, const std::string& component, const std::string& key, std::string value) {
  const auto spec = std::ranges::find(file.components, component, &ComponentSpec::id);
  if (spec == file.components.end()) {
    std::vector<std::string> ids;
    for (const ComponentSpec& one : file.components) ids.push_back(one.id);
    throw ArgumentError({.file = file.path.string(), .component = component},
                        fmt::format("expected a component, found '{}'", component), Suggest(component, ids));
  }
  const auto argument = std::ranges::find(spec->arguments, key, &ArgumentSpec::key);
  if (argument != spec->arguments.end()) {
    argument->value = std::move(value);
  } else {
    spec->arguments.push_back({.key = key, .value = std::move(value), .line = spec->line});
  }
}

CompositionFile ReadCompositionFile(const std::filesystem::path& path, Problems& problems) {
  return FromDocument(ReadXmlFile(path, kLimits), path, problems);
}

std::vector<std::string> GroupsOf(const ComponentSpec& component) {
  const std::string& group = component.apart.group;
  if (group.empty()) return {};
  if (!component.population || component.population->parts < 2) return {group};
  std::vector<std::string> groups;
  for (int part = 1; part <= component.population->parts; ++part) groups.push_back(group + '-' + std::to_string(part));
  return groups;
}

std::string AsComponentId(std::string_view text) {
  std::string id;
  for (const char sign : text) {
    const auto code = static_cast<unsigned char>(sign);
    id += code > 0x20 && sign != '.' && code != 0x7f ? sign : '-';
  }
  id.erase(0, id.find_first_not_of('-'));
  return id.empty() || FindInvalidUtf8(id) != std::string::npos ? "component" : id;
}

CompositionFile ReadCompositionText(std::string_view bytes, const std::filesystem::path& path, Problems& problems) {
  return FromDocument(ReadXml(bytes, path.string(), kLimits), path, problems);
}

std::string CompositionText(const CompositionFile& file) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Composition xmlns=\"urn:openmi2:composition:1\"" +
                     Attribute("Id", file.id) + Attribute("Caption", file.caption) +
                     Attribute("Description", file.description) + ">\n";
  for (const ComponentSpec& component : file.components) text += ComponentText(component);
  for (const LinkSpec& link : file.links) text += LinkText(link);
  for (const IterateSpec& iterate : file.iterates) text += IterateText(iterate);
  for (const ObserveSpec& observe : file.observes) text += ObserveText(observe);
  for (const CompareSpec& compare : file.compares) text += CompareText(compare);
  if (file.run) text += RunText(*file.run);
  if (file.checkpoints) text += CheckpointText(*file.checkpoints);
  if (const std::string results =
          Attribute("Csv", file.results.csv) + Attribute("NetCDF", file.results.netcdf) +
          Attribute("Report", file.results.report) + Attribute("GeoPackage", file.results.geopackage) +
          (file.results.compression > 0 ? fmt::format(" Compression=\"{}\"", file.results.compression) : "");
      !results.empty()) {
    text += "  <Results" + results + "/>\n";
  }
  return text + "</Composition>\n";
}

void WriteCompositionFile(const CompositionFile& file, const std::filesystem::path& path) {
  WriteXmlText(path, CompositionText(file));
}

}  // namespace openmi
