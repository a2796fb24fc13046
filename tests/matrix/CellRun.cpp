#include "tests/matrix/CellRun.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/results/CsvResults.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/RunCheckpoints.hpp"
#include "openmi/sdk/Problem.hpp"
#include "study/run/MemberRunner.hpp"
#include "tests/support/TankSlave.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::matrix {
namespace {

namespace fs = std::filesystem;

constexpr int kRefused = 5;
constexpr int kFailed = 6;
constexpr unsigned kLongestSeconds = 200;

/// A family that leaves or comes back when the run has reached a time.
struct Exchange {
  double mjd = 0.0;
  std::string family;
  bool is_leaving = false;
};

// At whole steps of all components, since in between it depends on the manner which of them has stepped; and not at the
// time of a checkpoint, which does not say on which side of the exchange it was taken.
std::vector<Exchange> ExchangesOf(const Cell& cell) {
  constexpr double kBegin = 57357.0;  // 2015-12-01
  const auto minute = [](double minutes) { return kBegin + minutes / 1440.0; };
  std::vector<Exchange> exchanges;
  if (const std::string family = LeftOutFamily(cell); !family.empty()) {
    exchanges.push_back({minute(15.0), family, true});
    exchanges.push_back({minute(18.0), family, false});
  }
  if (const std::string family = ExchangedFamily(cell); !family.empty()) {
    const double at = minute(3.0 + 3.0 * static_cast<double>(NumberOf(cell) % 3));
    exchanges.insert(exchanges.begin(), {{at, family, true}, {at, family, false}});
  }
  return exchanges;
}

std::string ErrorsOf(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (problem.severity == Problem::Error) text += FormatProblem(problem) + "\n";
  }
  return text;
}

/// What the report and the GeoPackage of a run show of its elements: text for text the same, whatever the manner.
void WriteFigures(const RunRecord& record, const fs::path& path) {
  std::ofstream out(path);
  for (const RecordedSeries& series : record.series) {
    for (const ElementFigures& one : series.figures->Elements()) {
      out << fmt::format("{},{},{},{},{},{},{},{},{}\n", series.series.id, one.smallest, one.smallest_time, one.largest,
                         one.largest_time, one.sum, one.last, one.count, one.missing);
    }
    for (const FigureBand& band : series.figures->Bands(5)) {
      out << fmt::format("{},{},{}\n", band.begin, band.end, fmt::join(band.quantiles, ","));
    }
  }
}

/// The same as the second member of a study, in the child. \returns the exit code
int WorkAsMember(const Cell& cell, const fs::path& file, const fs::path& folder) {
  const auto say = [&](const std::string& text) { std::ofstream(folder / "said.txt") << text; };
  Problems problems;
  CompositionFile composition = ReadCompositionFile(file.string(), problems);
  if (composition.run) composition.run->threads = static_cast<int>(ThreadsOf(cell));
  StudyFile study;
  study.path = folder / "study.xml";
  study.id = "study";
  MemberRunner runner(StudyPlan(std::move(study), std::move(composition), problems), {}, folder / "out");
  MemberResult result;
  MemberRunner::Extras extras;
  // A slave ends with its first master.
  for (const std::uint64_t member : {0U, 1U}) {
    if (member == 1 && HasSlave(cell)) break;
    extras = {};
    result = runner.Run({.member = member}, extras);
    if (result.end == MemberEnd::Done) continue;
    say(result.problem);
    return result.end == MemberEnd::Refused ? kRefused : kFailed;
  }
  std::vector<ResultSeries> series;
  std::vector<SeriesShape> shapes;
  for (const std::string& bytes : extras.shapes) {
    shapes.push_back(SeriesShape::FromBytes(bytes));
    series.push_back(shapes.back().series);
  }
  fs::create_directories(folder / "out");
  CsvResults table(folder / "out" / "cell.csv", {}, series);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::size_t width = shapes[i].series.Width();
    for (std::size_t row = 0; row < shapes[i].times.size(); ++row) {
      table.Append(i, shapes[i].begins[row], shapes[i].times[row],
                   std::span(result.series[i].values).subspan(row * width, width));
    }
  }
  table.Close();
  RunRecord record;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    RecordedSeries& recorded = record.series.emplace_back();
    recorded.series = series[i];
    recorded.figures = SeriesFigures::Of(series[i].Width(), shapes[i].begins, shapes[i].times, result.series[i].values);
  }
  WriteFigures(record, folder / "figures.txt");
  say("0");
  return 0;
}

/// The run itself, in the child. \param kill_after  passes; 0: no kill \returns the exit code
int Work(const Cell& cell, const fs::path& file, const fs::path& folder, std::size_t kill_after, bool resume) {
  const auto say = [&](const std::string& text) { std::ofstream(folder / "said.txt") << text; };
  Problems problems;
  Composition composition(ReadCompositionFile(file.string(), problems));
  composition.SetResultsFolder(folder / "out");
  if (IsOnHosts(cell)) {
    Placement placement{
        .hosts = {}, .launcher = "env {command}", .listen = "127.0.0.1", .program = OPENMI_BINARY_DIR "/bin/openmi"};
    for (const ComponentSpec& component : composition.File().components) {
      // The second part of a population stays on this host.
      const std::vector<std::string> groups = GroupsOf(component);
      if (!groups.empty()) placement.hosts[groups[0]] = groups[0].starts_with("first") ? "one" : "two";
    }
    composition.SetPlacement(std::move(placement));
  }
  if (resume) ExpectResume(composition, folder / "out");
  composition.Load(problems);
  composition.Connect(problems);
  CheckComposition(composition, problems);
  if (HasErrors(problems)) {
    say(ErrorsOf(problems));
    return kRefused;
  }
  RunOptions options;
  options.folder = folder / "out";
  options.command = "openmi run cell.xml";
  options.threads = ThreadsOf(cell);
  options.resume = resume;
  options.write_report = [&folder](const Composition&, const RunRecord& record, const RunOptions&, const fs::path&) {
    WriteFigures(record, folder / "figures.txt");
  };
  CompositionRun run(composition, problems, options);
  run.Begin();
  std::vector<Exchange> exchanges = ExchangesOf(cell);
  constexpr double kTick = 1e-9;
  // A checkpoint holds what was done until its time.
  if (resume) std::erase_if(exchanges, [&](const Exchange& one) { return one.mjd <= run.Now().mjd + kTick; });
  while (true) {
    while (!exchanges.empty() && exchanges.front().mjd <= run.Now().mjd + kTick) {
      const Exchange due = exchanges.front();
      exchanges.erase(exchanges.begin());
      if (due.is_leaving) {
        run.Disengage(due.family);
      } else {
        run.Engage(due.family);
      }
    }
    if (kill_after != 0 && run.Passes() >= kill_after) raise(SIGKILL);
    if (!run.Advance()) break;
  }
  const RunRecord record = run.End();
  const std::string errors = ErrorsOf(record.problems);
  say(errors.empty() ? std::to_string(run.Passes()) : errors);
  return errors.empty() && exchanges.empty() ? 0 : kFailed;
}

/// \returns the status of the child
int RunChild(const Cell& cell, const fs::path& file, const fs::path& folder, std::size_t kill_after, bool resume) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    alarm(kLongestSeconds);
    int code = kFailed;
    try {
      code = IsMember(cell) ? WorkAsMember(cell, file, folder) : Work(cell, file, folder, kill_after, resume);
    } catch (const std::exception& error) {
      std::ofstream(folder / "said.txt") << error.what();
    }
    std::fflush(nullptr);
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

std::string BytesOf(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// The state that the FMU of a cell wrote, of a study that of its first member by name. Empty: it writes none.
std::string StateOf(const fs::path& out) {
  std::set<fs::path> states;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(out)) {
    if (file.path().filename() == kEndState) states.insert(file.path());
  }
  return states.empty() ? std::string() : BytesOf(*states.begin());
}

std::string RowsOf(const fs::path& table) {
  std::ifstream in(table);
  std::string rows;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('#')) rows += line + "\n";
  }
  return rows;
}

}  // namespace

Outcome Run(const Cell& cell, const fs::path& folder, std::size_t kill_passes) {
  fs::create_directories(folder);
  const int port = HasSlave(cell) ? TankSlave::FreePort() : 0;
  const fs::path file = Write(cell, folder, port);
  int status = 0;
  const auto run_child = [&](std::size_t kill_after, bool resume) {
    std::unique_ptr<TankSlave> slave;
    if (HasSlave(cell)) slave = std::make_unique<TankSlave>(folder / "tank.dcpx", port);
    status = RunChild(cell, file, folder, kill_after, resume);
  };
  if (IsResumed(cell)) {
    run_child(1 + NumberOf(cell) % (kill_passes > 2 ? kill_passes - 1 : 2), false);
    const bool was_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (was_killed) run_child(0, true);
  } else {
    run_child(0, false);
  }

  Outcome outcome;
  outcome.text = BytesOf(folder / "said.txt");
  if (WIFSIGNALED(status)) {
    outcome.kind = WTERMSIG(status) == SIGALRM ? Outcome::Hung : Outcome::Crashed;
    outcome.text = fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return outcome;
  }
  const int code = WEXITSTATUS(status);
  outcome.kind = code == 0          ? Outcome::Ran
                 : code == kRefused ? Outcome::Refused
                 : code == kFailed  ? Outcome::Failed
                                    : Outcome::Crashed;
  if (outcome.kind == Outcome::Ran) {
    outcome.passes = static_cast<std::size_t>(std::atol(outcome.text.c_str()));
    outcome.rows = RowsOf(folder / "out" / "cell.csv") + BytesOf(folder / "figures.txt") + StateOf(folder / "out");
  }
  return outcome;
}

}  // namespace openmi::matrix
