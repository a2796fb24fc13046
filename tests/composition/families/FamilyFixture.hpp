#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "composition/families/Families.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {

/// A run in which a component `solver` (and others of its library) stands on a file that can be overwritten.
class SwapRun {
 public:
  /// \param build  which build of the plug-in is there at first
  /// \param file   its name
  explicit SwapRun(const std::string& build = "swap_1", std::string file = "libsolver.so") : file_(std::move(file)) {
    Write(build);
  }

  /// `<Component>` of the plug-in.
  std::string Solver(const std::string& id, const std::string& arguments = {}, const std::string& more = {}) const {
    return "<Component Id=\"" + id + "\" Type=\"Swap\" Assembly=\"" + Library().string() + "\" " + more + ">" +
           arguments + "</Component>\n";
  }
  std::filesystem::path Library() const { return folder_.Path() / file_; }
  /// Writes another build over the file that was loaded, as `cp` does.
  void Write(const std::string& build) {
    const std::filesystem::path from = std::filesystem::path(OPENMI_TEST_PLUGINS) / ("lib" + build + "_plugin.so");
    ASSERT_TRUE(std::filesystem::exists(from)) << from;
    std::ifstream in(from, std::ios::binary);
    std::ofstream out(Library(), std::ios::binary | std::ios::trunc);
    out << in.rdbuf();
  }

  void Begin(const std::string& body, RunMode mode = RunMode::Pull) {
    made_ = std::make_unique<Made>(body);
    ASSERT_EQ(made_->Text(), "");
    RunOptions options;
    options.write_results = false;
    options.mode = mode;
    run_ = std::make_unique<CompositionRun>(*made_->composition, made_->problems, options);
    run_->Begin();
    ASSERT_EQ(run_->State(), RunState::Running);
  }
  CompositionRun& Run() { return *run_; }
  Made& Model() { return *made_; }
  Sink& TheSink(const std::string& id) { return made_->Get<Sink>(id); }
  /// Lets the run come to `hours` after its begin.
  void RunTo(double hours) {
    const Stamp to{kDayOne + hours / 24.0};
    while (Before(run_->Now(), to) && run_->Advance()) {
    }
  }
  /// To the end. \returns the errors
  std::string End() {
    while (run_->State() == RunState::Running && run_->Advance()) {
    }
    record_ = run_->End();
    return ErrorsOf(record_);
  }
  const RunRecord& Record() const { return record_; }

 private:
  Folder folder_;
  std::string file_;
  std::unique_ptr<Made> made_;
  std::unique_ptr<CompositionRun> run_;
  RunRecord record_;
};

/// How many lines of this process's memory map name a private copy of the solver, or the solver itself.
inline std::size_t MappedSolvers() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find("libsolver.so") != std::string::npos ? 1 : 0;
  return count;
}

inline double Single(const Sink& sink, std::size_t step) {
  return sink.rows.at(step).at(0);
}

}  // namespace openmi::testing
