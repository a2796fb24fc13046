#include <nlohmann/json.hpp>
#include <utility>

#include "composition/report/HtmlSections.hpp"
#include "composition/report/RunReport.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

nlohmann::ordered_json ProcessesJson(const RecordedWorkers& workers) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  const std::size_t width = workers.columns.size();
  for (const RecordedWorkers::Worker& worker : workers.workers) {
    const WorkerFigures& figures = worker.figures;
    nlohmann::ordered_json one = {{"name", figures.name},
                                  {"group", figures.group},
                                  {"host", figures.host},
                                  {"placed", figures.placed},
                                  {"process", figures.process},
                                  {"components", figures.components},
                                  {"computing_seconds", workers.SecondsOf(worker, 0)}};
    if (figures.lost_after) {
      one["lost"] = {{"after_seconds", *figures.lost_after}};
      if (figures.lost_at) one["lost"]["time"] = FormatIsoTime(*figures.lost_at);
    }
    for (std::size_t column = 1; column < width; ++column) {
      const double seconds = workers.SecondsOf(worker, column);
      if (seconds > 0.0) one["waiting_seconds"][workers.columns[column]] = seconds;
    }
    one["bytes"] = {{"messages_from_run", figures.messages_to},
                    {"messages_to_run", figures.messages_from},
                    {"rows_from_run", figures.rows_to},
                    {"rows_to_run", figures.rows_from}};
    for (const RowPathFigures& path : figures.paths) {
      one["rows_to"].push_back({{"name", workers.workers[path.to].figures.name},
                                {"over", path.is_network ? "network" : "memory"},
                                {"bytes", path.bytes}});
    }
    all.push_back(std::move(one));
    if (all.size() > kMostTimelines) continue;
    nlohmann::ordered_json bins = nlohmann::ordered_json::array();
    for (std::size_t bin = 0; bin * width < worker.times.size(); ++bin) {
      const auto begin = worker.times.begin() + static_cast<std::ptrdiff_t>(bin * width);
      bins.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(width)));
    }
    all.back()["timeline"] = {
        {"bin_seconds", workers.bin_seconds}, {"columns", workers.columns}, {"bins", std::move(bins)}};
  }
  return all;
}

}  // namespace

nlohmann::ordered_json RunToJson(const Composition& composition, const RunRecord& record,
                                 nlohmann::ordered_json problems) {
  nlohmann::ordered_json json;
  json["event"] = "end";
  json["composition"] = composition.File().id;
  json["is_complete"] = record.is_complete;
  json["reached"] = FormatIsoTime(record.reached);
  json["wall_seconds"] = record.wall_seconds;
  json["problems"] = std::move(problems);
  if (record.pace.factor > 0.0) {
    json["pace"] = {{"factor", record.pace.factor},
                    {"steps", record.pace.steps},
                    {"late", record.pace.late},
                    {"worst_seconds", record.pace.worst_seconds},
                    {"behind_seconds", record.pace.lost_seconds}};
  }
  if (record.resumed) json["resumed"] = FormatIsoTime(*record.resumed);
  json["links"] = nlohmann::ordered_json::array();
  for (const auto& [name, figures] : record.links) {
    json["links"].push_back({{"link", name},
                             {"unit", figures.unit},
                             {"left", figures.left},
                             {"arrived", figures.arrived},
                             {"outside", figures.outside},
                             {"relative_difference", figures.relative_difference},
                             {"missing", figures.missing}});
  }
  json["not_balanced"] = nlohmann::ordered_json::array();
  for (const auto& [name, reason] : record.not_balanced) {
    json["not_balanced"].push_back({{"link", name}, {"reason", reason}});
  }
  json["components"] = nlohmann::ordered_json::array();
  for (const auto& [id, figures] : record.components) {
    json["components"].push_back({{"component", id},
                                  {"start", figures.start},
                                  {"in", figures.in},
                                  {"out", figures.out},
                                  {"losses", figures.losses},
                                  {"end", figures.end},
                                  {"residual", figures.residual},
                                  {"worst_step", figures.worst_step},
                                  {"relative", figures.relative}});
  }
  json["loops"] = nlohmann::ordered_json::array();
  for (const LoopFigures& loop : record.loops) {
    json["loops"].push_back({{"loop", loop.cycle},
                             {"method", loop.method},
                             {"steps", loop.steps},
                             {"iterations", loop.iterations},
                             {"most", loop.most},
                             {"unconverged", loop.unconverged},
                             {"shortened", loop.shortened},
                             {"missing", loop.missing}});
  }
  for (const RecordedTiming& timing : record.timings) {
    if (!timing.steps) continue;
    json["steps"].push_back({{"component", timing.component},
                             {"steps", timing.updates},
                             {"seconds", timing.seconds},
                             {"median_seconds", timing.steps->median},
                             {"percentile_99_seconds", timing.steps->percentile_99},
                             {"longest_seconds", timing.steps->longest}});
  }
  if (!record.workers.workers.empty()) json["processes"] = ProcessesJson(record.workers);
  json["stations"] = nlohmann::ordered_json::array();
  if (!record.comparisons.empty()) {
    for (const ReportComparison& station : DescribeComparisons(composition.File(), record)) {
      for (const WindowMeasures& m : station.windows) {
        json["stations"].push_back({{"station", station.station},
                                    {"window", m.window.label},
                                    {"pairs", m.pairs},
                                    {"missing", m.missing},
                                    {"nse", m.nash_sutcliffe},
                                    {"kge", m.kling_gupta.efficiency},
                                    {"log_nse", m.log_nash_sutcliffe.efficiency},
                                    {"volume_error", m.volume_error},
                                    {"peak_error", m.peak.size},
                                    {"peak_hours_late", m.peak.hours},
                                    {"persistence_nse", m.persistence.efficiency}});
      }
    }
  }
  json["files"] = record.files;
  return json;
}

}  // namespace openmi
