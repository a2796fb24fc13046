#include "tools/StudyHostOptions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {
namespace {

constexpr int kMostWorkers = 100'000;

/// Adds "HOST" or a host and the number of its workers.
/// \returns false if it is something else
bool AddHost(std::vector<std::string>& hosts, const std::string& host, const std::string& count) {
  const auto number = count.empty() ? std::optional<int>(1) : AsNumber<int>(count);
  if (host.empty() || host.front() == '-' || host.find_first_of(" \t") != std::string::npos || !number || *number < 1 ||
      *number > kMostWorkers) {
    return false;
  }
  hosts.insert(hosts.end(), static_cast<std::size_t>(*number), host);
  return true;
}

void AddFile(std::vector<std::string>& hosts, const std::string& file) {
  ReadHostLines(file, "write 'HOST' or 'HOST N' on each line",
                [&hosts](const std::vector<std::string>& words, const std::string& line) {
                  if (words.size() <= 2 && AddHost(hosts, words[0], words.size() == 2 ? words[1] : "")) return;
                  throw ArgumentError({},
                                      fmt::format("expected a host and how many workers it gets, found '{}'", line));
                });
}

}  // namespace

void StudyHostOptions::AddTo(CLI::App& app) {
  AddRepeated(app, "--host", hosts_, "HOST[=N]",
              "Run N workers (default: 1) on a host, which the launcher starts there; may be repeated; localhost: "
              "processes of this machine");
  AddValue(app, "--hosts", file_, "FILE", "The same for the lines 'HOST N' of a file");
  launch_.AddTo(app,
                "Run a worker for each CPU of each node of the Slurm allocation, or --workers in all, with srun as "
                "launcher");
}

StudyPlaces StudyHostOptions::Value(int workers) const {
  StudyPlaces places{.placement = launch_.Value()};
  const std::vector<std::string> nodes = std::exchange(places.placement.spread, {});
  for (const std::string& one : hosts_) {
    const std::size_t sign = std::min(one.find('='), one.size());
    if (!AddHost(places.hosts, one.substr(0, sign), one.substr(std::min(sign + 1, one.size()))) ||
        sign + 1 == one.size()) {
      throw UsageFault{fmt::format("expected a host and how many workers it gets, found '{}'; write HOST=N", one)};
    }
  }
  if (!file_.empty()) AddFile(places.hosts, file_);
  if (!places.hosts.empty() && (workers > 0 || !nodes.empty())) {
    throw UsageFault{
        "expected --host and --hosts, or --workers, or --slurm, found several; each says how many workers run"};
  }
  launch_.ExpectHosts(!places.hosts.empty() || !nodes.empty(), "--host, --hosts or --slurm");
  if (nodes.empty()) return places;
  const char* cpus = std::getenv("SLURM_CPUS_ON_NODE");
  const int each = cpus != nullptr ? AsNumber<int>(cpus).value_or(1) : 1;
  const std::size_t count =
      workers > 0 ? static_cast<std::size_t>(workers) : nodes.size() * static_cast<std::size_t>(std::max(each, 1));
  for (std::size_t i = 0; i < count; ++i) places.hosts.push_back(nodes[i % nodes.size()]);
  return places;
}

}  // namespace openmi::tools
