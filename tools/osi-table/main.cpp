#include <cstdio>
#include <exception>
#include <string>

#include "tools/osi-table/ReadRelease.hpp"

// Contains protobuf, so that no process that loads FMUs needs it: "openmi osmp schema" starts it.
int main(int count, char** arguments) {
  try {
    const std::string what = count == 2 ? arguments[1] : "";
    if (what.empty()) {
      std::fputs("usage: openmi-osi-table <folder with .proto files, or descriptor set> | --subset | --subset-proto\n",
                 stderr);
      return 2;
    }
    using openmi::osi::Schema;
    const std::string text = what == "--subset"         ? Schema::Subset().Text()
                             : what == "--subset-proto" ? Schema::Subset().Proto()
                                                        : openmi::osi::ReadRelease(what).Text();
    std::fputs(text.c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "openmi-osi-table: %s\n", error.what());
    return 1;
  }
}
