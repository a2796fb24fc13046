#include "tools/PlacementOptions.hpp"

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
}

Placement LaunchOptions::Value() const {
  Placement placement = placement_;
  try {
    if (!placement.launcher.empty()) LaunchWords(placement.launcher, {}, {});
    if (slurm_) UseSlurmAllocation(placement);
  } catch (const ArgumentError& error) {
    Refuse(error);
  }
  return placement;
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
  return placement;
}

}  // namespace openmi::tools
