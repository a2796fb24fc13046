// Each member of the interfaces in C# is called by the bridge, or members.txt says why not.

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "openmi/standard/DimensionBase.hpp"
#include "openmi/standard/LinkableComponentStatus.hpp"
#include "tests/dotnet-bridge/DotnetFixture.hpp"

namespace openmi {
namespace {

struct Members {
  std::set<std::string> called, left;
  std::map<std::string, std::vector<std::string>> enums;
};

Members Walk() {
  const std::string own = OPENMI_BINARY_DIR "/lib/openmi2/dotnet/";
  const ChildResult result = RunInChild(
      {OPENMI_MONO, OPENMI_DOTNET_ASSEMBLIES "/Members.exe", own + "OpenMI.Standard2.dll", own + "openmi-dotnet.dll"},
      {.time = std::chrono::minutes(1)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  Members members;
  std::istringstream lines(result.out);
  for (std::string kind, name; lines >> kind >> name;) {
    if (kind == "called") members.called.insert(name);
    if (kind == "left") members.left.insert(name);
    std::string rest;
    std::getline(lines, rest);
    std::istringstream words(rest);
    for (std::string word; kind == "enum" && words >> word;) members.enums[name].push_back(word);
  }
  return members;
}

TEST(DotnetMembers, EachOfTheStandardIsCalledOrListedWithItsReason) {
  const Members members = Walk();
  EXPECT_GT(members.called.size(), 80U);
  std::set<std::string> listed;
  std::ifstream list(OPENMI_SOURCE_DIR "/dotnet-bridge/members.txt");
  for (std::string line; std::getline(list, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t equals = line.find(" = ");
    ASSERT_NE(equals, std::string::npos) << line;
    EXPECT_GT(line.size(), equals + 10) << "a reason: " << line;
    listed.insert(line.substr(0, equals));
  }
  EXPECT_EQ(members.left, listed);
}

TEST(DotnetMembers, NumbersOfEnumerationsAreThose) {
  const Members members = Walk();
  EXPECT_EQ(members.enums.at("DimensionBase").size(), kDimensionBaseCount);
  EXPECT_EQ(members.enums.at("DimensionBase")[static_cast<std::size_t>(DimensionBase::Currency)], "Currency");
  const std::vector<std::string>& status = members.enums.at("LinkableComponentStatus");
  EXPECT_EQ(status.at(static_cast<std::size_t>(LinkableComponentStatus::WaitingForData)), "WaitingForData");
  EXPECT_EQ(status.at(static_cast<std::size_t>(LinkableComponentStatus::Updated)), "Updated");
  EXPECT_EQ(status.at(static_cast<std::size_t>(LinkableComponentStatus::Failed)), "Failed");
  EXPECT_EQ(status.size(), 14U);
}

}  // namespace
}  // namespace openmi
