#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {

/// One thing found while something was read or checked. Readers and checks collect these instead of stopping at the
/// first, so that one call tells the user everything.
struct Problem {
  enum Severity {
    Note,     ///< worth knowing; nothing is wrong
    Warning,  ///< understood, but not as it should be
    Error     ///< cannot be used as it is
  };

  Severity severity = Error;
  Where where = {};
  std::string problem = {};  ///< "expected ..., found '...'"; no full stop
  std::string remedy = {};   ///< what the user can do; may be empty
};

using Problems = std::vector<Problem>;

/// One line: "file:line: component.item: problem; remedy", without the parts that are unknown and with no word for the
/// severity. Control characters, which may come from the file itself, are replaced by spaces, so the text is one line
/// and safe on a terminal.
std::string FormatProblem(const Problem& problem);

/// Text from a file in single quotes, cut after 80 bytes (never inside a character) with the full size behind it, so
/// that a message stays readable whatever the file holds.
std::string Quoted(std::string_view text);

/// "note", "warning" or "error".
const char* SeverityName(Problem::Severity severity);

/// How many of `problems` have exactly this severity.
std::size_t CountProblems(const Problems& problems, Problem::Severity severity);

/// Whether at least one of `problems` is an error.
bool HasErrors(const Problems& problems);

/// Adds an error (a warning, a note) to `problems`.
void AddError(Problems& problems, Where where, std::string problem, std::string remedy = {});
void AddWarning(Problems& problems, Where where, std::string problem, std::string remedy = {});
void AddNote(Problems& problems, Where where, std::string problem, std::string remedy = {});

/// Throws a FormatError when `problems` holds an error, with the place, sentence and remedy of the first one; further
/// errors are counted in the sentence.
void ThrowIfErrors(const Problems& problems);

}  // namespace openmi
