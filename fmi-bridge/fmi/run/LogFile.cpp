#include "fmi-bridge/fmi/run/LogFile.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {

LogFile::LogFile(const std::string& path) : file_(path, std::ios::app) {
  if (!file_) throw FileError({.file = path}, "expected a file that can be written, found none", "choose another path");
}

std::string LogLine(const LogMessage& message) {
  std::string line =
      fmt::format("{}: {} [{}]: {}", message.instance, Name(message.status), message.category, message.text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return line;
}

void LogFile::Write(const LogMessage& message) {
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  file_ << fmt::format("{:%FT%T}Z ", now) << LogLine(message) << '\n' << std::flush;
}

}  // namespace openmi::fmi
