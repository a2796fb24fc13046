#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// The host on which a group runs that has no other: this one.
inline constexpr char kThisHost[] = "localhost";

/// Where the groups of a composition run. A composition file names groups; hosts are named outside it, by those who
/// start the run.
struct Placement {
  std::map<std::string, std::string> hosts;  ///< by group; without a host, components run where the file says
  std::vector<std::string> spread;           ///< hosts of the groups that are not among them, one after the other
  std::string launcher;                      ///< see LaunchWords; empty: kSsh
  std::string listen;              ///< the interface to which workers on other hosts connect; empty: none is open
  std::string program = "openmi";  ///< the command over there

  /// The launcher if none is given.
  static constexpr char kSsh[] = "ssh -o BatchMode=yes {host} {command}";

  /// Adds "GROUP=HOST".
  /// \throws ArgumentError  it is something else, or the group has another host
  void Add(std::string_view text);
  /// Adds the groups of a file: "GROUP HOST" on each line; `#` starts a comment.
  /// \throws FileError, FormatError
  void AddFile(const std::filesystem::path& file);
};

/// The words of a command that starts a worker on a host.
///
/// Words are separated by blanks; quotes hold a word together. `{host}` and `{group}` are replaced wherever they stand,
/// and the word `{command}` by the words of the command.
/// \throws ArgumentError  `launcher` has no word {command}, or a quote that is not closed
std::vector<std::string> LaunchWords(std::string_view launcher, const std::string& host, const std::string& group,
                                     const std::vector<std::string>& command);

}  // namespace openmi
