#include "tools/AskThisProgram.hpp"

#include <filesystem>

namespace openmi::tools {

ChildAnswer AskThisProgram(const std::vector<std::string>& arguments, double seconds, ChildTime time) {
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe").string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.emplace_back("--in-child");
  return AskChild(command, seconds, time);
}

}  // namespace openmi::tools
