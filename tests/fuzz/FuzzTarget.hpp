#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

/// \file
/// What is fuzzed. The same functions are called by libFuzzer (scripts/fuzz), with bytes of its own making, and by
/// CorpusTest.cpp, with every file of tests/fuzz/corpus/<target>.

namespace openmi::fuzz {

/// Takes any bytes. What it finds wrong ends the process.
using Target = void (*)(std::string_view bytes);

/// All targets of this program by name.
std::map<std::string, Target>& Targets();

/// Enters a target while the program starts.
struct Entry {
  Entry(const char* name, Target target) { Targets().emplace(name, target); }
};

/// Ends the process where something does not hold, in a build of any kind.
inline void Require(bool holds) {
  if (!holds) std::abort();
}

/// Writes the bytes into a file of this process, always the same for one ending, and returns its path: for readers that
/// take files only. Removed when the process ends.
/// \param ending  ".csv"
std::string FileOf(std::string_view bytes, const std::string& ending);

/// A folder of this process, removed when it ends.
std::string FolderOfProcess();

}  // namespace openmi::fuzz

/// Defines a target; a body follows, for which `input` is what came.
#define OPENMI_FUZZ_TARGET(name)                                         \
  static void name##_input(std::string_view input);                      \
  static const ::openmi::fuzz::Entry name##_entry(#name, &name##_input); \
  static void name##_input(std::string_view input)
