#include "examples/river-basin/series/TopmodelFile.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <string_view>

#include "openmi/sdk/Error.hpp"

namespace riverbasin {

namespace {

/// The numbers of a line, whatever the locale; stops at what is none.
std::vector<double> Numbers(std::string_view line, bool& clean) {
  std::vector<double> numbers;
  clean = true;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return numbers;
    line.remove_prefix(begin);
    const std::size_t length = std::min(line.find_first_of(" \t\r"), line.size());
    double number = 0.0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + length, number);
    if (error != std::errc() || end != line.data() + length) {
      clean = false;
      return numbers;
    }
    numbers.push_back(number);
    line.remove_prefix(length);
  }
}

}  // namespace

TopmodelFile ReadTopmodelFile(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) {
    throw openmi::FileError({.file = path}, "expected a TOPMODEL input file, found nothing to open",
                            "correct the argument 'file'");
  }
  TopmodelFile file;
  std::string line;
  bool clean = true;
  std::getline(stream, line);
  const std::vector<double> head = Numbers(line, clean);
  if (!clean || head.size() != 2 || !(head[1] > 0.0)) {
    throw openmi::FormatError({.file = path, .line = 1},
                              fmt::format("expected a number of rows and a step in hours, found '{}'", line),
                              "begin the file with a row such as '950  1.0'");
  }
  file.announced_rows = static_cast<int>(head[0]);
  file.step_hours = head[1];
  for (int number = 2; std::getline(stream, line); ++number) {
    const std::vector<double> row = Numbers(line, clean);
    if (clean && row.empty()) continue;
    if (!clean || row.size() != 3) {
      throw openmi::FormatError({.file = path, .line = number},
                                fmt::format("expected rain, evaporation and discharge, found '{}'", line),
                                "correct the row");
    }
    file.rain.push_back(row[0]);
    file.evaporation.push_back(row[1]);
    file.discharge.push_back(row[2]);
  }
  if (file.rain.empty())
    throw openmi::FormatError({.file = path}, "expected rows of three numbers, found none", "give the series");
  return file;
}

}  // namespace riverbasin
