#pragma once

#include <cstdint>
#include <string>

namespace openmi {

/// What the value of an argument means.
///
/// The meaning decides who may set the argument. A program that offers a component to others, as an FMU or as a DCP
/// slave, lets them set `Plain` arguments. Of the other arguments it opens only those that its owner lists by name.
enum class ArgumentMeaning : std::uint8_t {
  Unstated,             ///< the component does not state it: a text could name anything
  Plain,                ///< refers to nothing outside the component: a number, a choice, a unit, a formula, a time
  Path,                 ///< a file or a folder of this machine
  Library,              ///< code to load, or a function in it
  Host,                 ///< another machine, or a resource on it
  EnvironmentVariable,  ///< the name of an environment variable; the component reads its value
  Secret                ///< never shown, printed or written to a result ("password")
};

/// An argument that states what its value means.
///
/// Optional interface of an IArgument.
class IArgumentMeaning {
 public:
  virtual ~IArgumentMeaning() = default;
  /// The meaning. Unless stated otherwise, numbers, booleans and texts with possible values are `Plain`.
  virtual ArgumentMeaning Meaning() const = 0;
};

/// A component whose arguments name files.
///
/// Relative names are relative to the folder of the OMI file or composition that sets them, not to the working
/// directory of the program. Code that sets arguments from a file first calls `SetFileRoot` with the folder of that
/// file. The base classes of the SDK implement this interface. A component without it receives its arguments unchanged.
class IFileRoot {
 public:
  virtual ~IFileRoot() = default;
  /// Sets the folder for relative file names.
  /// \param folder  empty: the working directory
  virtual void SetFileRoot(const std::string& folder) = 0;
};

/// A component that applies changes of some of its arguments during a run.
///
/// Optional interface.
class ITunable {
 public:
  virtual ~ITunable() = default;
  /// Whether the component applies a change of this argument, made between two updates, in the next update.
  /// \param argument  an id
  virtual bool IsTunable(const std::string& argument) const = 0;
};

}  // namespace openmi
