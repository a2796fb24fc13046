#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "composition/conformance/ConformanceReport.hpp"

namespace openmi::conformance {

/// The text of the exception that is being handled, also if it is no std::exception. Call it in a handler only.
std::string SentenceOfException();

/// What the checks of one component have found so far, by test numbers of Annex A.
class Findings {
 public:
  using Listener = std::function<void(std::string_view, std::string_view)>;

  using Skipped = std::map<std::string, std::string, std::less<>>;

  /// \param skipped  as in ConformanceOptions
  explicit Findings(Listener on_check = {}, Skipped skipped = {})
      : on_check_(std::move(on_check)), skipped_(std::move(skipped)) {}

  /// Notifies the listener of the next step.
  void Announce(const char* number, std::string_view what) const;
  /// Whether a step is to be skipped; a skipped step is a failure of `number`.
  bool Skips(const char* number, std::string_view what);
  /// Records that `count` things were examined: the test applies.
  void See(const char* number, std::size_t count = 1);
  /// Records a failure. The same sentence counts once; only the first few sentences of a test are kept.
  void Fail(const char* number, std::string sentence);
  /// Calls See, and Fail unless `fits`; returns `fits`.
  bool Expect(const char* number, bool fits, const std::function<std::string()>& sentence);
  /// The same with a sentence from a format and what is known already; it is written only if it is needed.
  template <class... Args>
  bool Expect(const char* number, bool fits, fmt::format_string<const Args&...> sentence, const Args&... args) {
    See(number);
    if (!fits) Fail(number, fmt::format(sentence, args...));
    return fits;
  }
  bool HasFailed(std::string_view number) const;
  /// Records that nothing more can be examined because `number` failed. Only the first call counts.
  void Stop(const char* number);
  /// Records that test `number` cannot be judged; only its failures still count.
  /// \param why  continues the sentence "not reached because"
  void Hide(const char* number, std::string why);

  /// Runs `work`. An exception is a failure of `number`: `<what> threw: <sentence>`.
  /// \returns whether nothing was thrown
  template <class Work>
  bool Try(const char* number, std::string_view what, Work&& work) {
    if (Skips(number, what)) return false;
    Announce(number, what);
    try {
      work();
      return true;
    } catch (...) {
      Fail(number, std::string(what) + " threw: " + SentenceOfException());
      return false;
    }
  }
  /// Runs `work`, and records a failure of `number` if it does not throw.
  /// \returns whether it threw
  template <class Work>
  bool MustThrow(const char* number, std::string_view what, Work&& work) {
    if (Skips(number, what)) return false;
    Announce(number, what);
    See(number);
    try {
      work();
    } catch (...) {
      return true;
    }
    Fail(number, "expected an exception from " + std::string(what) + ", found that it was accepted");
    return false;
  }

  /// The report on all 36 tests.
  ConformanceReport Report(std::string subject) const;

 private:
  struct Finding {
    std::size_t seen = 0;
    std::vector<std::string> failures;
    std::size_t not_kept = 0;
    std::string hidden_by;
  };
  Listener on_check_;
  Skipped skipped_;
  std::map<std::string, Finding, std::less<>> findings_;
  const char* stopped_by_ = nullptr;
};

}  // namespace openmi::conformance
