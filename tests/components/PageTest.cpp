// docs/ready-components.md states the arguments that the components declare.

#include <algorithm>
#include <map>

#include "tests/components/SeriesFixture.hpp"
#include "tests/support/ReferencePage.hpp"

namespace openmi::test {
namespace {

class ReadyComponentsPage : public ReadyComponents {};

TEST_F(ReadyComponentsPage, StatesTheArguments) {
  std::map<std::string, std::vector<ArgumentRow>> rows_of;
  const auto take = [&](const std::string& type) {
    const LoadedComponent loaded = Make("openmi." + type, {});
    for (const IArgument* argument : loaded.component->Arguments()) rows_of[type].emplace_back(*argument);
  };
  const std::vector<std::string> series = {"CsvSeries", "NetcdfSeries"};
  const std::vector<std::string> with_elements = {"Constant", "Expression", "Gather", "NashCascade", "Recorder"};
  std::vector<std::string> all = series;
  all.insert(all.end(), with_elements.begin(), with_elements.end());
  for (const std::string& type : all) take(type);

  ReferencePage page("ready-components.md");
  // What all members of a group have is stated once.
  for (const auto& group : {std::pair{"series", series}, std::pair{"elements", with_elements}}) {
    const auto& [part, members] = group;
    std::vector<ArgumentRow> common = rows_of.at(members.front());
    std::erase_if(common, [&](const ArgumentRow& row) {
      return !std::ranges::all_of(group.second,
                                  [&](const auto& type) { return std::ranges::count(rows_of[type], row) > 0; });
    });
    ASSERT_FALSE(common.empty()) << part;
    page.Expect(part, ArgumentTable(common));
    for (const std::string& type : members)
      std::erase_if(rows_of[type], [&](const ArgumentRow& row) { return std::ranges::count(common, row) > 0; });
  }
  take("MuskingumCunge");  // has no elements
  all.emplace_back("MuskingumCunge");
  for (const std::string& type : all) page.Expect(type, ArgumentTable(rows_of[type]));
}

}  // namespace
}  // namespace openmi::test
