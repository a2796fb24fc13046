#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/studio/PageFixture.hpp"

namespace openmi {
namespace {

using testing::HasSubstr;

using DiagramTest = PageTest;

TEST_F(DiagramTest, ShowsAndEditsGroupsLoopsAndComparisons) {
  Start("river-basin.xml");
  // A group: a field of several components, a frame with its name, which chooses them.
  Page().Eval("studio.graph.select(['creek', 'reservoir'])");
  Fill(ByKey("Group"), "lowland");
  Page().Wait("document.querySelector('.framename.group').textContent === 'group lowland'");
  Page().Eval("studio.graph.select([])");
  Page().Click("document.querySelector('.framename.group')");
  EXPECT_EQ(Page().Eval("[...studio.graph.selected].join()"), "creek,reservoir");
  // Both are a loop of links, which is not iterated yet.
  Page().Click(ButtonNamed("#details", "Iterate this loop"));
  Page().Wait(
      "document.querySelector('.framename.loop') && document.querySelector('#details h2').textContent === "
      "'Iterated loop'");
  Settle();
  Choose(ByKey("Method"), "aitken");
  Fill(ByKey("RelativeTolerance"), "1e-4");
  Page().Click("document.querySelector('[aria-label=\"Earlier: reservoir\"]')");
  Settle();
  Page().Click(ButtonNamed("#details", "Add tolerance"));
  Settle();
  EXPECT_EQ(Page().Eval("studio.state.problems.filter((one) => one.severity === 'error').length"), 0);
  Page().Press("s", 2);
  Page().Wait("!studio.state.model.changed");
  const std::string text = FileText("river-basin.xml");
  EXPECT_THAT(text, HasSubstr("Components=\"reservoir creek\" Method=\"aitken\" RelativeTolerance=\"1e-4\""));
  EXPECT_THAT(text, HasSubstr("<Tolerance Item=\"reservoir.inflow\" Relative=\"1e-4\"/>"));
  EXPECT_THAT(text, HasSubstr("Group=\"lowland\""));
  Page().Click(ButtonNamed("#details", "Do not iterate"));
  Page().Wait("!document.querySelector('.framename.loop')");
  // A comparison with a window.
  Page().Eval("studio.graph.select([])");
  Page().Click(ButtonNamed("#details", "Compare two items"));
  Page().Wait("studio.state.model.comparisons.length === 1");
  Settle();
  Choose(ByKey("Simulated0"), "gauge.discharge");
  Choose(ByKey("Observed0"), "reservoir.release");
  Fill(ByKey("Measures0"), "nse rmse");
  Page().Click(ButtonNamed("#details", "Add window"));
  Page().Wait("(studio.state.model.comparisons[0].Window || []).length === 1");
  Settle();
  EXPECT_EQ(Page().Eval("studio.state.problems.filter((one) => one.severity === 'error').length"), 0)
      << Page().Eval("document.getElementById('problems').innerText");
  Page().Click(ButtonNamed("#details", "Remove comparison"));
  Page().Wait("studio.state.model.comparisons.length === 0");
}

TEST_F(DiagramTest, MakesAPopulationAndAddsWhatWasFoundInPythonAndBehindBmi) {
  std::ofstream(folder_ / "basin/cascade.omi")
      << "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"openmi.NashCascade\" "
         "Assembly=\"openmi-components\"/>\n";
  std::ofstream(folder_ / "basin/rows.csv") << "id,hours,to\nnorth,5,south\nsouth,9,\n";
  std::ofstream(folder_ / "basin/tank.py")
      << "import openmi\n\n\nclass Tank(openmi.SteppingComponent):\n    def step(self, begin, end):\n        pass\n";
  std::ofstream(folder_ / "basin/heat.py")
      << "class Heat:\n    def get_component_name(self):\n        return 'heat'\n\n    def update(self):\n        "
         "pass\n\n    def get_value_ptr(self, name):\n        pass\n";
  Start("many.xml");
  AddComponent("cascade", "cascade", {});
  Page().Click(
      "[...document.querySelectorAll('#details summary')].find((one) => one.textContent.startsWith('One for "
      "each row'))");
  Choose("document.querySelector('[aria-label=\"table of the population\"]')", "rows.csv");
  Page().Click(ButtonNamed("#details", "Make it a population"));
  Page().Wait("document.querySelector('.box.population')");
  Page().Wait(ByKey("Key") + ".tagName === 'SELECT'");
  Choose(ByKey("Key"), "id");
  Page().Wait("document.getElementById('details').innerText.includes('2 members, one for each row of rows.csv')");
  Page().Eval("(() => { for (const one of document.querySelectorAll('#details details')) one.open = true; })()");
  Fill(ByKey("residence-time"), "{{hours}}");
  Page().Click(ButtonNamed("#details", "Add network"));
  Page().Wait("(studio.state.model.components[0].population.Network || []).length === 1");
  Settle();
  EXPECT_THAT(Page().Eval("document.getElementById('details').innerText").get<std::string>(),
              HasSubstr("residence-time = {{hours}}"));
  Page().Press("s", 2);
  Page().Wait("!studio.state.model.changed");
  EXPECT_THAT(FileText("many.xml"), HasSubstr("<Network From=\"outflow\" To=\"inflow\" Column=\"to\"/>"));
  Page().Click(ButtonNamed("#details", "Make it one component"));
  Page().Wait("!document.querySelector('.box.population')");
  EXPECT_THAT(
      Page().Eval("document.getElementById('entries').innerText").get<std::string>(),
      testing::AllOf(HasSubstr("Components in Python\nTank\ntank.py"), HasSubstr("BMI libraries\nheat\nheat.py")));
  AddComponent("heat", "heat", {});
  EXPECT_EQ(Page().Eval("studio.state.model.components[1].type"), "openmi.bmi.Model");
  EXPECT_EQ(Page().Eval("studio.state.model.components[1].arguments[0].value"), "heat.py");
  AddComponent("Tank", "Tank", {});
  EXPECT_EQ(Page().Eval("studio.state.model.components[2].assembly"), "tank.py");
}

}  // namespace
}  // namespace openmi
