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

/// Says how the process that drove a component ended; as ReportOfDeath.
std::string SentenceOfDeath(const std::string& step, const std::string& sentence);

/// The report of a component whose process ended while it was driven: the test it was at has failed, none behind or
/// before it is known.
/// \param step      what was last announced by ConformanceOptions::on_check, "12.1 Prepare"; where it begins with no
///                  number of the annex, the process did not come that far, and the call order (12.1) has failed
/// \param sentence  how the process ended: "was killed by signal 11 (Segmentation fault)"
ConformanceReport ReportOfDeath(const std::string& subject, const std::string& step, const std::string& sentence);

/// The report as text: one line for each test, aligned, further findings indented below, and a last line with the
/// counts. Control characters in what the component said are replaced by spaces.
std::string FormatConformance(const ConformanceReport& report);

}  // namespace openmi
