#include "tools/OutputFile.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "openmi/sdk/Utf8.hpp"
#include "tools/Inputs.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {

void WriteOutput(const std::string& path, const std::string& text, const OutputOptions& options) {
  if (path == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (std::fflush(stdout) != 0)
      throw CannotWrite{"expected a standard output that takes the text, found it closed or full"};
    return;
  }
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) throw CannotWrite{WhyNotWritten(path, errno, options.option)};
  if (options.says_so) PrintLine(stderr, PrintableText("written: " + path));
}

std::string WhyNotWritten(const std::string& path, int error, const char* option) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::exists(folder, ignored)) {
    return path + ": expected the folder " + folder.string() + ", found none; make it, or choose another place with " +
           option;
  }
  return path +
         ": expected a file that can be written, found: " + (error != 0 ? std::strerror(error) : "no reason given") +
         "; choose another place with " + option;
}

void ExpectFolder(const std::string& path, const char* option) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::exists(folder)) throw CannotWrite{WhyNotWritten(path, ENOENT, option)};
}

void ExpectEnding(const std::string& path, const std::string& ending, const char* option, const std::string& remedy) {
  ExpectFolder(path, option);
  const std::string found = std::filesystem::path(path).extension().string();
  if (found.empty() || found == ending) return;
  throw UsageFault{"expected a file that ends in " + ending + " after " + option + ", found '" + path + "'; " + remedy};
}

void ExpectSvg(const std::string& path, const char* option) {
  ExpectEnding(path, ".svg", option, "write SVG, and convert the drawing afterwards (rsvg-convert, Inkscape)");
}

std::string NamedAfter(const std::string& input, const std::string& ending) {
  return std::filesystem::path(input).stem().string() + ending;
}

}  // namespace openmi::tools
