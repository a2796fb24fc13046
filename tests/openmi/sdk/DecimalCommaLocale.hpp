#pragma once

#include <stdlib.h>

#include <clocale>
#include <cstdio>
#include <filesystem>
#include <locale>
#include <string>

namespace openmi::tests {

/// Puts the process under a locale that writes 1,5 for one and a half, for C and for C++ streams, as long as it lives.
///
/// The locale is an installed one, else one that `localedef` compiles on the spot; where neither is to be had, only C++
/// streams have decimal commas, and IsComplete() is false.
class DecimalCommaLocale {
 public:
  DecimalCommaLocale() : before_(std::setlocale(LC_ALL, nullptr)), before_streams_(std::locale()) {
    if (!Use("de_DE.UTF-8") && !Use("de_DE.utf8")) Compile();
    std::locale::global(std::locale(std::locale(), new Comma));  // no name: leaves the C locale alone
    complete_ = std::localeconv()->decimal_point == std::string(",");
  }
  ~DecimalCommaLocale() {
    std::locale::global(before_streams_);
    std::setlocale(LC_ALL, before_.c_str());
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  DecimalCommaLocale(const DecimalCommaLocale&) = delete;
  DecimalCommaLocale& operator=(const DecimalCommaLocale&) = delete;

  /// Whether printf, strtod and their kin are under it too.
  bool IsComplete() const { return complete_; }

 private:
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };

  static bool Use(const char* name) { return std::setlocale(LC_ALL, name) != nullptr; }

  void Compile() {
    std::string folder = (std::filesystem::temp_directory_path() / "openmi-locale-XXXXXX").string();
    if (!mkdtemp(folder.data())) return;
    folder_ = folder;
    const std::string command = "localedef -i de_DE -f UTF-8 '" + folder + "/de_DE.UTF-8' >/dev/null 2>&1";
    if (std::system(command.c_str()) != 0) return;
    setenv("LOCPATH", folder.c_str(), 1);
    Use("de_DE.UTF-8");
  }

  std::string before_;
  std::locale before_streams_;
  std::filesystem::path folder_;
  bool complete_ = false;
};

}  // namespace openmi::tests
