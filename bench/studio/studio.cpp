// What the studio costs a run, and how fast its page and the page of a report are.
//
// live: a run of which ten items are watched, beside the same run without; and beside one with a page that has stopped
// reading. age: how often values reach the page. thousand: 1 000 components in a browser, the time to the first picture
// and the pictures a second while a box is dragged. report: a report with 40 series of 100 000 values, together in
// groups and with a plot for each; its size and how long a browser takes to open it. The last two need Chromium.
// Arguments: none, all; else some of these words.

#include "studio/Studio.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench/support/Measure.hpp"
#include "bench/support/Report.hpp"
#include "openmi/omi/SafeProbe.hpp"
#include "tests/studio/Browser.hpp"
#include "tests/studio/WebClient.hpp"
#include "timespace/times/Iso8601.hpp"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kCommand = OPENMI_BINARY_DIR "/bin/openmi";
constexpr int kRounds = 7;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("openmi-bench-studio-page-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& Path() const { return path_; }

 private:
  fs::path path_;
};

/// Writes a composition of `width` chains of `length` cascades, each fed by a constant.
/// \param observed  of the last cascade of a chain, whether it is recorded
void WriteChains(const fs::path& path, int width, int length, const char* to, bool observed) {
  std::ofstream file(path);
  file << "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"" << path.stem().string() << "\">\n";
  for (int i = 0; i < width; ++i) {
    file << fmt::format(
        "<Component Id=\"c-{}-0\" Type=\"openmi.Constant\" Assembly=\"openmi-components\"><Argument Key=\"value\" "
        "Value=\"{}\"/><Argument Key=\"unit\" Value=\"m3 s-1\"/></Component>\n",
        i, i + 1);
    for (int k = 1; k < length; ++k) {
      file << fmt::format(
          "<Component Id=\"c-{}-{}\" Type=\"openmi.NashCascade\" Assembly=\"openmi-components\"><Argument "
          "Key=\"residence-time\" Value=\"{}\"/></Component>\n",
          i, k, 1000 * (i + 1));
    }
    for (int k = 1; k < length; ++k) {
      file << fmt::format("<Link From=\"c-{}-{}.{}\" To=\"c-{}-{}.inflow\"/>\n", i, k - 1, k == 1 ? "value" : "outflow",
                          i, k);
    }
    if (observed) file << fmt::format("<Observe Item=\"c-{}-{}.outflow\"/>\n", i, length - 1);
  }
  file << fmt::format("<Run From=\"2000-01-01T00:00Z\" To=\"{}\"/>\n</Composition>\n", to);
}

/// A studio in this process.
class Server {
 public:
  explicit Server(const fs::path& composition)
      : studio_({.composition = composition,
                 .program = kCommand,
                 .ask =
                     [](const Json& request) {
                       const fs::path file =
                           fs::temp_directory_path() / fmt::format("openmi-bench-request-{}", ::getpid());
                       std::ofstream(file) << request.dump();
                       const auto answer = openmi::AskChild({kCommand, "studio", file.string(), "--in-child"}, 60.0);
                       fs::remove(file);
                       return answer;
                     }}),
        thread_([this] { studio_.Run(); }) {
    headers_ = openmi::WebClient::SignIn(studio_.Port(), studio_.Address());
  }
  ~Server() {
    studio_.Stop();
    thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string Address() const { return studio_.Address(); }
  std::unique_ptr<openmi::WebClient> Page() const {
    auto page = std::make_unique<openmi::WebClient>(studio_.Port());
    if (page->Upgrade(headers_).find("101") == std::string::npos) throw std::runtime_error("expected a WebSocket");
    return page;
  }

 private:
  openmi::Studio studio_;
  std::thread thread_;
  std::string headers_;
};

/// Runs the composition from a page. \returns the seconds that the run took
/// \param items  that are watched
/// \param gaps   receives the seconds between values
double RunOnce(openmi::WebClient& page, const Json& items, std::vector<double>* gaps) {
  page.SendText(Json{{"do", "watch"}, {"items", items}, {"balances", !items.empty()}, {"id", 1}}.dump());
  page.SendText(Json{{"do", "run"}, {"id", 2}}.dump());
  auto last = std::chrono::steady_clock::time_point();
  while (true) {
    const std::string text = page.NextText(120'000);
    if (text.empty()) throw std::runtime_error("expected the run to end, found no message");
    const Json message = Json::parse(text);
    const std::string event = message.value("event", "");
    if (event == "values") {
      const auto now = std::chrono::steady_clock::now();
      if (gaps != nullptr && last.time_since_epoch().count() != 0) {
        gaps->push_back(std::chrono::duration<double>(now - last).count());
      }
      last = now;
    }
    if (event == "run" && message["state"] == "over") {
      if (message["code"] != 0) throw std::runtime_error("expected the run to succeed: " + text);
      return message["record"]["wall_seconds"];
    }
  }
}

void Live(bench::Report& report) {
  const Folder folder;
  WriteChains(folder.Path() / "chains.xml", 20, 10, "2006-01-01T00:00Z", true);
  const Server server(folder.Path() / "chains.xml");
  const auto page = server.Page();
  Json items = Json::array();
  for (int i = 0; i < 10; ++i) items.push_back(fmt::format("c-{}-9.outflow", i));
  bench::Pairs watched;
  bench::Pairs hanging;
  std::vector<double> gaps;
  (void)RunOnce(*page, Json::array(), nullptr);
  for (int round = 0; round < kRounds; ++round) {
    // Each of the three is first and last in turn.
    double plain = 0.0;
    double with_values = 0.0;
    double with_silent = 0.0;
    for (int i = 0; i < 3; ++i) {
      switch (round % 2 == 0 ? i : 2 - i) {
        case 0:
          plain = RunOnce(*page, Json::array(), nullptr);
          break;
        case 1:
          with_values = RunOnce(*page, items, &gaps);
          break;
        default: {
          const auto silent = server.Page();  // opened, and never read
          with_silent = RunOnce(*page, items, nullptr);
        }
      }
    }
    watched.Add(with_values, plain);
    hanging.Add(with_silent, plain);
  }
  if (report.Wants("live")) {
    report.Line("live", watched, "s", "not watched", bench::Bound::AtMost(1.02), "ten items and the balances watched");
    report.Line("live-hanging", hanging, "s", "not watched", bench::Bound::AtMost(1.02),
                "and a page that does not read");
  }
  if (report.Wants("age")) {
    report.Line("age", bench::Median(gaps), "s", "limit", 0.25, bench::Bound::AtMost(1.0),
                "between values of the ten items");
  }
}

void Thousand(bench::Report& report) {
  const Folder folder;
  WriteChains(folder.Path() / "thousand.xml", 25, 40, "2000-02-01T00:00Z", false);
  const Server server(folder.Path() / "thousand.xml");
  openmi::Browser browser(folder.Path() / "browser", 1400, 900);
  const auto begin = std::chrono::steady_clock::now();
  browser.Open(server.Address());
  browser.Wait("window.studio && studio.graph.boxes.size === 1000 && studio.graph.frames > 0");
  const double first = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.Line("thousand-first", first, "s", "limit", 2.0, bench::Bound::AtMost(1.0),
              "until 1 000 components are drawn");
  browser.Wait("!studio.state.isChecking", 60.0);
  for (const char* how : {"far", "near"}) {
    if (std::string(how) == "near") browser.Eval("(studio.graph.reveal('c-12-20'), studio.graph.draw())");
    const Json at = browser.Eval(
        "(() => { const g = studio.graph, b = g.boxes.get('c-12-20'), r = g.host.getBoundingClientRect(), s = "
        "g.view.scale; "
        "return [b.x * s + g.view.x + r.x + 20 * s, b.y * s + g.view.y + r.y + 10 * s]; })()");
    browser.Mouse("mousePressed", at[0], at[1]);
    browser.Eval("(window.first = studio.graph.frames, window.since = performance.now())");
    for (int i = 0; i < 240; ++i) {
      browser.Mouse("mouseMoved", at[0].get<double>() + 90.0 * std::sin(i / 9.0),
                    at[1].get<double>() + 60.0 * std::cos(i / 9.0));
    }
    const double frames = browser.Eval("(studio.graph.frames - first) / (performance.now() - since) * 1000");
    browser.Mouse("mouseReleased", at[0], at[1]);
    report.Line(fmt::format("thousand-drag-{}", how), frames, "/s", "limit", 30.0, bench::Bound::AtLeast(1.0),
                "pictures while a box is dragged");
  }
}

/// Writes a composition whose 40 recorded series differ in unit or kind, so that a report has a plot for each. They
/// follow one series of waves and noise, which no thinning makes short.
void WriteUnlike(const fs::path& path) {
  constexpr std::array kUnits = {"m3 s-1", "L s-1", "ft3 s-1", "m3 h-1", "m3 d-1"};
  constexpr std::array kKinds = {"mean", "minimum", "maximum"};
  constexpr int kHours = 100'000;
  std::ofstream waves(path.parent_path() / "waves.csv");
  waves << "time,flow [m3 s-1]\n";
  std::mt19937 random(1);
  const double begin = openmi::ParseIsoTime("2000-01-01T00:00Z").mjd;
  for (int hour = 0; hour < kHours; ++hour) {
    waves << fmt::format("{},{:.4f}\n", openmi::FormatIsoTime(openmi::Stamp{begin + hour / 24.0}),
                         6.0 + 3.0 * std::sin(hour / 17.0) + 1e-9 * static_cast<double>(random()));
  }
  std::ofstream file(path);
  file << "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"" << path.stem().string()
       << "\">\n<Component Id=\"s\" Type=\"openmi.CsvSeries\" Assembly=\"openmi-components\"><Argument Key=\"file\" "
          "Value=\"waves.csv\"/><Argument Key=\"stamps\" Value=\"begin\"/></Component>\n";
  for (std::size_t i = 0; i < 40; ++i) {
    file << fmt::format(
        "<Component Id=\"n-{0}\" Type=\"openmi.NashCascade\" Assembly=\"openmi-components\"><Argument Key=\"unit\" "
        "Value=\"{1}\"/><Argument Key=\"residence-time\" Value=\"{2}\"/></Component>\n<Link From=\"s.flow\" "
        "To=\"n-{0}.inflow\"/>\n<Observe Item=\"n-{0}.outflow\" Every=\"PT1H\" As=\"{3}\"/>\n",
        i, kUnits[i % kUnits.size()], i + 1, kKinds[i / kUnits.size() % kKinds.size()]);
  }
  file << fmt::format("<Run From=\"2000-01-01T00:00Z\" To=\"{}\"/>\n</Composition>\n",
                      openmi::FormatIsoTime(openmi::Stamp{begin + kHours / 24.0}));
}

void LargeReport(bench::Report& report) {
  for (const bool is_alike : {true, false}) {
    const Folder folder;
    if (is_alike) {
      WriteChains(folder.Path() / "series.xml", 40, 2, "2011-05-30T00:00Z", true);
    } else {
      WriteUnlike(folder.Path() / "series.xml");
    }
    const openmi::ChildResult run = openmi::RunInChild(
        {kCommand, "run", (folder.Path() / "series.xml").string(), "--results", folder.Path().string()},
        {.time = std::chrono::minutes(10)});
    if (run.exit_code != 0) throw std::runtime_error("expected a report, found: " + run.err);
    const fs::path page = folder.Path() / "series.html";
    const std::string name = is_alike ? "report" : "report-apart";
    report.Line(name + "-size", static_cast<double>(fs::file_size(page)) / 1e6, "MB", "limit", 6.0,
                bench::Bound::AtMost(1.0),
                is_alike ? "40 series of 100 000 values" : "40 such series with a plot each");
    std::vector<double> seconds;
    for (int round = 0; round < 3; ++round) {
      openmi::Browser browser(folder.Path() / "browser", 1400, 900);
      browser.Open("file://" + page.string());
      browser.Wait(
          "document.readyState === 'complete' && performance.getEntriesByType('navigation')[0].loadEventEnd > 0");
      seconds.push_back(browser.Eval("performance.getEntriesByType('navigation')[0].loadEventEnd").get<double>() /
                        1000.0);
      const auto plots = browser.Eval("document.querySelectorAll('#items svg[data-plot]').length");
      if (!is_alike && plots != 40) {
        throw std::runtime_error("expected 40 plots in the report, found " + plots.dump());
      }
    }
    report.Line(name + "-open", bench::Median(seconds), "s", "limit", 1.5, bench::Bound::AtMost(1.0),
                "until it is loaded");
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("studio", count, words, [](bench::Report& report) {
    if (report.Wants("live") || report.Wants("age")) Live(report);
    if (report.Wants("thousand")) Thousand(report);
    if (report.Wants("report")) LargeReport(report);
  });
}
