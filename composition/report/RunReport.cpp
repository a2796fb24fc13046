#include "composition/report/RunReport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <set>
#include <span>
#include <unordered_map>

#include "composition/record/DescribeSeries.hpp"
#include "composition/report/GraphSvg.hpp"
#include "composition/report/HtmlSections.hpp"
#include "composition/report/OddElements.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgElementPlots.hpp"
#include "composition/report/SvgMap.hpp"
#include "composition/report/SvgTheme.hpp"
#include "composition/results/FileHash.hpp"
#include "openmi/omi/BuildText.hpp"
#include "openmi/omi/IconType.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IIcon.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

bool HasPowers(const std::string& unit, double length, double time) {
  try {
    const Unit parsed = Unit::Parse(unit);
    return parsed.Dimension().GetPower(DimensionBase::Length) == length &&
           parsed.Dimension().GetPower(DimensionBase::Time) == time &&
           parsed.Dimension().GetPower(DimensionBase::Mass) == 0.0;
  } catch (const Error&) {
    return false;
  }
}

/// Whether a series is rain: its name says so, and it is a depth or a depth rate.
bool IsRain(const RecordedSeries& series) {
  const std::string id = series.spec->item.item;
  const bool named = id.find("rain") != std::string::npos || id.find("precip") != std::string::npos;
  return named && (HasPowers(series.series.unit, 1.0, -1.0) || HasPowers(series.series.unit, 1.0, 0.0));
}

/// One trace for a series: the mean of its elements.
ReportTrace MeanTrace(const RecordedSeries& recorded) {
  ReportTrace trace{recorded.series.id, recorded.series.unit, recorded.times, {}, {}};
  if (recorded.series.kind != ResultKind::Instant) trace.begins = recorded.begins;
  const std::size_t width = recorded.series.Width();
  for (std::size_t row = 0; row < recorded.times.size(); ++row) {
    double sum = 0.0;
    for (std::size_t i = 0; i < width; ++i) sum += recorded.values[row * width + i];
    trace.values.push_back(sum / static_cast<double>(width));
  }
  return trace;
}

std::string KindText(const RecordedSeries& recorded) {
  std::string text(kResultKinds.NameOf(recorded.series.kind));
  if (recorded.spec->every) text += fmt::format(", every {}", FormatIsoDuration(*recorded.spec->every));
  return text;
}

/// Converts an observed series to the unit of the simulated one that it is compared with.
void ShowInUnitOfCompared(const RunRecord& record, const ObserveSpec& spec, ReportSeries& series) {
  for (const RecordedComparison& comparison : record.comparisons) {
    if (comparison.spec->observed.Text() != spec.item.Text() || comparison.unit == series.unit) continue;
    try {
      const LinearConversion conversion = ConversionBetween(Unit::Parse(series.unit), Unit::Parse(comparison.unit));
      for (double& value : series.values) value = conversion(value);
      series.figures.reset();     // those of the values are computed again
    } catch (const UnitError&) {  // a unit that UDUNITS-2 does not know: shown as given
      return;
    }
    series.as += fmt::format(", given in {}", PrettyUnit(series.unit));
    series.unit = comparison.unit;
    return;
  }
}

/// Those that the run kept, or those of the values that it kept.
SeriesFigures FiguresOf(const RecordedSeries& recorded) {
  if (recorded.figures) return *recorded.figures;
  return SeriesFigures::Of(recorded.series.Width(), recorded.begins, recorded.times, recorded.values);
}

/// The relative balance errors of the elements of a series, if the parts of its component are these elements.
std::vector<double> BalanceErrorsOf(const RunRecord& record, const RecordedSeries& recorded) {
  const auto found = std::ranges::find(record.components, recorded.spec->item.component,
                                       &std::pair<std::string, ComponentBalanceFigures>::first);
  if (found == record.components.end() || found->second.element_ids != recorded.series.elements) return {};
  std::vector<double> errors;
  for (const ElementBalanceFigures& figures : found->second.elements) errors.push_back(figures.relative);
  return errors;
}

void AddSeries(const Composition& composition, const RunRecord& record, ReportModel& model) {
  for (const RecordedSeries& recorded : record.series) {
    ReportSeries series;
    series.item = recorded.series.id;
    series.caption = recorded.series.caption;
    series.unit = recorded.series.unit;
    series.as = KindText(recorded);
    series.is_whole = recorded.is_whole;
    if (!recorded.is_whole && recorded.series.Width() <= kMostLines) {
      series.as += "; the first rows only, the results files hold all";
    }
    const ComponentSpec* component = composition.File().Component(recorded.spec->item.component);
    const bool invented = component != nullptr && component->invented;
    for (const std::string& id : recorded.series.elements) series.elements.push_back({id, invented});
    if (series.elements.empty()) series.elements.push_back({"", invented});
    series.times = recorded.times;
    series.values = recorded.values;
    series.figures = FiguresOf(recorded);
    series.balance_errors = BalanceErrorsOf(record, recorded);
    ShowInUnitOfCompared(record, *recorded.spec, series);
    series.shape = recorded.series.kind == ResultKind::Instant ? PlotShape::Line : PlotShape::Step;
    if (series.shape == PlotShape::Step) series.begins = recorded.begins;
    model.series.push_back(std::move(series));
  }
}

}  // namespace

std::vector<ReportComparison> DescribeComparisons(const CompositionFile& file, const RunRecord& record) {
  std::vector<ReportComparison> comparisons;
  const RunSpec& run = *file.run;
  const auto rain = std::ranges::find_if(record.series, IsRain);
  for (const RecordedComparison& recorded : record.comparisons) {
    ReportComparison comparison;
    comparison.station = recorded.element.empty() ? recorded.spec->observed.Text() : recorded.element;
    comparison.simulated_item = recorded.spec->simulated.Text();
    comparison.observed_item = recorded.spec->observed.Text();
    comparison.unit = recorded.unit;
    comparison.times = recorded.times;
    comparison.observed = recorded.observed;
    comparison.simulated = recorded.simulated;
    comparison.volume_rule = recorded.is_span ? VolumeRule::Span : VolumeRule::Trapezoid;
    if (HasPowers(recorded.unit, 3.0, -1.0)) {
      comparison.volume_unit = "m3";
      comparison.volume_scale = Unit::Parse(recorded.unit).ConversionFactorToSI();
    } else if (HasPowers(recorded.unit, 1.0, -1.0)) {
      comparison.volume_unit = "mm";
      comparison.volume_scale = Unit::Parse(recorded.unit).ConversionFactorToSI() * 1000.0;
    }
    std::vector<MeasureWindow> windows;
    for (const WindowSpec& window : recorded.spec->windows)
      windows.push_back({window.label, window.from->mjd, window.to->mjd});
    windows.push_back({"whole run", (*run.from + run.warm_up).mjd, run.to->mjd});
    comparison.windows = ComputeMeasures(comparison.times, comparison.observed, comparison.simulated, windows);
    if (rain != record.series.end()) comparison.rain = MeanTrace(*rain);
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

namespace {

void AddHydrographs(const Composition& composition, const RunRecord& record, ReportModel& model) {
  const auto rain = std::ranges::find_if(record.series, IsRain);
  if (rain == record.series.end()) return;
  for (const RecordedSeries& recorded : record.series) {
    if (!HasPowers(recorded.series.unit, 3.0, -1.0) || recorded.series.Width() > 4) continue;
    const bool is_compared = std::ranges::any_of(record.comparisons, [&](const RecordedComparison& comparison) {
      return comparison.spec->simulated.Text() == recorded.spec->item.Text() ||
             comparison.spec->observed.Text() == recorded.spec->item.Text();
    });
    if (is_compared) continue;  // drawn with its comparison, in one unit
    ReportHydrograph hydrograph;
    hydrograph.title = recorded.series.id;
    hydrograph.rain = MeanTrace(*rain);
    const ComponentSpec* component = composition.File().Component(recorded.spec->item.component);
    hydrograph.is_invented = component != nullptr && component->invented;
    const std::size_t width = recorded.series.Width();
    for (std::size_t i = 0; i < width; ++i) {
      ReportTrace flow{recorded.series.elements.empty() ? recorded.series.id : recorded.series.elements[i],
                       recorded.series.unit,
                       recorded.times,
                       {},
                       {}};
      for (std::size_t row = 0; row < recorded.times.size(); ++row)
        flow.values.push_back(recorded.values[row * width + i]);
      hydrograph.flows.push_back(std::move(flow));
    }
    model.hydrographs.push_back(std::move(hydrograph));
  }
}

/// The parts of a component whose balances close worst.
void AddParts(const ComponentBalanceFigures& figures, double tolerance, ComponentBalance& balance) {
  constexpr std::size_t kMost = 10;
  balance.unit = figures.unit;
  balance.parts = figures.elements.size();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < figures.elements.size(); ++i) {
    const double error = std::fabs(figures.elements[i].relative);
    if (std::isnan(error)) {
      ++balance.unknown_parts;
    } else {
      order.push_back(i);
      if (error > tolerance) ++balance.open_parts;
    }
  }
  const auto is_worse = [&](std::size_t a, std::size_t b) {
    const double first = std::fabs(figures.elements[a].relative);
    const double second = std::fabs(figures.elements[b].relative);
    return first != second ? first > second : a < b;
  };
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, order.size()));
  std::partial_sort(order.begin(), end, order.end(), is_worse);
  for (auto at = order.begin(); at != end; ++at) {
    balance.worst_parts.push_back({figures.element_ids[*at], figures.elements[*at]});
  }
}

void AddBalances(const Composition& composition, const RunRecord& record, ReportModel& model) {
  std::unordered_map<std::string, const LinkBalanceFigures*> figures_of;
  for (const auto& [name, figures] : record.links) figures_of.emplace(name, &figures);
  model.not_balanced = record.not_balanced;
  for (const Link& link : composition.Links()) {
    if (const auto found = figures_of.find(link.Spec().Text()); found != figures_of.end()) {
      const LinkBalanceFigures& figures = *found->second;
      LinkBalance balance;
      balance.from = link.Spec().from.Text();
      balance.to = link.Spec().to.Text();
      for (const auto& adaptor : link.Adaptors())
        balance.adaptors += (balance.adaptors.empty() ? "" : ", ") + adaptor->Id();
      balance.unit = figures.unit;
      balance.left = figures.left;
      balance.arrived = figures.arrived;
      balance.outside = figures.outside;
      balance.relative_difference = figures.relative_difference;
      balance.note =
          figures.is_weighed || !figures.note.empty() ? figures.note : UnweighedText(*composition.File().run);
      if (figures.missing > 0) {
        balance.note += fmt::format("{}steps with a missing value are left out, {} values in all",
                                    balance.note.empty() ? "" : "; ", figures.missing);
      }
      model.link_balances.push_back(std::move(balance));
    }
  }
  for (const auto& [id, figures] : record.components) {
    ComponentBalance balance;
    balance.component = id;
    if (figures.area_m2 > 0.0) balance.area_m2 = figures.area_m2;
    balance.start_m3 = figures.start;
    balance.in_m3 = figures.in;
    balance.out_m3 = figures.out;
    balance.losses_m3 = figures.losses;
    balance.end_m3 = figures.end;
    balance.residual_m3 = figures.residual;
    balance.worst_step_residual_m3 = figures.worst_step;
    if (figures.worst_time != kFarPast) balance.worst_step_time = figures.worst_time.mjd;
    balance.relative_residual = figures.relative;
    if (!figures.is_weighed) balance.note = UnweighedText(*composition.File().run);
    if (figures.is_weighed && figures.unit != "m3") balance.note = fmt::format("amounts in {}", figures.unit);
    AddParts(figures, model.balance_tolerance, balance);
    model.component_balances.push_back(std::move(balance));
  }
}

/// The values over time of a map, at most so many: every so many-th row.
MapFrames FramesOf(const RecordedSeries& recorded, std::size_t most) {
  constexpr std::size_t kMostTimes = 400;
  MapFrames frames;
  const std::size_t width = recorded.series.Width();
  const std::size_t rows = recorded.values.size() / std::max<std::size_t>(width, 1);
  const std::size_t room = std::min(kMostTimes, most / std::max<std::size_t>(width, 1));
  if (room < 2) return frames;
  const std::size_t every = (rows + room - 1) / room;
  for (std::size_t row = 0; row < rows; row += std::max<std::size_t>(every, 1)) {
    frames.times.push_back(recorded.times[row]);
    const auto begin = recorded.values.begin() + static_cast<std::ptrdiff_t>(row * width);
    frames.values.insert(frames.values.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  return frames;
}

/// Adds to each map the elements of the other maps with the same coordinates, each element once.
/// \param systems  reference system of each map, as WKT
void AddContext(std::vector<ElementMap>& maps, const std::vector<std::string>& systems) {
  constexpr std::size_t kMostElements = 1000;
  for (std::size_t m = 0; m < maps.size(); ++m) {
    ElementMap& map = maps[m];
    std::set<std::pair<MapShape, std::string>> seen;
    for (const MapElement& own : map.elements) seen.emplace(own.shape, own.id);
    for (std::size_t k = 0; k < maps.size(); ++k) {
      if (k == m || maps[k].is_geographic != map.is_geographic || systems[k] != systems[m]) continue;
      for (const MapElement& element : maps[k].elements) {
        if (map.context.size() >= kMostElements || !seen.emplace(element.shape, element.id).second) continue;
        map.context.push_back(element);
      }
    }
  }
}

/// Values over time of all maps of a report: 5.3 bytes each.
constexpr std::size_t kMostMapValues = 200'000;

void AddMaps(const Composition& composition, const RunRecord& record, ReportModel& model) {
  std::vector<std::string> systems;
  for (const RecordedSeries& recorded : record.series) {
    if (recorded.series.x.size() < 2) continue;
    const auto index = composition.IndexOf(recorded.spec->item.component);
    if (!index) continue;
    const auto& proxies = composition.Instances()[*index].proxies;  // they exist even if the component does not
    const auto item = proxies.find(recorded.spec->item.item);
    if (item == proxies.end()) continue;
    const auto* set = dynamic_cast<const IElementSet*>(item->second->SpatialDefinition());
    if (set == nullptr) continue;
    const SeriesFigures figures = FiguresOf(recorded);
    ElementMap map;
    const bool amount = recorded.series.kind == ResultKind::Sum;
    map.title = fmt::format("{} {}", amount ? "total" : "largest", recorded.series.id);
    map.unit = recorded.series.unit;
    map.is_geographic = recorded.series.is_longitude_latitude;
    map.places = recorded.series.places;
    for (const ElementFigures& element : figures.Elements()) {
      map.values.push_back(!amount ? element.largest : element.count > 0 ? element.sum : kUnknown);
    }
    const bool invented = composition.Instances()[*index].spec->invented;
    for (std::size_t i = 0; i < map.values.size() && map.values.size() <= kMostMapShapes; ++i) {
      const int found = FindElement(*set, recorded.series.elements[i]);
      MapElement element = DescribeElement(*set, found >= 0 ? found : static_cast<int>(i));
      element.is_invented = invented;
      element.value = map.values[i];
      map.elements.push_back(std::move(element));
    }
    if (!map.elements.empty()) map.frames = FramesOf(recorded, kMostMapValues / record.series.size());
    for (const OddElement& odd :
         OddElements(figures, map.unit, BalanceErrorsOf(record, recorded), model.balance_tolerance)) {
      map.marked.push_back(odd.element);
    }
    if (const std::size_t missing = figures.All().missing; missing > 0) {
      map.title += fmt::format(" ({} missing {} left out)", missing, missing == 1 ? "value" : "values");
    }
    model.maps.push_back(std::move(map));
    systems.push_back(set->SpatialReferenceSystemWkt());
  }
  AddContext(model.maps, systems);
}

/// Whether the engine set an argument from the `Run` element because no file sets it: these two.
bool IsTimeOfRun(const IArgument& argument) {
  return argument.Id() == "start-time" || argument.Id() == "end-time";
}

void AddProvenance(const Composition& composition, const RunOptions& options, ReportModel& model) {
  model.versions.emplace_back("OpenMI SDK", HostBuildText());
  model.versions.emplace_back("standard", "OGC 11-014r3 (OpenMI 2.0)");
  std::set<std::string> seen;
  const auto add_file = [&](const std::filesystem::path& path, const std::string& role) {
    std::error_code error;
    if (path.empty() || !std::filesystem::is_regular_file(path, error) || !seen.insert(path.string()).second) return;
    ReportFile file;
    file.path = path.filename().string();
    file.role = role;
    file.bytes = static_cast<double>(std::filesystem::file_size(path, error));
    file.hash = "sha256:" + HashFile(path);
    model.files.push_back(std::move(file));
  };
  add_file(composition.File().path, "composition");
  constexpr std::size_t kMostComponents = 200;  // a composition of thousands would fill the report
  for (const Instance& instance : composition.Instances()) {
    if (model.arguments.size() > kMostComponents * 5) break;
    if (!instance.IsThere()) continue;  // its family is disengaged
    add_file(instance.omi.path, "OMI file");
    if (instance.loaded.library) add_file(instance.loaded.library->Path(), "library");
    for (const IArgument* argument : instance.Component().Arguments()) {
      const std::string shown = DisplayText(*argument);
      if (shown.empty()) continue;
      const bool from_composition =
          std::ranges::any_of(instance.spec->arguments, [&](const ArgumentSpec& a) { return a.key == argument->Id(); });
      const bool from_omi = instance.omi.Argument(argument->Id()) != nullptr;
      // A changed start-time is the time at which the run made the component start again.
      const bool is_changed =
          std::ranges::find(instance.changed, argument->Id(), &OmiArgument::key) != instance.changed.end();
      const auto* item = dynamic_cast<const ArgumentItem*>(argument);
      model.arguments.push_back({instance.Id(), argument->Id(), shown, item != nullptr ? item->Unit() : "",
                                 is_changed               ? (IsTimeOfRun(*argument) ? "Run" : "operator")
                                 : from_composition       ? "composition"
                                 : from_omi               ? "OMI file"
                                 : IsTimeOfRun(*argument) ? "Run"
                                                          : "default"});
      if (!IsSecret(*argument) && argument->ValueType().kind == ValueKind::String && shown.size() < 1024) {
        add_file(instance.omi.Resolve(shown), "input");
      }
    }
  }
  if (!options.command.empty()) model.settings.emplace_back("command", options.command);
}

std::string Now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                     utc.tm_min);
}

/// A duration as text: "30 days", "59 days 14 h", "90 min", "0.5 s".
std::string DurationInWords(double days) {
  const double seconds = std::round(days * kSecondsPerDay * 1e6) * 1e-6;
  const auto is_whole = [&](double unit) { return std::fmod(seconds, unit) == 0.0; };
  if (seconds >= kSecondsPerDay && is_whole(3600.0)) {
    const double whole = std::floor(seconds / kSecondsPerDay);
    const double hours = (seconds - whole * kSecondsPerDay) / 3600.0;
    return fmt::format("{:g} day{}", whole, whole == 1.0 ? "" : "s") +
           (hours > 0.0 ? fmt::format(" {:g} h", hours) : "");
  }
  if (seconds >= kSecondsPerDay) return FormatNumber(days, 5) + " days";
  if (seconds >= 3600.0 && is_whole(3600.0)) return fmt::format("{:g} h", seconds / 3600.0);
  if (seconds >= 60.0 && is_whole(60.0)) return fmt::format("{:g} min", seconds / 60.0);
  return FormatNumber(seconds, 5) + " s";
}

void AddKeyFigures(const RunRecord& record, ReportModel& model) {
  double worst_link = 0.0;
  std::size_t links = 0;
  std::size_t with_missing = 0;
  for (const auto& [name, figures] : record.links) {
    if (!figures.is_weighed) continue;
    ++links;
    with_missing += figures.missing > 0 ? 1 : 0;
    const double size = std::fabs(figures.relative_difference);
    if (std::isnan(size) || size > worst_link) worst_link = size;  // one that is not a number stays the worst
  }
  double worst_component = 0.0;
  std::size_t unknown = 0;
  std::size_t components = 0;
  for (const auto& [name, figures] : record.components) {
    if (!figures.is_weighed) continue;
    ++components;
    if (std::isnan(figures.relative)) {
      ++unknown;
    } else {
      worst_component = std::max(worst_component, std::fabs(figures.relative));
    }
  }
  const double simulated = (record.reached.mjd - model.from) * kSecondsPerDay;
  model.key_figures.push_back({"simulated", DurationInWords(record.reached.mjd - model.from), "",
                               record.is_complete ? "to its end" : "stopped early",
                               record.is_complete ? ReportTone::Good : ReportTone::Bad});
  model.key_figures.push_back({"speed", CountInWords(record.wall_seconds > 0 ? simulated / record.wall_seconds : 0.0),
                               "times real time", fmt::format("{:.3g} s", record.wall_seconds), ReportTone::Neutral});
  if (record.pace.factor > 0.0) {
    model.key_figures.push_back(
        {"late steps", fmt::format("{}", record.pace.late), fmt::format("of {}", record.pace.steps),
         fmt::format("pace {:g}, worst {:.3g} s", record.pace.factor, record.pace.worst_seconds),
         record.pace.late == 0 ? ReportTone::Good : ReportTone::Warning});
  }
  if (links + components == 0 && !(record.links.empty() && record.components.empty())) {
    model.key_figures.push_back({"balances", "none", "", "the run ended too early for any", ReportTone::Warning});
  }
  if (links > 0) {
    std::string note = fmt::format("{} flux link{}", links, links == 1 ? "" : "s");
    if (with_missing > 0) note += fmt::format(", {} without steps that miss values", with_missing);
    if (!record.not_balanced.empty()) note += fmt::format(", {} not balanced", record.not_balanced.size());
    model.key_figures.push_back({"largest link imbalance",
                                 std::isnan(worst_link) ? "unknown" : FormatRelative(worst_link), "relative", note,
                                 worst_link <= model.balance_tolerance ? ReportTone::Good : ReportTone::Bad});
  }
  if (components > 0) {
    const std::size_t count = components;
    const std::string note = unknown > 0
                                 ? fmt::format("{} of {} not known: missing values passed through", unknown, count)
                             : count == 1 ? std::string("1 component states its storage")
                                          : fmt::format("{} components state their storage", count);
    const ReportTone tone = worst_component > model.balance_tolerance ? ReportTone::Bad
                            : unknown > 0                             ? ReportTone::Warning
                                                                      : ReportTone::Good;
    model.key_figures.push_back({"largest component residual",
                                 unknown < count ? FormatRelative(worst_component) : "unknown",
                                 unknown < count ? "relative" : "", note, tone});
  }
  for (const ReportComparison& comparison : model.comparisons) {
    // The window that fails is the important one. The whole run, which comes last, counts if there is no other.
    const std::size_t count = std::max<std::size_t>(1, comparison.windows.size()) - 1;
    const std::span<const WindowMeasures> all(comparison.windows);
    const std::span<const WindowMeasures> windows = count > 0 ? all.first(count) : all;
    const WindowMeasures* lowest = nullptr;
    for (const WindowMeasures& window : windows) {
      if (window.pairs == 0 || std::isnan(window.nash_sutcliffe)) continue;
      if (lowest == nullptr || window.nash_sutcliffe < lowest->nash_sutcliffe) lowest = &window;
    }
    if (lowest == nullptr) continue;
    const std::string note = windows.size() > 1
                                 ? fmt::format("{}, the lowest of {} windows", lowest->window.label, windows.size())
                                 : lowest->window.label;
    model.key_figures.push_back(
        {"NSE at " + comparison.station, fmt::format("{:.3f}", lowest->nash_sutcliffe), "", note, ReportTone::Neutral});
  }
}

/// "population of 100 000"; empty for other components.
std::string PopulationText(const Instance& instance) {
  if (!instance.spec->population || !instance.IsThere()) return {};
  for (const IBaseOutput* output : instance.Component().Outputs()) {
    const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(output);
    if (item == nullptr || item->SpatialDefinition() == nullptr) continue;
    return fmt::format("population of {}",
                       FormatNumber(static_cast<double>(item->SpatialDefinition()->ElementCount()), 9));
  }
  return "population";
}

}  // namespace

std::string IconAddress(const IBaseLinkableComponent& component) {
  const auto* icon = dynamic_cast<const IIcon*>(&component);
  if (icon == nullptr) return {};
  try {
    const std::string bytes = icon->Icon();
    if (bytes.empty()) return {};
    return fmt::format("data:{};base64,{}", IconType(bytes, component.Caption()), EncodeBase64(bytes));
  } catch (...) {  // a picture is not worth a failure, of whatever type
    return {};
  }
}

GraphModel DescribeGraph(const CompositionFile& file) {
  GraphModel model;
  model.title = file.id;
  for (const ComponentSpec& component : file.components) {
    GraphNode node;
    node.id = component.id;
    node.caption = component.caption;
    node.is_invented = component.invented;
    model.nodes.push_back(std::move(node));
  }
  for (const LinkSpec& link : file.links) {
    GraphLink shown{link.from.component, link.from.item, link.to.component, link.to.item, {}};
    for (const AdaptorSpec& adaptor : link.adaptors) shown.adaptors.push_back(adaptor.id);
    model.links.push_back(std::move(shown));
  }
  return model;
}

GraphModel DescribeGraph(const Composition& composition) {
  GraphModel graph;
  graph.title = composition.File().id;
  std::map<std::string, std::set<std::string>> used;
  for (const LinkSpec& link : composition.File().links) {
    used[link.from.component].insert(link.from.item);
    used[link.to.component].insert(link.to.item);
  }
  std::set<std::string> triggers;
  if (composition.File().run)
    triggers.insert(composition.File().run->trigger.begin(), composition.File().run->trigger.end());
  for (const Instance& instance : composition.Instances()) {
    GraphNode node;
    node.id = instance.Id();
    node.caption = instance.spec->caption;
    if (const std::string population = PopulationText(instance); !population.empty()) {
      node.caption += (node.caption.empty() ? "" : ", ") + population;
    }
    node.is_invented = instance.spec->invented;
    node.is_trigger = triggers.contains(instance.Id());
    if (instance.IsThere()) {
      if (composition.Instances().size() <= GraphStyle{}.most_detailed && !instance.conduct->has_left) {
        instance.RunWork([&] { node.icon = IconAddress(instance.Component()); });
      }
      for (const IBaseInput* input : instance.Component().Inputs()) {
        if (used[instance.Id()].contains(input->Id())) node.inputs.push_back({input->Id(), UnitText(*input)});
      }
      for (const IBaseOutput* output : instance.Component().Outputs()) {
        if (used[instance.Id()].contains(output->Id())) node.outputs.push_back({output->Id(), UnitText(*output)});
      }
    }
    graph.nodes.push_back(std::move(node));
  }
  for (const Link& link : composition.Links()) {
    GraphLink shown;
    shown.from_component = link.Spec().from.component;
    shown.from_item = link.Spec().from.item;
    shown.to_component = link.Spec().to.component;
    shown.to_item = link.Spec().to.item;
    for (const auto& adaptor : link.Adaptors()) shown.adaptors.push_back(adaptor->Id());
    graph.links.push_back(std::move(shown));
  }
  return graph;
}

std::string LoopText(const LoopFigures& loop) {
  const double mean = loop.steps > 0 ? static_cast<double>(loop.iterations) / static_cast<double>(loop.steps) : 0.0;
  std::string text = fmt::format("{}: {} iterations in {} steps ({:.2f} each, at most {})", loop.method,
                                 loop.iterations, loop.steps, mean, loop.most);
  if (loop.unconverged > 0) text += fmt::format(", {} not converged", loop.unconverged);
  if (loop.shortened > 0) text += fmt::format(", {} shortened", loop.shortened);
  if (loop.missing > 0) text += fmt::format(", {} with missing values", loop.missing);
  return text;
}

std::string UnweighedText(const RunSpec& run) {
  return fmt::format("nothing was balanced: the run did not get past its {}",
                     run.warm_up > Days() ? "warm-up" : "start");
}

ReportModel DescribeRun(const Composition& composition, const RunRecord& record, const RunOptions& options) {
  const CompositionFile& file = composition.File();
  ReportModel model;
  model.title = file.caption.empty() ? file.id : file.caption;
  model.subtitle = file.path.filename().string();
  model.description = file.description;
  model.is_complete = record.is_complete && !HasErrors(record.problems);
  model.created = Now();
  if (options.write_results && !record.series.empty()) {
    const auto report = std::filesystem::path(file.ResultName(file.results.report, ".html")).parent_path();
    for (const auto& [kind, name] : {std::pair("CSV", file.ResultName(file.results.csv, ".csv")),
                                     std::pair("NetCDF", file.ResultName(file.results.netcdf, ".nc"))}) {
      model.results.emplace_back(
          kind, std::filesystem::path(name).lexically_relative(report.empty() ? "." : report).string());
    }
    if (const std::string& map = file.results.geopackage; !map.empty()) {
      model.results.emplace_back("statistics (GeoPackage)",
                                 std::filesystem::path(map).lexically_relative(report.empty() ? "." : report).string());
    }
  }
  model.from = file.run->from->mjd;
  model.to = file.run->to->mjd;
  if (file.run->warm_up > Days()) model.warm_up_until = (*file.run->from + file.run->warm_up).mjd;
  for (const Problem& problem : record.problems) {
    Problem text = problem;
    const Where where = text.where;
    text.where = {};
    std::string place = where.component;
    if (!where.item.empty()) place += (place.empty() ? "" : ".") + where.item;
    if (!where.file.empty()) {
      const std::string name = std::filesystem::path(where.file).filename().string();
      place = (where.line > 0 ? fmt::format("{}:{}", name, where.line) : name) + (place.empty() ? "" : " " + place);
    }
    model.messages.push_back({problem.severity == Problem::Error     ? ReportTone::Bad
                              : problem.severity == Problem::Warning ? ReportTone::Warning
                                                                     : ReportTone::Neutral,
                              place, Error::Format({}, problem.problem, problem.remedy)});
  }
  model.graph = DescribeGraph(composition);
  AddSeries(composition, record, model);
  model.comparisons = DescribeComparisons(file, record);
  AddHydrographs(composition, record, model);
  AddBalances(composition, record, model);
  AddMaps(composition, record, model);
  model.settings.emplace_back("begin", FormatIsoTime(Stamp{model.from}));
  model.settings.emplace_back("end", FormatIsoTime(Stamp{model.to}));
  if (file.run->warm_up > Days()) model.settings.emplace_back("warm-up", FormatIsoDuration(file.run->warm_up));
  model.settings.emplace_back("mode", record.mode == RunMode::Pull ? "pull" : "step");
  for (const LoopFigures& loop : record.loops) model.settings.emplace_back("loop " + loop.cycle, LoopText(loop));
  if (record.pace.factor > 0.0) {
    model.settings.emplace_back("pace", fmt::format("{:g}", record.pace.factor));
    model.settings.emplace_back("ended behind the pace", fmt::format("{:.3g} s", record.pace.lost_seconds));
  }
  if (record.checkpoints > 0) model.settings.emplace_back("checkpoints", fmt::format("{}", record.checkpoints));
  if (record.resumed) model.settings.emplace_back("resumed at", FormatIsoTime(*record.resumed));
  for (const RecordedTiming& timing : record.timings) {
    if (record.timings.size() > 200) break;
    ReportTiming one;
    one.component = timing.component;
    one.seconds = timing.seconds;
    one.updates = static_cast<std::size_t>(timing.updates);
    if (timing.steps) {
      one.median = timing.steps->median;
      one.percentile_99 = timing.steps->percentile_99;
      one.longest = timing.steps->longest;
    }
    model.timings.push_back(std::move(one));
  }
  model.is_timing_estimated = record.is_timing_estimated;
  model.workers = record.workers;
  model.wall_seconds = record.wall_seconds;
  AddProvenance(composition, options, model);
  AddKeyFigures(record, model);
  return model;
}

void WriteRunReport(const Composition& composition, const RunRecord& record, const RunOptions& options,
                    const std::filesystem::path& path) {
  WriteHtmlReport(DescribeRun(composition, record, options), path);
}

}  // namespace openmi
