#include "composition/embed/EmbeddedRun.hpp"

#include <algorithm>
#include <cstring>

namespace openmi::embed {

std::string& LastError() {
  static thread_local std::string text;
  return text;
}

Handles& TheHandles() {
  static Handles handles;
  return handles;
}

std::string Needed(const char* text, const char* name) {
  if (text == nullptr) throw ArgumentError({.item = name}, "expected a text, found a null pointer");
  return text;
}

int Copy(const std::string& text, char* buffer, std::size_t size) {
  if (buffer != nullptr && size > 0) {
    const std::size_t count = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), count);
    buffer[count] = '\0';
  }
  return static_cast<int>(std::min<std::size_t>(text.size(), 0x7fffffff));
}

openmi::RunDesk& Desk(openmi_run& run) {
  run.Loaded();
  if (run.desk == nullptr) {
    throw StateError({.file = run.file.path.string()},
                     "expected a run whose check found no errors, found one with errors", "see openmi_problem");
  }
  return *run.desk;
}

}  // namespace openmi::embed
