#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "openmi/omi/OmiFile.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// Any bytes are either an OMI file or a list of problems that each name the file; what was read can be written, and is
// the same when it is read again.
OPENMI_FUZZ_TARGET(omi) {
  Problems problems;
  const OmiFile file = ReadOmiText(input, "fuzz.omi", &problems);
  for (const Problem& problem : problems) {
    if (problem.where.file != "fuzz.omi" || FormatProblem(problem).find('\n') != std::string::npos) std::abort();
  }
  if (HasErrors(problems)) return;
  const std::string text = OmiText(file);
  Problems again;
  const OmiFile back = ReadOmiText(text, "fuzz.omi", &again);
  if (HasErrors(again) || OmiText(back) != text) std::abort();
}

}  // namespace openmi::fuzz
