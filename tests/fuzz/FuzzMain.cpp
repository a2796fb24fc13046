// The entry points of libFuzzer. The target is named on the command line: openmi_fuzz --target=csv <options>
// <corpus>... (libFuzzer leaves alone what begins with two dashes).

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "tests/fuzz/FuzzTarget.hpp"

namespace {

openmi::fuzz::Target target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr std::string_view kOption = "--target=";
  std::string_view name;
  for (int i = 1; i < *count; ++i) {
    const std::string_view argument = (*arguments)[i];
    if (argument.starts_with(kOption)) name = argument.substr(kOption.size());
  }
  const auto found = openmi::fuzz::Targets().find(std::string(name));
  if (found == openmi::fuzz::Targets().end()) {
    std::fprintf(stderr, "expected --target=NAME with one of these names:\n");
    for (const auto& [known, ignored] : openmi::fuzz::Targets()) std::fprintf(stderr, "%s\n", known.c_str());
    std::exit(2);
  }
  target = found->second;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
