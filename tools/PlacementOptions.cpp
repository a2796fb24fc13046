#include "tools/PlacementOptions.hpp"

#include <fmt/format.h>

#include <utility>

#include "composition/hosts/Address.hpp"
#include "openmi/sdk/Error.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {
namespace {

[[noreturn]] void Refuse(const ArgumentError& error) {
  throw UsageFault{error.Problem() + "; " + error.Remedy()};
}

}  // namespace

void LaunchOptions::AddTo(CLI::App& app, const std::string& slurm) {
  app.add_flag("--slurm", slurm_, slurm);
  AddValue(app, "--launcher", placement_.launcher, "COMMAND",
           "Starts a worker on a host and stays until it ends; {host}, {group}, {ranks} and the word {command} are "
           "replaced (default: '" +
               std::string(Placement::kSsh) + "', and for ranks '" + std::string(Placement::kMpirun) + "')");
  AddValue(app, "--listen", placement_.listen, "ADDRESS",
           "Address of this host at which the workers of other hosts connect; no interface is open without it");
  AddShown(app, "--worker", placement_.program, "PATH", "The program openmi on the other hosts");
  AddShown(app, "--start-timeout", start_timeout_, "SECONDS",
           "Time within which a worker has to connect after its command was started");
}

Placement LaunchOptions::Value() const {
  Placement placement = placement_;
  const double seconds = ParseNumber(start_timeout_, "--start-timeout");
  if (!(seconds > 0.0 && seconds <= 1e6)) {
    throw UsageFault{"--start-timeout: expected more than 0 and at most 1e6 seconds, found '" + start_timeout_ + "'"};
  }
  placement.start_timeout = std::chrono::milliseconds(static_cast<std::int64_t>(1000.0 * seconds));
  try {
    if (!placement.listen.empty()) ListenAt(placement.listen);  // tried before anything is loaded
  } catch (const FileError& error) {
    throw UsageFault{std::string("--listen: ") + error.what()};
  }
  try {
    if (!placement.launcher.empty()) LaunchWords(placement.launcher, {}, {});
    if (slurm_) UseSlurmAllocation(placement);
  } catch (const ArgumentError& error) {
    Refuse(error);
  }
  return placement;
}

void LaunchOptions::ExpectHosts(bool are_there, const std::string& options) const {
  for (const auto& [option, text] : {std::pair("--listen", &placement_.listen), {"--launcher", &placement_.launcher}}) {
    if (are_there || text->empty()) continue;
    throw UsageFault{
        fmt::format("expected {} beside {}, found none of them; name the hosts of the workers", options, option)};
  }
}

void PlacementOptions::AddTo(CLI::App& app) {
  AddRepeated(app, "--place", places_, "GROUP=HOST",
              "Run a group of components on a host, in a worker that the launcher starts there; on localhost: in a "
              "process of this machine");
  AddValue(app, "--hosts", hosts_, "FILE", "The same for the lines 'GROUP HOST' of a file");
  launch_.AddTo(app,
                "Spread the groups that have no other host over the nodes of the Slurm allocation, with srun as "
                "launcher");
}

Placement PlacementOptions::Value() const {
  Placement placement = launch_.Value();
  if (!hosts_.empty()) placement.AddFile(hosts_);
  try {
    for (const std::string& one : places_) placement.Add(one);
  } catch (const ArgumentError& error) {
    Refuse(error);
  }
  launch_.ExpectHosts(!placement.hosts.empty() || !placement.spread.empty(), "--place, --hosts or --slurm");
  return placement;
}

}  // namespace openmi::tools
