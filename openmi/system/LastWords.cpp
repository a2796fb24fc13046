#include "openmi/system/LastWords.hpp"

#include <cstdio>
#include <mutex>
#include <utility>

namespace openmi {
namespace {

std::mutex mutex;
std::function<void(std::string_view)>& Sink() {
  static std::function<void(std::string_view)> sink;
  return sink;
}

}  // namespace

void LeaveLastWords(std::string_view text) {
  const std::scoped_lock lock(mutex);
  if (Sink()) return Sink()(text);
  std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
}

void SetLastWordsSink(std::function<void(std::string_view)> sink) {
  const std::scoped_lock lock(mutex);
  Sink() = std::move(sink);
}

}  // namespace openmi
