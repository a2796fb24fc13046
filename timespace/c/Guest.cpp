#include "timespace/c/Guest.hpp"

#include <fmt/format.h>

#include <exception>

#include "timespace/c/Declarations.hpp"

namespace openmi::c {

Guest::Calling::Calling(Handle& handle, Function function)
    : handle_(handle),
      function_(handle.function.exchange(function, std::memory_order_relaxed)),
      thread_(handle.thread.exchange(ThisThread(), std::memory_order_relaxed)) {}

Guest::Calling::~Calling() {
  handle_.thread.store(thread_, std::memory_order_relaxed);
  handle_.function.store(function_, std::memory_order_relaxed);
}

void Guest::Destroy(Function function, void (*destroy)(openmi_instance*)) {
  if (destroy == nullptr) return;
  const Calling calling(handle_, function);
  destroy(&handle_);
}

void Guest::RefuseException(const char* name) {
  constexpr const char* kRemedy = "catch it there, and call fail";
  try {
    throw;
  } catch (const std::exception& error) {
    Refuse(ModelError({}, fmt::format("expected no exception from '{}', found: {}", name, error.what()), kRemedy));
  } catch (...) {
    Refuse(ModelError({}, fmt::format("expected no exception from '{}', found one", name), kRemedy));
  }
}

void Guest::Throw(Function function, const char* name, int result) {
  const char* const stray = handle_.stray_call.exchange(nullptr);
  std::optional<Problem> reason = std::exchange(refusal_, std::nullopt);
  if (!reason && stray != nullptr) {
    reason =
        Problem{.problem = fmt::format("expected '{}' to be called from within calls of the component or adaptor, on "
                                       "their thread, found it called outside",
                                       stray),
                .remedy = "let it call the host only while the host calls it"};
  }
  if (!reason) {
    reason = Problem{.problem = fmt::format("expected '{}' to return 0, found {}", name, result),
                     .remedy = "see what the component says elsewhere; it should call fail before it returns"};
  }
  if (reason->where.component.empty()) reason->where.component = GuestName();
  if (function == kLoad) throw FormatError(reason->where, reason->problem, reason->remedy);
  if (GuestArguments().Find(reason->where.item) != nullptr) {
    throw ArgumentError(reason->where, reason->problem, reason->remedy);
  }
  throw ModelError(reason->where, reason->problem, reason->remedy);
}

void Guest::Refuse(const Error& error) {
  if (!refusal_) refusal_ = Problem{.where = error.Place(), .problem = error.Problem(), .remedy = error.Remedy()};
}

void Guest::Fail(const openmi_report& report) {
  refusal_ = Problem{.where = {.file = TextFrom(report.file), .line = report.line, .item = TextFrom(report.item)},
                     .problem = report.message != nullptr ? report.message : "it says that it failed",
                     .remedy = TextFrom(report.remedy)};
}

const char* Guest::Lend(std::string text) {
  return lent_.emplace_back(std::make_unique<std::string>(std::move(text)))->c_str();
}

}  // namespace openmi::c
