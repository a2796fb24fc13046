#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "composition/check/CheckComposition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "tests/examples/TestData.hpp"

namespace riverbasin {

using openmi::CompositionFile;
using openmi::Problem;
using openmi::Problems;
using openmi::RunMode;
using openmi::RunRecord;

/// All problems of a severity, one a line.
inline std::string TextOf(const Problems& problems, Problem::Severity severity) {
  std::string text;
  for (const Problem& problem : problems) {
    if (problem.severity == severity) text += openmi::FormatProblem(problem) + "\n";
  }
  return text;
}

/// A composition of the example.
inline CompositionFile Read(const char* name) {
  Problems problems;
  CompositionFile file = openmi::ReadCompositionFile(RiverBasin() / name, problems);
  EXPECT_EQ(TextOf(problems, Problem::Error), "");
  return file;
}

/// A composition that was run, or found wanting before.
struct Outcome {
  std::unique_ptr<openmi::Composition> composition;  // the record points into its file
  Problems problems;
  RunRecord record;

  const openmi::LinkBalanceFigures& Link(const std::string& text) const {
    for (const auto& [name, figures] : record.links) {
      if (name == text) return figures;
    }
    ADD_FAILURE() << "no balance of " << text;
    static const openmi::LinkBalanceFigures none;
    return none;
  }
  const openmi::ComponentBalanceFigures& Component(const std::string& id) const {
    for (const auto& [name, figures] : record.components) {
      if (name == id) return figures;
    }
    ADD_FAILURE() << "no balance of " << id;
    static const openmi::ComponentBalanceFigures none;
    return none;
  }
  const openmi::RecordedSeries& Series(const std::string& id) const {
    return *std::ranges::find_if(record.series, [&](const auto& series) { return series.spec->id == id; });
  }
};

/// Checked and run without files, with the real data as variable `data`.
inline Outcome RunIt(CompositionFile file, RunMode mode = RunMode::Pull, std::size_t threads = 1) {
  Outcome outcome;
  outcome.composition =
      std::make_unique<openmi::Composition>(std::move(file), openmi::Variables{{"data", RealData().string()}});
  outcome.composition->Load(outcome.problems);
  outcome.composition->Connect(outcome.problems);
  openmi::CheckComposition(*outcome.composition, outcome.problems);
  EXPECT_EQ(TextOf(outcome.problems, Problem::Error), "");
  if (openmi::HasErrors(outcome.problems)) return outcome;
  openmi::RunOptions options;
  options.write_results = false;
  options.mode = mode;
  options.threads = threads;
  outcome.record = openmi::CompositionRun(*outcome.composition, outcome.problems, options).Run();
  EXPECT_TRUE(outcome.record.is_complete) << TextOf(outcome.record.problems, Problem::Error);
  return outcome;
}

}  // namespace riverbasin
