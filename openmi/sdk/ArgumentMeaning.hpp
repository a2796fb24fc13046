#pragma once

#include <cstdint>

namespace openmi {

/// What the value of an argument stands for. It decides who may choose it: whatever offers a component to others, as an
/// FMU or as a DCP slave, lets them set `Plain` arguments, and of the rest those that its owner opened by name.
enum class ArgumentMeaning : std::uint8_t {
  Unstated,             ///< the component does not say: a text could name anything
  Plain,                ///< nothing outside of the component: a number, a choice, a unit, a formula, a time
  Path,                 ///< a file or a folder of this machine
  Library,              ///< code that is loaded, or a function of it
  Host,                 ///< another machine, or something on it
  EnvironmentVariable,  ///< the name of one, whose value is read
  Secret                ///< never shown, printed or written to a result ("password")
};

}  // namespace openmi
