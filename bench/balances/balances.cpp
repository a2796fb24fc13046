// What the balances of links cost a large composition: 2 002 components and 4 040 links over a year of hours, once as
// rates per area (each link is balanced), once with Balance="no" on each link. A child process each, with results and
// report as anybody runs it. The bounds: 150 MB at the peak, and 1.3 times the processor time.
//
// Then the links that each take one of many elements of one output: the time of a link and step with 4 000 of them
// against that with 250, which may not grow as the elements do.
//
//   balances [hours]    8 760 where nothing is said; other numbers are for a quick look
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/support/Report.hpp"
#include "composition/check/CheckComposition.hpp"
#include "composition/report/RunReport.hpp"
#include "composition/run/CompositionRun.hpp"

namespace {

constexpr int kChains = 40;
constexpr int kLength = 50;  // components of a chain
constexpr double kMostMegabytes = 150.0;
constexpr double kMostTimes = 1.3;
constexpr int kRounds = 5;

struct Cost {
  double seconds = 0.0;    // of the processor, user and system
  double megabytes = 0.0;  // resident, at most
};

std::string Argument(const std::string& key, const std::string& value) {
  return fmt::format("<Argument Key=\"{}\" Value=\"{}\"/>", key, value);
}

std::string Ready(const std::string& id, const std::string& type, const std::string& arguments) {
  return fmt::format(
      "<Component Id=\"{}\" Type=\"openmi.{}\" Assembly=\"{}/lib/openmi2/libopenmi-components.so\">{}</Component>\n",
      id, type, OPENMI_BINARY_DIR, arguments);
}

std::string Whole(const std::string& id, const std::string& body, int hours, const std::string& trigger) {
  const int days = hours / 24;
  const int rest = hours % 24;
  // From 2021-01-01, which has 365 days.
  static constexpr int kMonths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int year = 2021;
  int month = 0;
  int day = days;
  while (day >= kMonths[month]) {
    day -= kMonths[month];
    if (++month == 12) month = 0, ++year;
  }
  return fmt::format(
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"{}\">\n{}<Run From=\"2021-01-01T00:00Z\" "
      "To=\"{:04}-{:02}-{:02}T{:02}:00Z\"{}/>\n</Composition>\n",
      id, body, year, month + 1, day + 1, rest, trigger);
}

void Write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

/// One series of rain; chains of reaches, each fed by the rain and by the one above, the last also by the base flow.
void WriteBasin(const std::filesystem::path& folder, const std::string& id, int hours, const std::string& balance) {
  std::string rows = "time,rain (mm h-1)\n";
  for (int hour = 1; hour <= hours; ++hour) rows += fmt::format("{},{:.3f}\n", hour, 1.0 + std::sin(0.37 * hour));
  Write(folder / "rain.csv", rows);
  std::string body = Ready("rain", "CsvSeries",
                           Argument("file", "rain.csv") + Argument("columns", "rain=rain[mm h-1]") +
                               Argument("time-units", "hours since 2021-01-01T00:00Z") + Argument("stamps", "end")) +
                     Ready("base", "Constant", Argument("value", "0.2") + Argument("unit", "mm h-1"));
  const auto link = [&](const std::string& from, const std::string& to) {
    body += fmt::format("<Link From=\"{}\" To=\"{}\"{}/>\n", from, to, balance);
  };
  std::string trigger;
  for (int chain = 0; chain < kChains; ++chain) {
    for (int place = 0; place < kLength; ++place) {
      const std::string reach = fmt::format("r{}-{}", chain, place);
      const bool is_last = place + 1 == kLength;
      body += Ready(reach, "Expression",
                    Argument("inputs", is_last ? "rain[mm h-1],up[mm h-1],base[mm h-1]" : "rain[mm h-1],up[mm h-1]") +
                        Argument("outputs", is_last ? "q=0.5*up+0.1*rain+base[mm h-1]" : "q=0.5*up+0.1*rain[mm h-1]"));
      link("rain.rain", reach + ".rain");
      link(place == 0 ? "base.value" : fmt::format("r{}-{}.q", chain, place - 1), reach + ".up");
      if (is_last) {
        link("base.value", reach + ".base");
        trigger += (trigger.empty() ? "" : " ") + reach;
        body += fmt::format("<Observe Item=\"{}.q\"/>\n", reach);
      }
    }
  }
  Write(folder / (id + ".xml"), Whole(id, body, hours, fmt::format(" Trigger=\"{}\"", trigger)));
}

/// One output with many elements, and a link with `one-value` for each of them.
void WriteElements(const std::filesystem::path& folder, const std::string& id, int elements, int hours,
                   const std::string& balance) {
  std::string ids;
  for (int i = 0; i < elements; ++i) ids += fmt::format("{}e{}", i > 0 ? "," : "", i);
  std::string body = Ready("all", "Constant",
                           Argument("value", "0.2") + Argument("unit", "mm h-1") + Argument("elements", ids) +
                               Argument("time-step", "PT1H"));
  for (int i = 0; i < elements; ++i) {
    body += Ready(fmt::format("c{}", i), "Expression",
                  Argument("inputs", "rain[mm h-1]") + Argument("outputs", "q=2*rain[mm h-1]"));
    body += fmt::format("<Link From=\"all.value\" To=\"c{}.rain\"{}><Adaptor Id=\"one-value\">{}{}</Adaptor></Link>\n",
                        i, balance, Argument("of", "element"), Argument("element", fmt::format("e{}", i)));
  }
  Write(folder / (id + ".xml"), Whole(id, body, hours, ""));
}

/// Runs a composition in a child process, from reading it to its last file.
Cost Run(const std::filesystem::path& path, std::size_t balances) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    int outcome = 3;
    try {
      openmi::Problems problems;
      openmi::Composition composition(openmi::ReadCompositionFile(path, problems));
      composition.Load(problems);
      composition.Connect(problems);
      openmi::CheckComposition(composition, problems);
      openmi::RunOptions options;
      options.folder = path.parent_path() / "results" / path.stem();
      options.overwrite = true;
      options.write_report = openmi::WriteRunReport;
      const openmi::RunRecord record = openmi::CompositionRun(composition, problems, options).Run();
      outcome = record.is_complete && record.links.size() == balances && record.not_balanced.empty() ? 0 : 4;
      for (const auto& [link, figures] : record.links) {
        if (!(std::fabs(figures.relative_difference) < 1e-9)) outcome = 5;
      }
      for (const openmi::Problem& problem : record.problems) {
        if (problem.severity == openmi::Problem::Error) fmt::print(stderr, "{}\n", openmi::FormatProblem(problem));
      }
      if (outcome != 0) fmt::print(stderr, "{} balances, complete: {}\n", record.links.size(), record.is_complete);
    } catch (const std::exception& error) {
      fmt::print(stderr, "balances: {}\n", error.what());
    }
    std::fflush(nullptr);
    std::_Exit(outcome);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) throw std::runtime_error("no child process");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error(
        fmt::format("{} ended with {}", path.string(), WIFEXITED(status) ? WEXITSTATUS(status) : -1));
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024.0};
}

void All(bench::Report& report, const std::filesystem::path& folder, int hours) {
  const std::string no = " Balance=\"no\"";
  WriteBasin(folder, "balanced", hours, "");
  WriteBasin(folder, "plain", hours, no);
  std::vector<double> megabytes;
  const auto balanced = [&] {
    const Cost cost = Run(folder / "balanced.xml", 4040);
    megabytes.push_back(cost.megabytes);
    return cost.seconds;
  };
  const bench::Pairs pairs = bench::InTurn(
      kRounds, balanced, [&] { return Run(folder / "plain.xml", 0).seconds; }, 0);
  report.Line(fmt::format("memory-{}h", hours), bench::Median(megabytes), "MB", "limit", kMostMegabytes,
              bench::Bound::AtMost(1.0));
  report.Line(fmt::format("processor-{}h", hours), pairs, "s", "without balances", bench::Bound::AtMost(kMostTimes));

  // What the balance adds to a link and step, with sixteen times the elements: the same but for the caches, which a
  // step of 4 000 components does not fit.
  const auto added = [&](int elements, int steps) {
    const std::string id = fmt::format("elements-{}", elements);
    WriteElements(folder, id, elements, steps, "");
    WriteElements(folder, id + "-plain", elements, steps, no);
    const double with = Run(folder / (id + ".xml"), static_cast<std::size_t>(elements)).seconds;
    const double without = Run(folder / (id + "-plain.xml"), 0).seconds;
    // Less than the clock can tell apart counts as what it can.
    return std::max((with - without) / (static_cast<double>(elements) * steps) * 1e9, 1.0);
  };
  report.Line("one-of-4000-elements",
              bench::InTurn(
                  kRounds, [&] { return added(4000, hours / 10); }, [&] { return added(250, 16 * hours / 10); }, 0),
              "ns a link and step", "of 250 elements", bench::Bound::AtMost(6.0));
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("balances", count, words, [](bench::Report& report) {
    const int hours = report.Words().empty() ? 8760 : std::atoi(report.Words()[0].c_str());
    std::string name = (std::filesystem::current_path() / "bench-balances-XXXXXX").string();
    if (hours < 24) throw std::runtime_error("expected 24 hours or more, found " + report.Words()[0]);
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    try {
      All(report, name, hours);
    } catch (...) {
      std::filesystem::remove_all(name);
      throw;
    }
    std::filesystem::remove_all(name);
  });
}
