// The nodes of a Slurm allocation as hosts of groups.

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <string>

#include "composition/hosts/Address.hpp"
#include "composition/hosts/Placement.hpp"
#include "openmi/omi/SafeProbe.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr char kSrun[] = "srun --overlap --nodes=1 --ntasks={ranks} --nodelist={host} {command}";
constexpr char kNodeAddress[] = " NodeAddr=";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// What `scontrol show` says.
std::string Shown(const std::string& what, const std::string& name) {
  const ChildResult told =
      RunInChild({"scontrol", "--oneliner", "show", what, name}, {.time = std::chrono::seconds(30)});
  if (told.Succeeded() && !told.out.empty()) return told.out;
  throw FileError({.file = "scontrol"},
                  fmt::format("expected 'scontrol show {} {}' to answer, found that it {} {}", what, name,
                              told.Sentence(), told.err.substr(0, told.err.find('\n'))),
                  "name the hosts with --place");
}

/// The address or name at which a node is reached: its name may be known to Slurm alone.
std::string AddressOf(const std::string& node) {
  const std::string text = " " + Shown("node", node);
  const std::size_t at = text.find(kNodeAddress);
  if (at == std::string::npos) return node;
  const std::size_t begin = at + sizeof kNodeAddress - 1;
  return text.substr(begin, text.find(' ', begin) - begin);
}

}  // namespace

void UseSlurmAllocation(Placement& placement) {
  const std::string list = Variable("SLURM_JOB_NODELIST");
  if (list.empty()) {
    throw ArgumentError({}, "expected an allocation of Slurm, found no SLURM_JOB_NODELIST",
                        "run it in a job (sbatch) or in salloc, or name the hosts with --place");
  }
  std::istringstream names(Shown("hostnames", list));
  const std::string own = Variable("SLURMD_NODENAME");
  for (std::string name; names >> name;) {
    placement.spread.push_back(name == own ? kThisHost : name);
    if (name != own && placement.listen.empty()) placement.listen = AddressTowards(AddressOf(name));
  }
  if (placement.launcher.empty()) placement.launcher = kSrun;
}

}  // namespace openmi
