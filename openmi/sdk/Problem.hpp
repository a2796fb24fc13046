#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {

/// One finding of a reader or a check.
///
/// Readers and checks collect problems instead of stopping at the first, so that one call reports all of them.
struct Problem {
  enum Severity {
    Note,     ///< information; nothing is wrong
    Warning,  ///< understood, but not as it should be
    Error     ///< cannot be used as it is
  };

  Severity severity = Error;
  Where where = {};
  std::string problem = {};  ///< "expected ..., found '...'"; no full stop
  std::string remedy = {};   ///< what the user can do; may be empty
};

using Problems = std::vector<Problem>;

/// The problem as one line: "file:line: component.item: problem; remedy", without the unknown parts and the severity.
///
/// Control characters, which may come from the file itself, are replaced by spaces: the text is one line and safe on a
/// terminal.
std::string FormatProblem(const Problem& problem);

/// Text from a file in single quotes, for messages.
///
/// After 80 bytes the text is cut, never inside a character, and its full size follows. The message stays readable for
/// any file content.
std::string Quoted(std::string_view text);

/// "note", "warning" or "error".
const char* SeverityName(Problem::Severity severity);

/// The number of `problems` with exactly this severity.
std::size_t CountProblems(const Problems& problems, Problem::Severity severity);

/// Whether at least one of `problems` is an error.
bool HasErrors(const Problems& problems);

/// Adds an error to `problems`. `AddWarning` and `AddNote` add a warning and a note.
void AddError(Problems& problems, Where where, std::string problem, std::string remedy = {});
/// Adds a warning to `problems`.
void AddWarning(Problems& problems, Where where, std::string problem, std::string remedy = {});
/// Adds a note to `problems`.
void AddNote(Problems& problems, Where where, std::string problem, std::string remedy = {});

/// Throws the first error of `problems`, if there is one.
/// \throws FormatError  with place, sentence and remedy of the first error; the sentence gives the number of further
///   errors
void ThrowIfErrors(const Problems& problems);

}  // namespace openmi
