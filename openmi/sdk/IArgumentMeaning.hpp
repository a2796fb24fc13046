#pragma once

#include <cstdint>

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

}  // namespace openmi
