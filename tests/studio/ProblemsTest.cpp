#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/studio/PageFixture.hpp"

namespace openmi {
namespace {

constexpr const char* kHead = "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"wrong\">\n";
constexpr const char* kTail = "</Composition>\n";

// A component that comes with the SDK.
std::string Ready(const std::string& id, const std::string& type, const std::string& rest = "/>") {
  return "  <Component Id=\"" + id + "\" Type=\"openmi." + type + "\" Assembly=\"openmi-components\"" + rest + "\n";
}
std::string Cascade(const std::string& id, const std::string& rest = "/>") {
  return Ready(id, "NashCascade", rest);
}
std::string Constant(const std::string& id, const std::string& unit) {
  return Ready(id, "Constant",
               "><Argument Key=\"value\" Value=\"1\"/><Argument Key=\"unit\" Value=\"" + unit + "\"/></Component>");
}
std::string Series(const std::string& id, const std::string& file, const std::string& unit) {
  return Ready(id, "CsvSeries",
               "><Argument Key=\"file\" Value=\"" + file + "\"/><Argument Key=\"columns\" Value=\"evaporation=water[" +
                   unit + "]\"/></Component>");
}
std::string LinkXml(const std::string& from, const std::string& to, const std::string& rest = "/>") {
  return "  <Link From=\"" + from + "\" To=\"" + to + "\"" + rest + "\n";
}

// A kind of problem, where the page shows it, and the button with which it is solved.
struct Kind {
  const char* problem;  // words of it
  const char* place;    // what the page names
  const char* marked;   // what is marked in the diagram; empty: it is not about a box or a link
  const char* button;   // empty: a person has to decide
};

// All problems of a composition are shown in their places, and all buttons solve them.
class ProblemsTest : public PageTest {
 protected:
  void Solve(const std::string& text, const std::vector<Kind>& kinds) {
    std::ofstream(folder_ / "basin/wrong.xml") << kHead << text << kTail;
    Start("wrong.xml");
    for (const Kind& kind : kinds) {
      SCOPED_TRACE(kind.problem);
      const std::string item =
          "[...document.querySelectorAll('#problems .problem')].find((one) => one.textContent.includes(" +
          Quoted(kind.problem) + "))";
      if (!Page().Eval("!!(" + item + ")").get<bool>()) {
        ADD_FAILURE() << Page().Eval("document.getElementById('problems').innerText");
        continue;
      }
      EXPECT_EQ(Page().Eval(item + ".querySelector('button.link').textContent"), kind.place);
      if (*kind.marked != '\0') {
        EXPECT_EQ(Page().Eval("!!document.querySelector(" + Quoted(kind.marked) + ")"), true) << kind.marked;
      }
      if (*kind.button == '\0') continue;
      const std::string named =
          "[...(" + item +
          " || document.createElement('p')).querySelectorAll('button')].find((one) => one.textContent === " +
          Quoted(kind.button) + ")";
      if (!Page().Eval("!!(" + named + ")").get<bool>()) {
        ADD_FAILURE() << Page().Eval(item + ".innerText");
        continue;
      }
      const auto before = Page().Eval("studio.state.model.revision");
      Page().Eval(named + ".click()");
      Page().Wait("studio.state.model.revision !== " + before.dump());
      Page().Eval("new Promise((done) => setTimeout(done, 30))");
      Page().Wait("!studio.state.isChecking");
      EXPECT_EQ(Page().Eval("!!(" + item + ")"), false) << Page().Eval("document.getElementById('problems').innerText");
    }
  }
};

TEST_F(ProblemsTest, OfWhatIsWritten) {
  Solve(
      Constant("a", "m3 s-1") + Cascade("b") + "  <Component Id=\"c\" Omi=\"none.omi\"/>\n" +
          Ready("d", "Constant", "><Argument Key=\"valeu\" Value=\"1\"/></Component>") + Ready("e", "NashCascad") +
          "  <Component Id=\"f\" Type=\"openmi.NashCascade\" Assembly=\"openmi-component\"/>\n" +
          Cascade("g", "><Argument Key=\"reservoirs\" Value=\"-3\"/></Component>") +
          Cascade("h", " TimeLimit=\"PT1M\"/>") + Series("i", "data/ran.csv", "mm d-1") + Ready("j", "CsvSeries") +
          LinkXml("a.value", "b.inflow") + LinkXml("a.value", "h.inflo") + LinkXml("a.value", "g.inflow") +
          LinkXml("a.value", "g.inflow") + LinkXml("a.value", "e.inflow", " Loop=\"extrapolat\"/>") +
          "  <Observe Item=\"b.outflow\"/>\n  <Observe Item=\"b.outflow\"/>\n  <Observe Item=\"b.outflw\"/>\n"
          "  <Observe Item=\"b.outflow\" Id=\"x\" As=\"sum\"/>\n  <Observe Item=\"b.outflow\" Id=\"y\" "
          "Elements=\"k\"/>\n"
          "  <Compare Simulated=\"b.outflow\" Observed=\"a.valu\" Measures=\"nse\"><Window Label=\"w\" "
          "From=\"2020-01-04T00:00Z\" To=\"2020-01-03T00:00Z\"/></Compare>\n"
          "  <Iterate Components=\"b h\"/>\n"
          "  <Run From=\"2020-01-02T00:00Z\" To=\"2020-01-05T00:00Z\" Trigger=\"bb\" Mode=\"pul\" "
          "WarmUp=\"P9D\"/>\n",
      {{"for 'Mode' of Run, found 'pul'", "run", "", "set Mode to pull"},
       {"in 'Trigger' of Run, found 'bb'", "run", "", "remove Trigger"},
       {"a warm-up shorter than the run", "run", "", "remove WarmUp"},
       {"for 'Loop' of Link, found 'extrapolat'", "a.value \u2192 e.inflow", ".pill.error", "set Loop to extrapolate"},
       {"found 'a.value -> g.inflow' again", "a.value \u2192 g.inflow", ".pill.error", "remove this link"},
       {"an end after the start", "comparison of b.outflow", ".box[data-id=b].error", "exchange From and To"},
       {"expected 'TimeLimit' on a Component", "h", ".box[data-id=h].error", "remove TimeLimit"},
       {"none.omi'", "c", ".box[data-id=c].error", ""},
       {"found 'valeu'", "d.valeu", ".box[data-id=d].error", "use value"},
       {"found 'openmi.NashCascad'", "e", ".box[data-id=e].error", "use openmi.NashCascade"},
       {"the library 'openmi-component', found none", "f", ".box[data-id=f].error", "use openmi-components"},
       {"expected a whole number in 1 from 1 to 100", "g.reservoirs", ".box[data-id=g].error", ""},
       {"found no file 'ran.csv'", "i.file", ".box[data-id=i].error", "use data/rain.csv"},
       {"expected a text, found no value", "j.file", ".box[data-id=j].error", ""},
       {"expected an input of 'h', found 'inflo'", "a.value \u2192 h.inflo", ".pill.error", "use h.inflow"},
       {"series with different ids", "recorded b.outflow", ".box[data-id=b] .item.error", "call it outflow-2"},
       {"expected an output of 'b', found 'outflw'", "recorded b.outflw", ".box[data-id=b].error", "use b.outflow"},
       {"their sum is no amount", "recorded b.outflow", ".box[data-id=b] .item.error", "set As to mean"},
       {"expected an element of the item", "recorded b.outflow", ".box[data-id=b] .item.error", "remove Elements"},
       {"expected an output of 'a', found 'valu'", "comparison of b.outflow", ".box[data-id=b].error", "use a.value"},
       {"found 'b h' in no loop", "loop of b h", "", "remove the iteration"}});
}

TEST_F(ProblemsTest, OfLinksLoopsAndTimes) {
  Solve(Cascade("b") + Cascade("c") + Constant("k", "m3 s-1") + Cascade("lone") +
            Series("rain", "data/evaporation.csv", "m3 s-1") + Cascade("late") + Cascade("open") +
            Ready("reach", "MuskingumCunge", "><Argument Key=\"length\" Value=\"5000\"/></Component>") +
            LinkXml("b.outflow", "reach.inflow") + LinkXml("b.outflow", "c.inflow") + LinkXml("c.outflow", "b.inflow") +
            LinkXml("k.value", "lone.inflow", " Loop=\"extrapolate\"/>") + LinkXml("c.outflow", "lone.inflow") +
            LinkXml("rain.water", "late.inflow", "><Adaptor Id=\"mean-over-spn\"/></Link>") +
            "  <Observe Item=\"c.outflow\"/>\n  <Compare Simulated=\"c.outflow\" Observed=\"b.level\" "
            "Measures=\"nse\"/>\n  <Iterate Components=\"b\"/>\n",
        {{"expected a Run element", "composition", "", "set the time of the run"},
         {"expected an input without provider", "c.outflow \u2192 lone.inflow", ".pill.error", "remove this link"},
         {"expected values at stamps", "b.outflow \u2192 reach.inflow", ".pill.error", "put linear on the link"},
         {"found 'mean-over-spn'", "rain.water \u2192 late.inflow", ".pill.error", "use mean-over-span"},
         {"expected all components of the loop", "loop of b", "", "set Components to b c"},
         {"found one that is in none", "k.value \u2192 lone.inflow", ".pill.warning", "remove Loop"},
         {"open.inflow: expected a provider", "open.inflow", ".box[data-id=open] .item.error", ""},
         {"expected an output of 'b', found 'level'", "comparison of c.outflow", ".box[data-id=c].error", ""}});
  // Where a person has to decide, the buttons lead to the place.
  Page().Click(ButtonNamed("#problems", "link it"));
  Page().Wait(
      "document.querySelector('#linking').open && document.querySelector('#linking-1').value === 'open.inflow'");
  Page().Click(ButtonNamed("#linking", "Cancel"));
  // A run that begins before the series.
  Page().Eval("studio.graph.select([])");
  Fill(ByKey("From"), "2024-01-01T00:00Z");
  Page().Click(ButtonNamed("#problems", "fit the run to the series"));
  Page().Wait("studio.state.model.run.is.From === '2024-03-01T00:00Z'");
}

}  // namespace
}  // namespace openmi
