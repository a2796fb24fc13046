#pragma once

#include <string>

namespace openmi {

/// A program that works for others over a Channel.
struct WorkerProgram {
  const char* name;      ///< of its file, and first in its greeting
  const char* variable;  ///< the environment variable that names another file
  const char* what;      ///< for messages: "the program that runs members of a study"
  const char* remedy;    ///< where to get it

  /// The path of the program: beside the runtime library, or where the environment variable says.
  /// \throws FileError  there is none
  std::string Find() const;
};

inline constexpr WorkerProgram kComponentHost{"openmi-component-host", "OPENMI_COMPONENT_HOST",
                                              "the program that holds components in a process of their own",
                                              "install it"};
inline constexpr WorkerProgram kRankHost{
    "openmi-rank-host", "OPENMI_RANK_HOST",
    "the program that holds components on several ranks (a build with MPI), for Ranks",
    "install the package openmi2-mpi, build with OPENMI_WITH_MPI and an MPI "
    "(libopenmpi-dev), leave out Ranks"};
inline constexpr WorkerProgram kStudyHost{"openmi-study-host", "OPENMI_STUDY_HOST",
                                          "the program that runs members of a study", "install it"};

}  // namespace openmi
