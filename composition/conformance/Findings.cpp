#include "composition/conformance/Findings.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <typeinfo>
#include <utility>

#include "composition/conformance/AnnexA.hpp"

namespace openmi::conformance {
namespace {

constexpr std::size_t kKept = 5;

}  // namespace

std::string SentenceOfException() {
  try {
    throw;
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is being cancelled, which must go on
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return fmt::format("something that is no std::exception ({})", type == nullptr ? "unknown" : type->name());
  }
}

void Findings::Announce(const char* number, std::string_view what) const {
  if (on_check_) on_check_(number, what);
}

bool Findings::Skips(const char* number, std::string_view what) {
  if (skipped_.empty()) return false;
  const auto found = skipped_.find(fmt::format("{} {}", number, what));
  if (found == skipped_.end()) return false;
  Fail(number, found->second);
  return true;
}

void Findings::See(const char* number, std::size_t count) {
  findings_[number].seen += count;
}

void Findings::Fail(const char* number, std::string sentence) {
  Finding& finding = findings_[number];
  ++finding.seen;
  if (std::ranges::find(finding.failures, sentence) != finding.failures.end()) return;
  if (finding.failures.size() < kKept) {
    finding.failures.push_back(std::move(sentence));
  } else {
    ++finding.not_kept;
  }
}

bool Findings::Expect(const char* number, bool fits, const std::function<std::string()>& sentence) {
  See(number);
  if (!fits) Fail(number, sentence());
  return fits;
}

bool Findings::HasFailed(std::string_view number) const {
  const auto found = findings_.find(number);
  return found != findings_.end() && !found->second.failures.empty();
}

void Findings::Stop(const char* number) {
  if (stopped_by_ == nullptr) stopped_by_ = number;
}

void Findings::Hide(const char* number, std::string why) {
  findings_[number].hidden_by = std::move(why);
}

ConformanceReport Findings::Report(std::string subject) const {
  ConformanceReport report{std::move(subject), {}};
  for (const AnnexATest& test : AnnexA()) {
    ConformanceResult result{test.number, test.uri, test.title, Verdict::Passed, {}, {}};
    const auto found = findings_.find(test.number);
    const Finding finding = found != findings_.end() ? found->second : Finding();
    std::string behind = finding.hidden_by;
    if (behind.empty() && stopped_by_ != nullptr) behind = std::string(stopped_by_) + " failed";
    if (!finding.failures.empty()) {
      result.verdict = Verdict::Failed;
      result.sentence = finding.failures.front();
      result.further.assign(finding.failures.begin() + 1, finding.failures.end());
      if (finding.not_kept > 0) result.further.push_back(fmt::format("and {} more like these", finding.not_kept));
    } else if (test.compiler_only) {
      result.verdict = Verdict::AtCompileTime;
      result.sentence = test.passed;
    } else if (finding.hidden_by.empty() && finding.seen > 0) {
      result.sentence = fmt::format("{} ({} {})", test.passed, finding.seen, finding.seen == 1 ? "check" : "checks");
    } else if (!behind.empty() && std::string_view(test.number) != "1.1") {
      result.verdict = Verdict::NotReached;
      result.sentence = fmt::format("not reached because {}", behind);
    } else {
      result.verdict = Verdict::NotApplicable;
      result.sentence = test.missing != nullptr ? test.missing : "nothing was there to look at";
    }
    report.results.push_back(std::move(result));
  }
  return report;
}

}  // namespace openmi::conformance
