#pragma once

#include <fstream>
#include <sstream>

#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {

inline std::string BytesOf(const std::filesystem::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// Two days by steps of one to three hours: adaptors that remember rows, a loop of links, periods under way, meters.
inline std::string Watershed(const std::string& walk_arguments = {}, const std::string& more = {}) {
  return ComponentXml("walk", "Walk", walk_arguments) +
         ComponentXml("upper", "Pond", ArgumentXml("time-step", "PT3H")) +
         ComponentXml("lower", "Pond", ArgumentXml("time-step", "PT2H")) +
         LinkXml("walk.flow", "upper.inflow", AdaptorXml("mean-over-span")) +
         // a linear operation under a time adaptor keeps rows of its own
         LinkXml("upper.outflow", "lower.inflow",
                 AdaptorXml("linear-operation", ArgumentXml("a", "0.75")) + AdaptorXml("mean-over-span")) +
         LinkXml("lower.level", "upper.back",
                 AdaptorXml("linear", ArgumentXml("relaxation", "0.5") + ArgumentXml("extrapolation", "linear"))) +
         "<Observe Item=\"walk.level\"/><Observe Id=\"mean\" Item=\"lower.outflow\" Every=\"PT5H\" As=\"mean\"/>"
         "<Observe Id=\"most\" Item=\"upper.level\" Every=\"PT7H\" As=\"maximum\"/>"
         "<Compare Simulated=\"upper.level\" Observed=\"lower.level\" Measures=\"nse\"/>" +
         more + RunXml("2015-12-03T00:00Z", "Trigger=\"lower\" WarmUp=\"PT6H\"");
}

inline RunOptions FilesIn(const std::filesystem::path& folder) {
  RunOptions options;
  options.folder = folder;
  options.command = "openmi run made.xml";
  return options;
}

inline std::string ProblemsOf(const RunRecord& record) {
  std::string text;
  for (const Problem& problem : record.problems) text += FormatProblem(problem) + "\n";
  return text;
}

/// Makes so many passes and then leaves the run as it is.
inline void RunSome(const std::string& body, const RunOptions& options, std::uint64_t passes) {
  Made made(body);
  EXPECT_EQ(made.Text(), "");
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  for (std::uint64_t i = 0; i < passes && run.Advance(); ++i) {
  }
}

inline RunRecord RunAll(const std::string& body, const RunOptions& options,
                        const std::function<void(Composition&)>& before_load = {}) {
  Made made(body, before_load);
  EXPECT_EQ(made.Text(), "");
  RunRecord record = CompositionRun(*made.composition, made.problems, options).Run();
  for (auto& comparison : record.comparisons) comparison.spec = nullptr;  // the composition goes
  return record;
}

}  // namespace openmi::testing
