#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "composition/import/ImportComposition.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// Any bytes are refused, or become a composition that can be written and is read without an error.
OPENMI_FUZZ_TARGET(old_project) {
  Problems problems;
  try {
    OldComposition old = ReadOldText(input, "no-such-folder/fuzz.opr", problems);
    FindModels(old, problems);
    const CompositionFile file =
        ImportComposition(old, {.id = "fuzz", .replacements = {}, .from = Stamp{40'000.0}, .to = {}}, problems);
    for (const Problem& problem : problems) {
      if (problem.where.file.empty() || FormatProblem(problem).find('\n') != std::string::npos) std::abort();
    }
    if (file.components.empty()) return;
    Problems again;
    ReadCompositionText(CompositionText(file), "fuzz.xml", again);
    if (HasErrors(again)) std::abort();
  } catch (const FormatError& e) {
    if (e.Place().file != "no-such-folder/fuzz.opr") std::abort();
  }
}

}  // namespace openmi::fuzz
