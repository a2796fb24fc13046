#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// The host on which a group runs that has no other: this one.
inline constexpr char kThisHost[] = "localhost";

/// What a launcher starts.
struct LaunchedGroup {
  std::string id;
  std::string host;
  int ranks = 0;  ///< processes with MPI; 0: one without
};

/// Where the groups of a composition run. A composition file names groups; hosts are named outside it, by those who
/// start the run.
struct Placement {
  std::map<std::string, std::string> hosts;  ///< by group; without a host, components run where the file says
  std::vector<std::string> spread = {};      ///< hosts of the groups that are not among them, one after the other
  std::string launcher;                      ///< see LaunchWords; empty: the one of LauncherFor
  std::string listen;              ///< the interface to which workers on other hosts connect; empty: none is open
  std::string program = "openmi";  ///< the command over there
  std::chrono::milliseconds start_timeout{60'000};  ///< within which a worker has to connect

  /// The launcher for other hosts if none is given.
  static constexpr char kSsh[] = "ssh -o BatchMode=yes {host} {command}";
  /// That for ranks. Ranks of one host may be more than its cores, and share them with other processes.
  static constexpr char kMpirun[] = "mpirun -np {ranks} --host {host}:{ranks} --oversubscribe --bind-to none {command}";

  /// The launcher for a group. The given one is for other hosts: ranks on this one are started by kMpirun.
  const std::string& LauncherFor(const LaunchedGroup& group) const;

  /// Adds "GROUP=HOST".
  /// \throws ArgumentError  it is something else, or the group has another host
  void Add(std::string_view text);
  /// Adds the groups of a file: "GROUP HOST" on each line; `#` starts a comment.
  /// \throws FileError, FormatError
  void AddFile(const std::filesystem::path& file);
};

/// Spreads the groups that have no host over the nodes of the Slurm allocation in which this process runs, and starts
/// their workers with `srun`. What `placement` already says stays: the launcher, the interface, and hosts of groups.
///
/// Groups on the node of this process are in processes of this host. Workers of other nodes connect to the address by
/// which this host reaches the first of them.
/// \throws ArgumentError  this process is in no allocation
/// \throws FileError      `scontrol` does not name the nodes, or their addresses are unknown here
void UseSlurmAllocation(Placement& placement);

/// Reads a file of hosts: words on each line; `#` starts a comment, and empty lines are left out.
/// \param take    called with the words of a line, and the line
/// \param remedy  for errors: "write 'GROUP HOST' on each line"
/// \throws FileError    it cannot be read
/// \throws FormatError  `take` threw an ArgumentError: the same with the line
void ReadHostLines(const std::filesystem::path& file, const std::string& remedy,
                   const std::function<void(const std::vector<std::string>& words, const std::string& line)>& take);

/// The words of a command that starts the worker of a group on a host, or all its ranks.
///
/// Words are separated by blanks; quotes hold a word together. `{host}`, `{group}` and `{ranks}` are replaced wherever
/// they stand, and the word `{command}` by the words of the command.
/// \throws ArgumentError  `launcher` has no word {command}, a quote that is not closed, or no {ranks} for ranks
std::vector<std::string> LaunchWords(std::string_view launcher, const LaunchedGroup& group,
                                     const std::vector<std::string>& command);

}  // namespace openmi
