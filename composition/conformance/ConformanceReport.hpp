#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// The result of one test of Annex A.
enum class Verdict {
  Passed,
  Failed,
  NotApplicable,  ///< the component has nothing of the kind
  AtCompileTime,  ///< the compiler has checked everything the test asks for
  NotReached      ///< another test failed before this one could be run
};

/// "passed", "failed", "not applicable", "checked at compile time", "not reached".
const char* NameOf(Verdict verdict);

/// One line of a conformance report.
struct ConformanceResult {
  std::string number;  ///< as in Annex A: "12.1"
  std::string uri;     ///< the part of the address after http://www.opengis.net/spec/openmi/2.0/conf/
  std::string title;
  Verdict verdict = Verdict::NotReached;
  std::string sentence;              ///< what was found; may hold text of the component, with control characters
  std::vector<std::string> further;  ///< further findings of a failed test
};

/// The results of one component for all 36 tests of Annex A, in the order of the annex.
struct ConformanceReport {
  std::string subject;  ///< the OMI file, or the id of the component
  std::vector<ConformanceResult> results;

  /// Whether no test failed. A test is only ever not reached because another one failed.
  bool Passed() const { return Count(Verdict::Failed) == 0; }
  /// The number of tests with this verdict.
  std::size_t Count(Verdict verdict) const;
  /// \throws RangeError  there is no such number
  const ConformanceResult& Result(std::string_view number) const;
};

/// A sentence on how the process that drove a component ended. The parameters are those of ReportOfDeath.
std::string SentenceOfDeath(const std::string& step, const std::string& sentence);

/// The report on a component whose process ended during the checks.
///
/// The test in progress has failed; no other test has a result.
/// \param step  the last step that ConformanceOptions::on_check announced, such as "12.1 Prepare". If it does not start
///   with a number of the annex, the process ended before the first test, and the call order (12.1) has failed.
/// \param sentence  how the process ended: "was killed by signal 11 (Segmentation fault)"
ConformanceReport ReportOfDeath(const std::string& subject, const std::string& step, const std::string& sentence);

/// The report as text: one aligned line for each test, further findings indented below it, and a last line with the
/// counts.
///
/// Control characters in texts of the component are replaced by spaces.
std::string FormatConformance(const ConformanceReport& report);

}  // namespace openmi
