#pragma once

#include <string>

namespace openmi {

/// A program that works for others over a Channel.
struct WorkerProgram {
  const char* name;      ///< of its file, and first in its greeting
  const char* variable;  ///< the environment variable that names another file
  const char* what;      ///< for messages: "the program that runs members of a study"

  /// The path of the program: beside the runtime library, or where the environment variable says.
  /// \throws FileError  there is none
  std::string Find() const;
};

inline constexpr WorkerProgram kComponentHost{"openmi-component-host", "OPENMI_COMPONENT_HOST",
                                              "the program that holds components in a process of their own"};
inline constexpr WorkerProgram kStudyHost{"openmi-study-host", "OPENMI_STUDY_HOST",
                                          "the program that runs members of a study"};

}  // namespace openmi
