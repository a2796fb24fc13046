#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/studio/PageFixture.hpp"

namespace openmi {
namespace {

using testing::HasSubstr;

// Weights, and values on maps while a run goes on and afterwards; balances; a study.
class PlacesTest : public PageTest {
 protected:
  void PointAt(const std::string& element) {
    Page().Wait(element);
    const auto at = Page().Eval("(() => { const r = " + element +
                                ".getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()");
    Page().Mouse("mouseMoved", at[0], at[1]);
  }
};

TEST_F(PlacesTest, WeightsUnderThePointerMapsAndBalancesOfARunAndAStudy) {
  Start("river-basin.xml");
  Page().Eval("studio.graph.choose(studio.state.model.links.find((one) => one.from === 'rain.precipitation'))");
  Page().Click(ButtonNamed("#details", "Weights on the map"));
  PointAt("document.querySelector('#asking svg g[data-e=\"4\"] .elem')");
  Page().Wait("document.querySelectorAll('#asking svg g.source').length > 1");
  const auto rows = Page().Eval(
      "[...document.querySelectorAll('#asking table.weights tr')].map((one) => Number(one.lastChild.textContent))");
  double sum = 0.0;
  for (const auto& weight : rows) sum += weight.get<double>();
  EXPECT_NEAR(sum, 1.0, 1e-3);
  EXPECT_EQ(Page().Eval("document.querySelectorAll('#asking svg g.source').length"), rows.size());
  EXPECT_THAT(Page().Eval("document.getElementById('asking').innerText").get<std::string>(),
              HasSubstr("sc-05: " + std::to_string(rows.size()) + " sources, weights sum to 1"));
  Page().Click(ButtonNamed("#asking", "Close"));
  // A run, step by step, on the map.
  Page().Eval("studio.graph.select(['runoff'])");
  Page().Click("document.querySelector('[aria-label=\"Watch on map runoff.depth-rate while a run goes on\"]')");
  Page().Wait("document.querySelector('#live .map svg')");
  Page().Click(ButtonNamed("#live", "Start paused"));
  Page().Wait("document.querySelector('#live [role=status]').textContent.startsWith('paused')");
  Page().Wait("document.querySelector('#live .keys.time input')");
  for (int step = 0; step < 2; ++step) {
    const auto before = Page().Eval("Number(document.querySelector('#live .keys.time input').max)");
    Page().Click(ButtonNamed("#live", "Step"));
    Page().Wait("Number(document.querySelector('#live .keys.time input').max) > " + before.dump());
  }
  EXPECT_THAT(Page().Eval("document.querySelector('#live .keys.time').innerText").get<std::string>(),
              HasSubstr("mm h-1"));
  const auto paints =
      Page().Eval("new Set([...document.querySelectorAll('#live .map svg .elem')].map((one) => one.style.fill)).size");
  EXPECT_GT(paints.get<int>(), 2);
  Fill("document.querySelector('[aria-label=\"time to run to\"]')", "2024-03-08T00:00Z");
  Page().Click(ButtonNamed("#live", "To this time"));
  Page().Wait(
      "document.querySelector('.balances') && document.querySelector('.balances').innerText.includes('Balances "
      "at 2024-03-08 00:00Z')");
  EXPECT_THAT(Page().Eval("document.querySelector('.balances').innerText").get<std::string>(),
              HasSubstr("creek.outflow \u2192 reservoir.inflow"));
  EXPECT_GT(Page().Eval("document.querySelector('#live progress').value").get<double>(), 0.2);
  Page().Click(ButtonNamed("#live", "Resume"));
  Page().Wait("document.getElementById('live').innerText.includes('The run has finished')", 60);
  // A study beside it, as its files are.
  std::ofstream(folder_ / "basin/k-members.csv")
      << "# study: "
         "k\nmember,end,k,fit,cost,missing,reason\n1,done,2,0.5,0.5,0,\n2,done,3,0.9,0.1,0,\n3,died,4,,,0,\"a, b\"\n";
  Page().Click("document.getElementById('tab-results')");
  Page().Click("document.querySelector('[aria-label=\"map of runoff with a slider over time\"]')");
  Page().Wait("document.querySelector('#results .keys.time output')");
  const auto label = Page().Eval("document.querySelector('#results .keys.time output').textContent");
  Page().Eval(
      "(() => { const one = document.querySelector('#results .keys.time input'); one.value = '0'; "
      "one.dispatchEvent(new Event('input')); })()");
  EXPECT_EQ(Page().Eval("document.querySelector('#results .keys.time output').textContent"), "2024-03-01 01:00Z");
  EXPECT_NE(label, "2024-03-01 01:00Z");
  Page().Click(ButtonNamed("#results", "k"));
  Page().Wait("document.querySelector('#results .study svg circle')");
  EXPECT_EQ(Page().Eval("document.querySelectorAll('#results .study svg circle').length"), 2);
  EXPECT_THAT(Page().Eval("document.querySelector('#results .study').innerText").get<std::string>(),
              HasSubstr("3 members: 2 done, 1 died. The best is member 2 with a cost of 0.1."));
  EXPECT_EQ(Page().Eval("document.querySelector('#results .study tr.best td').textContent"), "2");
}

}  // namespace
}  // namespace openmi
