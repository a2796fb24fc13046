#pragma once

#include <filesystem>
#include <string>

#include "tests/matrix/Subject.hpp"

namespace openmi::matrix {

/// How a cell went.
struct Outcome {
  enum Kind {
    Ran,      ///< to its end
    Refused,  ///< by the check, before anything ran
    Failed,   ///< in the run, with a message
    Crashed,  ///< a signal, or an exit that was not the run's
    Hung      ///< no end within a minute
  };
  Kind kind = Crashed;
  std::string text;  ///< what was said
  std::string rows;  ///< of the table, comments left out
  std::size_t passes = 0;
};

/// Runs a cell in a process of its own.
/// \param folder       of its own, where everything is written
/// \param kill_passes  where the cell is resumed: how many passes there are, so that the kill lies among them
Outcome Run(const Cell& cell, const std::filesystem::path& folder, std::size_t kill_passes = 0);

}  // namespace openmi::matrix
