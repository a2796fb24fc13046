#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// What came out of one test of Annex A.
enum class Verdict {
  Passed,
  Failed,
  NotApplicable,  ///< the component has nothing of the kind
  AtCompileTime,  ///< the compiler has checked all there is
  NotReached      ///< another test failed before this one could be made
};

/// "passed", "failed", "not applicable", "checked at compile time", "not reached".
const char* NameOf(Verdict verdict);

/// One line of a conformance report.
struct ConformanceResult {
  std::string number;  ///< as in Annex A: "12.1"
  std::string uri;     ///< the tail behind http://www.opengis.net/spec/openmi/2.0/conf/
  std::string title;
  Verdict verdict = Verdict::NotReached;
  std::string sentence;              ///< what was found; may hold text of the component, control characters included
  std::vector<std::string> further;  ///< more that is wrong, where the test failed
};

/// One component against all 36 tests of Annex A, in the order of the annex.
struct ConformanceReport {
  std::string subject;  ///< the OMI file, or the id of the component
  std::vector<ConformanceResult> results;

  /// Whether no test failed. A test that was not reached stands behind one that failed.
  bool Passed() const { return Count(Verdict::Failed) == 0; }
  std::size_t Count(Verdict verdict) const;
  /// \throws RangeError  there is no such number
  const ConformanceResult& Result(std::string_view number) const;
};

/// The report as text: one line for each test, aligned, further findings indented below, and a last line with the
/// counts. Control characters in what the component said are replaced by spaces.
std::string FormatConformance(const ConformanceReport& report);

}  // namespace openmi
