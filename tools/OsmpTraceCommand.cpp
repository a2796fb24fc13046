#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "fmi-bridge/osmp/trace/TraceSummary.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;
using osi::Timestamp;
using osi::TraceSummary;

constexpr std::size_t kMostTracks = 40;

struct OsmpTraceArguments {
  std::string file;
  std::string type;
  std::string channel;
  std::string plot;
  bool json = false;
};

std::string VersionText(const osi::InterfaceVersion& version) {
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

std::string TimeText(const Timestamp& time) {
  return fmt::format("{}.{:09}", time.seconds, time.nanos);
}

const char* TypeText(int type) {
  constexpr const char* kTypes[] = {"unknown", "other", "vehicle", "pedestrian", "animal"};
  return type >= 0 && type < 5 ? kTypes[type] : "unknown";
}

Json SummaryJson(const TraceSummary& summary) {
  Json json = {
      {"message", summary.type},        {"messageByName", summary.named.empty() ? Json() : Json(summary.named)},
      {"messages", summary.messages},   {"bytes", summary.bytes},
      {"smallest", summary.smallest},   {"largest", summary.largest},
      {"withoutTime", summary.untimed}, {"notAfterTheOneBefore", summary.backwards}};
  if (summary.first) {
    json["first"] = summary.first->Seconds();
    json["last"] = summary.last->Seconds();
    json["shortestStep"] = summary.shortest_step;
    json["longestStep"] = summary.longest_step;
  }
  json["versions"] = Json::object();
  for (const auto& [version, count] : summary.versions) json["versions"][VersionText(version)] = count;
  json["fewestObjects"] = summary.fewest_objects;
  json["mostObjects"] = summary.most_objects;
  json["objects"] = Json::array();
  for (const auto& [id, track] : summary.tracks) {
    json["objects"].push_back(
        {{"id", id}, {"type", TypeText(track.type)}, {"messages", track.count}, {"fastest", track.fastest}});
  }
  json["problem"] = summary.problem;
  return json;
}

void PrintSummary(const TraceSummary& summary) {
  const auto line = [](const std::string& text) { PrintLine(stdout, text); };
  line(fmt::format("messages   {} {}{}", summary.messages, summary.type.empty() ? "of unknown type" : summary.type,
                   summary.is_type_reported || summary.type.empty() ? ""
                   : summary.named.empty()
                       ? " (by their fields)"
                       : fmt::format(" (by their fields; the file's name says {})", summary.named)));
  line(fmt::format("size       {} bytes, {} to {} each", summary.bytes, summary.smallest, summary.largest));
  if (summary.first) {
    line(fmt::format("time       {} to {} s, {:.9g} to {:.9g} s apart", TimeText(*summary.first),
                     TimeText(*summary.last), summary.shortest_step, summary.longest_step));
  }
  if (summary.untimed > 0) line(fmt::format("           {} without a time stamp", summary.untimed));
  if (summary.backwards > 0) line(fmt::format("           {} not after the one before", summary.backwards));
  std::string versions;
  for (const auto& [version, count] : summary.versions) {
    versions += fmt::format("{}{} ({})", versions.empty() ? "" : ", ", VersionText(version), count);
  }
  line(fmt::format("OSI        {}", versions.empty() ? "no version stated" : versions));
  line(fmt::format("objects    {} moving, {} to {} in a message; {} stationary", summary.tracks.size(),
                   summary.fewest_objects, summary.most_objects, summary.outlines.size()));
  std::size_t shown = 0;
  for (const auto& [id, track] : summary.tracks) {
    if (++shown > kMostTracks) {
      line(fmt::format("           and {} more", summary.tracks.size() - kMostTracks));
      break;
    }
    line(fmt::format("           {:<12} {:<10} in {} messages, at most {:.4g} m/s", id, TypeText(track.type),
                     track.count, track.fastest));
  }
}

int Execute(const OsmpTraceArguments& arguments) {
  ExpectFile(arguments.file);
  const TraceSummary summary = osi::Summarize(arguments.file, arguments.type, arguments.channel);
  if (arguments.json) {
    PrintLine(stdout, SummaryJson(summary).dump(2));
  } else if (summary.messages > 0) {
    PrintSummary(summary);
  }
  if (!arguments.plot.empty() && summary.messages > 0) {
    if (summary.tracks.empty() && summary.outlines.empty()) {
      PrintLine(stderr, fmt::format("{}: expected objects with places to draw, found none", arguments.file));
      return kBadInput;
    }
    WriteOutput(arguments.plot, osi::BirdsEyeSvg(summary), {.option = "--plot"});
  }
  if (summary.problem.empty()) return kSuccess;
  PrintLine(stderr, fmt::format("{}: {}", arguments.file, summary.problem));
  return kBadInput;
}

}  // namespace

void AddOsmpTrace(CLI::App& osmp, Invocation& invocation) {
  auto arguments = std::make_shared<OsmpTraceArguments>();
  CLI::App* trace = osmp.add_subcommand("trace", "Describe the contents of an OSI trace file");
  trace->add_option("FILE", arguments->file, "Trace file (.osi, .mcap)")->required();
  AddValue(*trace, "--message", arguments->type, "TYPE",
           "Type of the messages, if neither the file name nor the content shows it");
  AddValue(*trace, "--channel", arguments->channel, "TOPIC",
           "Channel of an .mcap file; without it, the only one of OSI, or of that type");
  AddValue(*trace, "--plot", arguments->plot, "OUT",
           "SVG drawing of the moving objects from above; '-' is standard output");
  trace->add_flag("--json", arguments->json, "Print JSON");
  trace->footer(
      "Examples:\n"
      "  openmi osmp trace 20260101T120000Z_gt_380_3212_600_overtaking.osi --plot overtaking.svg");
  trace->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
