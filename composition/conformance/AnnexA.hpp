#pragma once

#include <span>

namespace openmi {

/// One of the 36 tests of Annex A, with the texts that the conformance report uses for it.
struct AnnexATest {
  const char* number;   ///< "12.1"
  const char* uri;      ///< the part of the address after http://www.opengis.net/spec/openmi/2.0/conf/
  const char* title;    ///< what the test examines, in a few words
  const char* passed;   ///< what was found if the test passed
  const char* missing;  ///< the sentence if the component has nothing of the kind; null: every component has it
  bool compiler_only;   ///< nothing of it can fail at run time: the compiler has checked it
};

/// All tests in the order of the annex.
///
/// Annex A asks for code that implements the interfaces and compiles; pure virtual members ensure that. This list holds
/// what an implementation can still do wrong at run time.
///
/// Source: OGC 11-014r3, Annex A.
std::span<const AnnexATest> AnnexA();

}  // namespace openmi
