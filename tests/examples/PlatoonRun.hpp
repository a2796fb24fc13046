#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "composition/check/CheckComposition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/CompositionRun.hpp"

namespace platoon {

/// The simulator of the example in a process of its own, at a port that is free.
class SimulatorProcess {
 public:
  explicit SimulatorProcess(const std::string& exchange_log = {}) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("expected a pipe, found none");
    child_ = fork();
    if (child_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      const std::string program = OPENMI_BINARY_DIR "/examples/platoon/platoon-slave";
      const std::string description = OPENMI_SOURCE_DIR "/examples/platoon/platoon.dcpx";
      execl(program.c_str(), program.c_str(), description.c_str(), "--port", "0", "--exchange-log",
            exchange_log.c_str(), nullptr);
      _exit(127);
    }
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
    if (std::fscanf(output_, "listens at port %15[0-9]", port_) != 1) {
      throw std::runtime_error("expected the simulator to listen, found that it doesn't");
    }
  }
  ~SimulatorProcess() { Stop(); }
  SimulatorProcess(const SimulatorProcess&) = delete;
  SimulatorProcess& operator=(const SimulatorProcess&) = delete;

  std::string Port() const { return port_; }
  /// Ends it. \returns everything that it said since it listens
  std::string Stop() {
    if (child_ <= 0) return {};
    kill(child_, SIGTERM);
    std::string text;
    for (int letter = 0; (letter = std::fgetc(output_)) != EOF;) text += static_cast<char>(letter);
    std::fclose(output_);
    waitpid(std::exchange(child_, 0), nullptr, 0);
    return text;
  }

 private:
  pid_t child_ = 0;
  std::FILE* output_ = nullptr;
  char port_[16] = {};
};

/// The example's composition, run without files.
struct PlatoonRun {
  /// \param simulator  which: nrt, udp, srt, local \param variables  further ones \param seconds  simulated
  /// \param arguments  of the simulator, beside those of the file \param counts  of its outputs, observed too
  explicit PlatoonRun(const std::string& simulator_name, openmi::Variables variables = {}, double seconds = 30.0,
                      const std::vector<std::pair<std::string, std::string>>& arguments = {},
                      const std::vector<std::string>& counts = {}, openmi::RunOptions options = {}) {
    variables["simulator"] = simulator_name;
    openmi::CompositionFile file =
        openmi::ReadCompositionFile(OPENMI_SOURCE_DIR "/examples/platoon/platoon.xml", problems);
    openmi::ThrowIfErrors(problems);
    file.run->to = *file.run->from + openmi::Seconds(seconds);
    for (const std::string& count : counts) {
      file.observes.push_back(file.observes.front());
      file.observes.back().item = {.component = "simulator", .item = count};
    }
    auto& simulator = *std::ranges::find(file.components, "simulator", &openmi::ComponentSpec::id);
    for (const auto& [key, value] : arguments) {
      openmi::ArgumentSpec argument;
      argument.key = key;
      argument.value = value;
      simulator.arguments.push_back(std::move(argument));
    }
    composition = std::make_unique<openmi::Composition>(std::move(file), std::move(variables));
    composition->Load(problems);
    composition->Connect(problems);
    openmi::CheckComposition(*composition, problems);
    openmi::ThrowIfErrors(problems);
    options.write_results = false;
    record = openmi::CompositionRun(*composition, problems, options).Run();
    openmi::ThrowIfErrors(record.problems);
  }

  /// Column `element` of an observed item, row by row.
  std::vector<double> Column(const std::string& item, std::size_t element = 0) const {
    const auto found = std::ranges::find_if(
        record.series, [&](const openmi::RecordedSeries& series) { return series.spec->item.Text() == item; });
    if (found == record.series.end()) throw std::runtime_error("nobody observed " + item);
    const std::size_t width = found->values.size() / found->times.size();
    std::vector<double> column;
    for (std::size_t row = 0; row < found->times.size(); ++row) column.push_back(found->values[row * width + element]);
    return column;
  }

  openmi::Problems problems;
  std::unique_ptr<openmi::Composition> composition;  // the record points into its file
  openmi::RunRecord record;
};

}  // namespace platoon
