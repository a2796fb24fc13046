#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "composition/model/CompositionFile.hpp"

// Any bytes are either a composition or problems; what was read without an error can be written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace openmi;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Problems problems;
  try {
    const CompositionFile file = ReadCompositionText(bytes, "fuzz.xml", problems);
    if (HasErrors(problems)) return 0;
    const std::string text = CompositionText(file);
    Problems again;
    const CompositionFile back = ReadCompositionText(text, "fuzz.xml", again);
    if (HasErrors(again) || CompositionText(back) != text) std::abort();
  } catch (const FormatError& e) {
    if (e.Place().file != "fuzz.xml") std::abort();
  }
  return 0;
}
