#include "tools/OutputFile.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "openmi/sdk/Utf8.hpp"
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
  if (!file) {
    const char* why = errno != 0 ? std::strerror(errno) : "no reason given";
    throw CannotWrite{path + ": expected a file that can be written, found: " + why + "; choose another place with " +
                      options.option};
  }
  if (options.says_so) PrintLine(stderr, PrintableText("written: " + path));
}

std::string NamedAfter(const std::string& input, const std::string& ending) {
  return std::filesystem::path(input).stem().string() + ending;
}

}  // namespace openmi::tools
