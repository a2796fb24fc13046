#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/studio/PageFixture.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// What someone does who sees the page for the first time.
class FirstUseTest : public PageTest {
 protected:
  // The example with a part of its file replaced, and with more before its Run.
  void StartWith(const std::string& part, const std::string& by, const std::string& more) {
    std::string text = FileText("river-basin.xml");
    ASSERT_NE(text.find(part), std::string::npos);
    text.replace(text.find(part), part.size(), by);
    text.insert(text.find("  <Run "), more);
    std::ofstream(folder_ / "basin/first.xml") << text;
    Start("first.xml");
  }
  std::string TextOf(const std::string& id) {
    return Page().Eval("document.getElementById(" + Quoted(id) + ").innerText");
  }
  void WaitForEnd() {
    Page().Wait("studio.state.run.state === 'over' && /The run has finished|You ended the run/.test(" + kLive + ")");
  }
  const std::string kLive = "document.getElementById('live').innerText";
};

TEST_F(FirstUseTest, LeadsToWhatIsMissingAndDrawsWhatIsThere) {
  StartWith("    <Argument Key=\"unit\" Value=\"mm h-1\"/>\n", "",
            "  <Compare Simulated=\"creek.discharge\" Observed=\"reservoir.release\" Measures=\"nse\"/>\n");
  // The field that an error names is not in the fold; one that is there is shown when a button leads to it.
  Page().Eval("studio.graph.select([])");
  Page().Click(ButtonNamed("#problems", "set unit"));
  EXPECT_EQ(Page().Eval("document.activeElement.dataset.key"), "unit");
  EXPECT_EQ(Page().Eval("!!document.activeElement.closest('details')"), false);
  EXPECT_EQ(Page().Eval(ByKey("elements-from-columns") + ".tagName"), "SELECT");
  Fill(ByKey("unit"), "mm h-1");
  // A comparison without pairs is a problem.
  EXPECT_THAT(TextOf("problems"), HasSubstr("found no id of 'reservoir.release' in 'creek.discharge'"));
  const std::string folded = Page().Eval("document.querySelector('#details details [data-key]').dataset.key");
  Page().Eval("studio.panels.focusArgument('rain', " + Quoted(folded) + ")");
  EXPECT_EQ(Page().Eval("document.activeElement.dataset.key"), folded);
  EXPECT_EQ(Page().Eval("document.activeElement.closest('details').open"), true);
  // A link that was removed leaves nothing behind, also where its adaptor had the focus.
  const std::string pill = "document.querySelector('[aria-label^=\"link from reservoir.release to gauge.inflow\"]')";
  Page().Click(pill);
  Page().Press("Delete");
  Page().Wait("studio.state.model.links.length === 6");
  Page().Wait("!" + pill);
  Settle();
  // It is linked again from what fits: the unit of the inflow, and no other.
  Page().Click(ButtonNamed("#problems", "link it"));
  Page().Wait("document.getElementById('linking').open");
  EXPECT_EQ(Page().Eval("document.querySelector('#linking-1').value"), "gauge.inflow");
  EXPECT_THAT(
      Page().Eval("studio.state.described.gauge.inputs[0].values.unit.caption + ' ' + "
                  "(() => { const [id, item] = document.querySelector('#linking-0').value.split('.'); return "
                  "studio.state.described[id].outputs.find((one) => one.id === item).values.unit.caption; })()"),
      "m3 s-1 m3 s-1");
  Page().Click(ButtonNamed("#linking", "Cancel"));
  // An input that no output fits is left to the user.
  Page().Eval("studio.panels.openLinking('', 'reservoir.gate-opening')");
  EXPECT_EQ(Page().Eval("document.querySelector('#linking-0').value"), "");
  EXPECT_THAT(TextOf("linking"), HasSubstr("Nothing fits well: choose the output."));
  Page().Click(ButtonNamed("#linking", "Cancel"));
  Page().Eval("studio.panels.openLinking('', 'runoff.potential-evaporation')");
  EXPECT_EQ(Page().Eval("document.querySelector('#linking-0').value"), "evaporation.potential-evaporation");
  Page().Click(ButtonNamed("#linking", "Cancel"));
  // What is recorded can be given up again.
  Page().Eval("studio.graph.select(['gauge'])");
  Page().Click("document.querySelector('[aria-label=\"Record gauge.discharge\"]')");
  Page().Wait("document.querySelector('[aria-label=\"Recorded gauge.discharge\"][aria-pressed=true]')");
  Page().Click("document.querySelector('[aria-label=\"Recorded gauge.discharge\"]')");
  Page().Wait("document.querySelector('[aria-label=\"Record gauge.discharge\"][aria-pressed=false]')");
  EXPECT_EQ(Page().Eval("studio.state.model.observes.some((one) => one.is.Item === 'gauge.discharge')"), false);
  // A remedy that a button applies is not said in XML too.
  Page().Wait(ButtonNamed("#problems", "iterate this loop"));
  EXPECT_THAT(TextOf("problems"), Not(HasSubstr("<Iterate")));
}

TEST_F(FirstUseTest, RunsThatAreEndedGoOnAndKeepTheirPlaceInTheList) {
  StartWith("", "",
            "  <Compare Simulated=\"gauge.discharge\" Observed=\"reservoir.release\" Measures=\"nse kge\"/>\n"
            "  <Checkpoints Every=\"P1D\"/>\n");
  const std::string runs = "[...document.querySelectorAll('#results .columns > div > ul:first-of-type li')]";
  Page().Eval("studio.panels.watch('gauge.inflow', true)");
  Page().Click(ButtonNamed("#live", "Start paused"));
  Page().Wait("studio.state.run.state === 'paused'");
  for (const char* day : {"2024-03-04", "2024-03-07", "2024-03-10"}) {
    Page().Eval(fmt::format("studio.panels.parts.time.value = '{}T00:00Z'", day));
    Page().Click(ButtonNamed("#live", "To this time"));
    Page().Wait(
        fmt::format("studio.state.run.status.now.startsWith('{0}') && "
                    "studio.panels.watched.get('gauge.inflow').times.some((mjd) => new Date((mjd - 40587) * "
                    "86400000 + 1000).toISOString().startsWith('{0}'))",
                    day));
  }
  // Where nothing was asked, the curve has a gap: a value stands for its own span only.
  const auto spans = Page().Eval(
      "(() => { const l = studio.panels.watched.get('gauge.inflow').box.plot.lines[0]; return "
      "[...l.times].map((t, i) => [l.begins[i], t]); })()");
  ASSERT_GE(spans.size(), 3U);
  int gaps = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    EXPECT_LE(spans[i][1].get<double>() - spans[i][0].get<double>(), 3'600'001.0);
    if (i > 0 && spans[i][0].get<double>() > spans[i - 1][1].get<double>() + 1.0) ++gaps;
  }
  EXPECT_GE(gaps, 1);
  Page().Click(ButtonNamed("#live", "End"));
  WaitForEnd();
  EXPECT_THAT(TextOf("live"), HasSubstr("You ended the run at 2024-03-10"));
  EXPECT_EQ(Page().Eval("document.querySelector('#live p.bad') === null"), true);
  Page().Click(ButtonNamed("#live", "results/run-1"));
  Page().Wait(runs + ".length === 1 && " + runs + "[0].innerText.includes('incomplete')");
  Page().Click(ButtonNamed("#results", "Go on from its checkpoint"));
  Page().Wait("studio.state.run.state !== 'over'");
  WaitForEnd();
  EXPECT_THAT(TextOf("log"), HasSubstr("continues at 2024-03-"));
  // The next run has another name of its file; both are listed, with their reports.
  Page().Eval(
      "studio.panels.edit([{op: 'add-element', parent: [], name: 'Results', attributes: [['Csv', 'flows.csv']]}])");
  Settle();
  Page().Click("document.getElementById('run')");
  Page().Wait("studio.state.run.results === 'results/run-2'");
  WaitForEnd();
  Page().Click(ButtonNamed("#live", "results/run-2"));
  Page().Wait(runs + ".length === 2");
  EXPECT_THAT(Page().Eval(runs + ".map((one) => one.innerText).join(' ')").get<std::string>(),
              AllOf(HasSubstr("results/run-1"), HasSubstr("results/run-2"), Not(HasSubstr("incomplete"))));
  EXPECT_EQ(Page().Eval(runs + ".flatMap((one) => [...one.querySelectorAll('a')]).map((a) => a.textContent).join()"),
            "CSV,report,CSV,report");
  // The measures of the comparison, and one-element series of the end of the chain.
  Page().Wait("document.querySelectorAll('#results section table.figures tr').length === 3");
  EXPECT_THAT(TextOf("results"), AllOf(HasSubstr("KGE"), HasSubstr("gauge.discharge against reservoir.release")));
  const std::string ticked =
      "[...document.querySelectorAll('#results h2')].find((one) => one.textContent === 'Recorded').nextSibling"
      ".querySelectorAll('input:checked')";
  EXPECT_EQ(Page().Eval("[..." + ticked + "].map((one) => one.parentNode.textContent.trim()).join()"), "inflow,stage");
  // Plots grow with the drawer.
  const std::string height = "document.querySelector('#results canvas.plot').clientHeight";
  const int before = Page().Eval(height);
  Page().Eval("document.querySelector('main').style.setProperty('--drawer', '520px')");
  Page().Wait(height + " > " + std::to_string(before + 100));
  // All can be taken away, and none comes back.
  for (int i = 0; i < 2; ++i) Page().Click(ticked + "[0]");
  Page().Eval("studio.panels.loadRuns()");
  EXPECT_EQ(Page().Eval(ticked + ".length"), 0);
}

}  // namespace
}  // namespace openmi
