#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "composition/model/CompositionFile.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// Any bytes are either a composition or problems; what was read without an error can be written and read again.
OPENMI_FUZZ_TARGET(composition) {
  Problems problems;
  try {
    const CompositionFile file = ReadCompositionText(input, "fuzz.xml", problems);
    if (HasErrors(problems)) return;
    const std::string text = CompositionText(file);
    Problems again;
    const CompositionFile back = ReadCompositionText(text, "fuzz.xml", again);
    if (HasErrors(again) || CompositionText(back) != text) std::abort();
  } catch (const FormatError& e) {
    if (e.Place().file != "fuzz.xml") std::abort();
  }
}

}  // namespace openmi::fuzz
