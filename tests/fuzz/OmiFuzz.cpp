#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "openmi/omi/OmiFile.hpp"

// Any bytes are either an OMI file or a list of problems that each name the file; what was read can be written, and is
// the same when it is read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace openmi;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Problems problems;
  const OmiFile file = ReadOmiText(bytes, "fuzz.omi", &problems);
  for (const Problem& problem : problems) {
    if (problem.where.file != "fuzz.omi" || FormatProblem(problem).find('\n') != std::string::npos) std::abort();
  }
  if (HasErrors(problems)) return 0;
  const std::string text = OmiText(file);
  Problems again;
  const OmiFile back = ReadOmiText(text, "fuzz.omi", &again);
  if (HasErrors(again) || OmiText(back) != text) std::abort();
  return 0;
}
