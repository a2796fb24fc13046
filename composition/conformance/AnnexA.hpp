#pragma once

#include <span>
#include <string_view>

namespace openmi {

/// One of the 36 tests of Annex A, with what the executable check of this project says about it.
struct AnnexATest {
  const char* number;   ///< "12.1"
  const char* uri;      ///< the tail behind http://www.opengis.net/spec/openmi/2.0/conf/
  const char* title;    ///< what is looked at, in a few words
  const char* passed;   ///< what was found where the test passed
  const char* missing;  ///< the sentence where the component has nothing of the kind; null: every component has
  bool compiler_only;   ///< nothing of it is left to fail at run time: the compiler has checked it
};

/// All tests in the order of the annex.
///
/// Source: OGC 11-014r3, Annex A. Its tests ask for code that implements the interfaces and compiles; that is what
/// pure virtual members see to. What is listed here is what an implementation can still get wrong when it runs.
std::span<const AnnexATest> AnnexA();

/// The test of that number.
/// \throws RangeError  there is none
const AnnexATest& AnnexATestOf(std::string_view number);

}  // namespace openmi
