#include "tests/growth/GrowthRun.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "composition/check/CheckComposition.hpp"
#include "composition/control/ControlDesk.hpp"
#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/report/RunReport.hpp"
#include "composition/run/CompositionRun.hpp"
#include "openmi/sdk/Problem.hpp"
#include "tests/fmi-bridge/support/ProcessMemory.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::growth {
namespace {

namespace fs = std::filesystem;

constexpr double kBegin = 57357.0;  // 2015-12-01
constexpr double kSecondsOfDay = 86400.0;

std::string ErrorsIn(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (problem.severity == Problem::Error) text += FormatProblem(problem) + "\n";
  }
  return text;
}

/// Kilobytes of a line of /proc/<process>/status, in bytes; 0 where there is none.
long StatusLine(long process, const std::string& name) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::atol(line.c_str() + name.size() + 1) * 1024;
  }
  return 0;
}

/// The processes that `process` started, and those that they started.
std::set<long> StartedBy(long process) {
  std::set<long> found;
  for (const fs::directory_entry& thread : fs::directory_iterator(fmt::format("/proc/{}/task", process))) {
    std::ifstream children(thread.path() / "children");
    for (long child = 0; children >> child;) {
      if (!found.insert(child).second) continue;
      for (const long further : StartedBy(child)) found.insert(further);
    }
  }
  return found;
}

Memory MemoryOf(CompositionRun& run, const Options& options) {
  Memory memory;
  memory.heap = static_cast<long>(test::HeapBytes());
  for (const RecordedSeries& series : run.Record().series) {
    for (const auto* values : {&series.begins, &series.times, &series.values}) {
      memory.heap -= static_cast<long>(values->capacity() * sizeof(double));
    }
  }
  memory.shared = StatusLine(getpid(), "RssShmem");
  for (const long process : StartedBy(getpid())) memory.others += StatusLine(process, "RssAnon");
  if (options.slave != 0) memory.others += StatusLine(options.slave, "RssAnon");
  return memory;
}

std::string TextOf(const std::string& body, const Options& options) {
  const double end = kBegin + (static_cast<double>(Steps()) + 60.0) / kSecondsOfDay;
  return fmt::format(
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"growth\">\n{}<Run From=\"2015-12-01T00:00Z\" To=\"{}\" "
      "Mode=\"{}\" {}/>\n</Composition>\n",
      body, FormatIsoTime(Stamp{end}), options.mode, options.run);
}

/// Asks, overrides and frees over and over, until the desk is closed.
class Operator {
 public:
  Operator(ControlDesk& desk, bool is_there) {
    if (is_there) thread_ = std::jthread([this, &desk](const std::stop_token& stop) { Work(desk, stop); });
  }
  std::size_t Answers() const { return answers_; }

 private:
  void Work(ControlDesk& desk, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      for (const char* words : {R"("do":"status")", R"("do":"override","item":"pond.in","values":[0.5])",
                                R"("do":"values","item":"pond.in")", R"("do":"free","item":"pond.in")"}) {
        if (desk.Answer(fmt::format("{{{}}}", words)).find("\"ok\":true") == std::string::npos) return;
        ++answers_;
      }
    }
  }
  std::atomic<std::size_t> answers_ = 0;
  std::jthread thread_;
};

/// The run, in the child. \returns what is wrong; empty: nothing
std::string Work(const fs::path& file, const fs::path& folder, const Options& options, Growth& growth) {
  Problems problems;
  Composition composition(ReadCompositionFile(file.string(), problems));
  composition.SetResultsFolder(folder / "out");
  composition.Load(problems);
  composition.Connect(problems);
  CheckComposition(composition, problems);
  if (HasErrors(problems)) return ErrorsIn(problems);
  RunOptions run_options;
  run_options.folder = folder / "out";
  run_options.threads = options.threads;
  run_options.write_report = WriteRunReport;
  CompositionRun run(composition, problems, run_options);
  run.Begin();
  ControlDesk desk(run);
  const Operator somebody(desk, options.has_operator);
  const auto reach = [&](double seconds) {
    const double time = kBegin + (seconds - 1e-4) / kSecondsOfDay;
    while (run.Now().mjd < time) {
      if (!run.Advance()) return false;
    }
    return true;
  };
  const auto steps = static_cast<double>(Steps());
  bool is_there = reach(0.1 * steps);
  growth.early = MemoryOf(run, options);
  is_there = is_there && reach(steps);
  growth.late = MemoryOf(run, options);
  desk.Close();
  constexpr std::size_t kOften = 100;
  if (options.has_operator && somebody.Answers() < kOften) {
    return fmt::format("expected {} answers to the operator, found {}", kOften, somebody.Answers());
  }
  if (!is_there) return "ended early: " + ErrorsIn(run.Record().problems);
  run.End();
  return ErrorsIn(run.Record().problems);
}

}  // namespace

std::size_t Steps() {
  const char* text = std::getenv("OPENMI_GROWTH_STEPS");
  constexpr std::size_t kPlain = 100'000;
  return text != nullptr ? static_cast<std::size_t>(std::strtoull(text, nullptr, 10)) : kPlain;
}

Growth RunLong(const std::string& body, const fs::path& folder, const Options& options) {
  fs::create_directories(folder);
  const fs::path file = folder / "growth.xml";
  std::ofstream(file) << TextOf(body, options);
  const fs::path said = folder / "said.txt";
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    Growth growth;
    try {
      growth.problem = Work(file, folder, options, growth);
    } catch (const std::exception& error) {
      growth.problem = error.what();
    }
    std::ofstream out(said);
    for (const Memory& memory : {growth.early, growth.late}) {
      out << memory.heap << ' ' << memory.shared << ' ' << memory.others << '\n';
    }
    out << growth.problem;
    out.close();
    std::fflush(nullptr);
    _exit(0);
  }
  int status = 0;
  rusage usage = {};
  wait4(child, &status, 0, &usage);
  Growth growth;
  std::ifstream in(said);
  for (Memory* memory : {&growth.early, &growth.late}) in >> memory->heap >> memory->shared >> memory->others;
  if (!in || !WIFEXITED(status)) growth.problem = fmt::format("ended with status {}", status);
  in.ignore();
  std::ostringstream rest;
  rest << in.rdbuf();
  growth.problem += rest.str();
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  growth.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return growth;
}

void ExpectNone(const Growth& growth, const std::string& what) {
  constexpr long kMegabyte = 1'000'000;
  const std::string figures = fmt::format(
      "{}: bytes at a tenth of {} steps and at all: heap {} and {}, shared {} and {}, other processes {} and {}; "
      "{:.1f} s",
      what, Steps(), growth.early.heap, growth.late.heap, growth.early.shared, growth.late.shared, growth.early.others,
      growth.late.others, growth.seconds);
  if (std::getenv("OPENMI_GROWTH_SHOW") != nullptr) {
    fmt::print("{}\n", figures);
    std::fflush(stdout);  // a process of a component would print again what is still in the buffer
  }
  EXPECT_TRUE(growth.problem.empty()) << what << ": " << growth.problem;
  EXPECT_LE(growth.late.heap - growth.early.heap, kMegabyte) << figures;
  EXPECT_LE(growth.late.shared - growth.early.shared, kMegabyte) << figures;
  EXPECT_LE(growth.late.others - growth.early.others, kMegabyte) << figures;
}

std::string Refusal(const std::string& body, const fs::path& folder) {
  fs::create_directories(folder);
  const fs::path file = folder / "growth.xml";
  std::ofstream(file) << TextOf(body, {});
  Problems problems;
  Composition composition(ReadCompositionFile(file.string(), problems));
  composition.Load(problems);
  composition.Connect(problems);
  CheckComposition(composition, problems);
  return ErrorsIn(problems);
}

std::string ArgumentXml(const std::string& key, const std::string& value) {
  return fmt::format("<Argument Key=\"{}\" Value=\"{}\"/>", key, value);
}
std::string AdaptorXml(const std::string& id, const std::string& arguments) {
  return fmt::format("<Adaptor Id=\"{}\">{}</Adaptor>", id, arguments);
}
std::string Link(const std::string& from, const std::string& to, const std::string& adaptors,
                 const std::string& attributes) {
  return fmt::format("<Link From=\"{}\" To=\"{}\" {}>{}</Link>\n", from, to, attributes, adaptors);
}
std::string ComponentXml(const std::string& id, const std::string& type, const std::string& assembly,
                         const std::string& arguments, const std::string& attributes) {
  return fmt::format("<Component Id=\"{}\" Type=\"{}\" Assembly=\"{}\" {}>{}</Component>\n", id, type, assembly,
                     attributes, arguments);
}
std::string Observe(const std::string& item, const std::string& attributes) {
  return fmt::format("<Observe Item=\"{}\" {}/>\n", item, attributes);
}

}  // namespace openmi::growth
