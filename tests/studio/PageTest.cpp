#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/studio/PageFixture.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;

// The rows of a CSV of results, without its head.
std::string Rows(const fs::path& path) {
  std::ifstream stream(path);
  std::string rows;
  bool is_head = true;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) continue;
    if (!is_head) rows += line + "\n";
    is_head = false;
  }
  return rows;
}

TEST_F(PageTest, BuildsTheRiverBasinFromAnEmptyPageAndRunsItToTheSameRows) {
  Start("built.xml");
  AddComponent("csv-series", "rain",
               {{"file", "data/rain.csv"},
                {"elements-from-columns", "true"},
                {"item", "precipitation"},
                {"elements-file", "data/rain_cells.geojson"},
                {"unit", "mm h-1"},
                {"stamps", "begin"}});
  AddComponent("csv-series", "evaporation",
               {{"file", "data/evaporation.csv"},
                {"columns", "evaporation=potential-evaporation[mm d-1]"},
                {"stamps", "begin"}});
  AddComponent("river-basin-runoff", "runoff",
               {{"parameters", "data/runoff.par"}, {"catchments", "data/catchments.geojson"}});
  AddComponent("river-basin-creek", "creek",
               {{"reaches", "data/flowpaths.geojson"},
                {"catchments", "data/catchments.geojson"},
                {"initial-discharge", "0.0167"},
                {"outlet-bed-level", "3.5"}});
  AddComponent("river-basin-reservoir", "reservoir",
               {{"volume-factor", "60000"},
                {"outlet-area", "1.0"},
                {"crest-level", "6"},
                {"crest-length", "25"},
                {"initial-level", "3.5"}});
  AddComponent("river-basin-gauge", "gauge", {{"rating-factor", "12"}});
  // A link without its adaptor is a problem at the link, and its remedy is a button.
  Link("runoff.depth-rate", "creek.lateral-inflow", {});
  Page().Wait("document.querySelector('.pill.error')");
  Page().Click(ButtonNamed("#problems", "put times-element-area on the link"));
  Settle();
  Choose("document.querySelector('#details select[aria-label=\"adaptor to add\"]')", "by-id");
  Page().Click(ButtonNamed("#details", "Add adaptor"));
  Settle();
  EXPECT_EQ(Page().Eval("document.querySelectorAll('.pill.error').length"), 0);
  Link("rain.precipitation", "runoff.precipitation", {"area-weighted-mean"});
  Link("evaporation.potential-evaporation", "runoff.potential-evaporation", {"mean-over-span"});
  Link("evaporation.potential-evaporation", "reservoir.evaporation", {"mean-over-span"});
  Link("creek.outflow", "reservoir.inflow", {});
  Link("reservoir.level", "creek.tailwater-level", {});
  Link("reservoir.release", "gauge.inflow", {});
  const struct {
    const char* item;
    const char* every;
    const char* as;
  } observed[] = {{"runoff.mean-precipitation", "PT1H", "mean"},
                  {"rain.precipitation", "P1D", "mean"},
                  {"runoff.depth-rate", "PT1H", "mean"},
                  {"creek.discharge", "PT1H", "mean"},
                  {"creek.outflow", "PT1H", "mean"},
                  {"reservoir.level", "PT1H", "instant"},
                  {"reservoir.release", "PT1H", "mean"},
                  {"gauge.stage", "PT1H", "mean"}};
  for (const auto& one : observed) {
    const std::string item = one.item;
    Page().Eval(fmt::format("studio.graph.select([{}])", Quoted(item.substr(0, item.find('.')))));
    Page().Click(fmt::format("document.querySelector('[aria-label=\"Record {}\"]')", item));
    Settle();
    Page().Eval("studio.graph.select([])");
    const std::string line = fmt::format(
        "[...document.querySelectorAll('#details li')].find((li) => li.firstChild.textContent === {})", Quoted(item));
    Fill(line + ".querySelector('[aria-label=every]')", one.every);
    Choose(line + ".querySelector('[aria-label=as]')", one.as);
  }
  Page().Click(ButtonNamed("#details", "Set the time of the run"));
  Settle();
  Fill(ByKey("From"), "2024-03-01T00:00Z");
  Fill(ByKey("To"), "2024-03-31T00:00Z");
  Fill(ByKey("WarmUp"), "P3D");
  Fill(ByKey("Trigger"), "gauge");
  EXPECT_EQ(Page().Eval("studio.state.problems.filter((one) => one.severity === 'error').length"), 0);
  Page().Click("document.getElementById('run')");
  Page().Wait("document.getElementById('live').innerText.includes('The run has finished')", 60);
  const ChildResult plain =
      RunInChild({std::string(OPENMI_BINARY_DIR) + "/bin/openmi", "run", (folder_ / "basin/river-basin.xml").string(),
                  "--no-report", "--results", (folder_ / "plain").string()});
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  const std::string expected = Rows(folder_ / "plain/river-basin.csv");
  ASSERT_GT(expected.size(), 10'000U);
  EXPECT_EQ(Rows(folder_ / "basin/results/run-1/built.csv"), expected);
  // Its plots are there to be looked at.
  Page().Click("document.getElementById('tab-results')");
  Page().Wait("document.querySelectorAll('#results canvas.plot').length === 2");
  // Undo to the start gives the bytes of the first, empty file.
  Page().Eval("document.activeElement.blur()");
  Page().Wait("(document.getElementById('undo').disabled || (document.getElementById('undo').click(), false))", 60);
  Page().Press("s", 2);
  Settle();
  EXPECT_EQ(FileText("built.xml"),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Composition xmlns=\"urn:openmi2:composition:1\" "
            "Id=\"built\">\n</Composition>\n");
}

TEST_F(PageTest, TheKeyboardAloneBuildsAndRunsTwoComponents) {
  Start("keys.xml");
  const auto add = [&](const std::string& filter) {
    Page().Press("a");
    Page().Wait("document.activeElement.id === 'filter'");
    Page().Eval("document.activeElement.select()");
    Page().Type(filter);
    Page().Press("ArrowDown");
    Page().Press("Enter");
    Page().Wait("document.activeElement.classList.contains('box')");
    Settle();
  };
  // Moves the focus by Tab until it is on what an expression says.
  const auto tab_to = [&](const std::string& what) {
    for (int i = 0; i < 80; ++i) {
      if (Page().Eval("!!(" + what + ")") == true) return;
      Page().Press("Tab");
    }
    FAIL() << what << " was not reached";
  };
  add("constant");
  Page().Press("e");
  tab_to("document.activeElement.dataset.key === 'value'");
  Page().Type("2.5");
  tab_to("document.activeElement.dataset.key === 'unit'");
  Page().Type("m3 s-1");
  Page().Press("Tab");
  Settle();
  Page().Eval("document.activeElement.blur()");
  add("reservoir");
  Page().Press("l");
  Page().Wait("document.querySelector('#linking').open && document.querySelector('#linking .offers input')");
  Page().Wait("document.querySelector('#linking-0').value");
  for (int i = 0;
       i < 20 && !Page().Eval("document.querySelector('#linking-0').value").get<std::string>().starts_with("constant");
       ++i) {
    tab_to("document.activeElement.id === 'linking-0'");
    Page().Press("ArrowDown");
  }
  tab_to("document.activeElement.id === 'linking-1'");
  for (int i = 0; i < 20 && Page().Eval("document.querySelector('#linking-1').value") != "river-basin-reservoir.inflow";
       ++i) {
    Page().Press(i < 10 ? "ArrowDown" : "ArrowUp");
  }
  Page().Wait("document.querySelector('#linking .offers input')");
  tab_to("document.activeElement.textContent === 'Link'");
  Page().Press("Enter");
  Page().Wait("!document.querySelector('#linking').open && studio.state.model.links.length === 1");
  Settle();
  Page().Press("Escape");
  Page().Eval("document.activeElement.blur()");
  Page().Press("e");
  tab_to("document.activeElement.textContent === 'Set the time of the run'");
  Page().Press("Enter");
  Page().Wait("studio.state.model.run");
  Settle();
  Page().Eval("document.activeElement.blur()");
  Page().Press("r");
  Page().Wait(
      "document.getElementById('live').innerText.includes('The run has finished') || "
      "document.getElementById('problems').innerText.includes('error')",
      60);
  EXPECT_EQ(Page().Eval("document.getElementById('live').innerText.includes('The run has finished')"), true)
      << Page().Eval("document.getElementById('problems').innerText");
}

TEST_F(PageTest, SaysWhyItemsCannotBeLinkedBeforeTheMouseIsReleased) {
  Start("river-basin.xml");
  const auto middle = [&](const char* box, const char* item) {
    return Page().Eval(
        fmt::format("(() => {{ const r = document.querySelector('.box[data-id={}] [data-item={}] .port')"
                    ".getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()",
                    box, item));
  };
  const auto from = middle("reservoir", "release");
  const auto drag_to = [&](const char* box, const char* item) {
    const auto to = middle(box, item);
    Page().Mouse("mousePressed", from[0], from[1]);
    Page().Mouse("mouseMoved", from[0].get<double>() + 9, from[1]);
    Page().Mouse("mouseMoved", to[0], to[1]);
    const std::string hint = Page().Eval("document.getElementById('hint').textContent");
    Page().Mouse("mouseReleased", to[0], to[1]);
    return hint;
  };
  EXPECT_THAT(drag_to("runoff", "precipitation"),
              testing::HasSubstr("gets its values from rain.precipitation already"));
  EXPECT_EQ(Page().Eval("document.getElementById('linking').open"), false);
  EXPECT_THAT(drag_to("reservoir", "gate-opening"), testing::HasSubstr("m3 s-1 does not convert to 1"));
  Page().Wait("document.getElementById('linking').open");
}

TEST_F(PageTest, ShowsProblemsWhereTheyAreAndAppliesARemedy) {
  std::ofstream(folder_ / "basin/wrong.xml")
      << "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"wrong\">\n"
         "  <Component Id=\"a\" Type=\"openmi.Constant\" Assembly=\"openmi-components\">\n"
         "    <Argument Key=\"value\" Value=\"1\"/><Argument Key=\"unit\" Value=\"m3 s-1\"/></Component>\n"
         "  <Component Id=\"b\" Type=\"openmi.NashCascade\" Assembly=\"openmi-components\"/>\n"
         "  <Component Id=\"c\" Omi=\"none.omi\"/>\n"
         "  <Component Id=\"d\" Type=\"openmi.Constant\" Assembly=\"openmi-components\">\n"
         "    <Argument Key=\"valeu\" Value=\"1\"/></Component>\n"
         "  <Link From=\"a.value\" To=\"b.inflo\"/>\n</Composition>\n";
  Start("wrong.xml");
  Page().Wait("[...document.querySelectorAll('.box.error')].map((box) => box.dataset.id).sort().join() === 'b,c,d'");
  EXPECT_EQ(Page().Eval("document.querySelectorAll('.pill.error').length"), 1);
  Page().Click(ButtonNamed("#problems", "use b.inflow"));
  Page().Wait("studio.state.model.links[0].to === 'b.inflow'");
  Page().Wait("document.querySelectorAll('.pill.error').length === 0");
  Page().Click(ButtonNamed("#problems", "use value"));
  Page().Wait("document.querySelectorAll('.box.error').length === 1");
  Page().Click(
      "[...document.querySelectorAll('#problems .problem button.link')].find((one) => "
      "one.textContent.startsWith('c'))");
  EXPECT_EQ(Page().Eval("document.activeElement.dataset.id"), "c");
}

TEST_F(PageTest, EditsCheckpointsAndNamesOfResults) {
  Start("river-basin.xml");
  Page().Eval("studio.graph.select([])");
  const auto open = [this] {
    Page().Eval("(() => { for (const one of document.querySelectorAll('#details details')) one.open = true; })()");
  };
  open();
  Fill(ByKey("CheckpointsEvery"), "P1D");
  Page().Wait("studio.state.model.checkpoints.is.Every === 'P1D'");
  open();
  Fill(ByKey("ResultsCsv"), "flood.csv");
  Page().Wait("studio.state.model.results.is.Csv === 'flood.csv'");
  Page().Press("s", 2);
  Page().Wait("!studio.state.model.changed");
  EXPECT_THAT(FileText("river-basin.xml"), testing::AllOf(testing::HasSubstr("  <Checkpoints Every=\"P1D\"/>\n"),
                                                          testing::HasSubstr("  <Results Csv=\"flood.csv\"/>\n")));
  Page().Click(ButtonNamed("#details", "Remove checkpoints"));
  Page().Wait("studio.state.model.checkpoints === null");
}

TEST_F(PageTest, AMovedBoxChangesOneLineAndAConflictShowsBothVersions) {
  Start("river-basin.xml");
  const std::string before = FileText("river-basin.xml");
  const auto at = Page().Eval(
      "(() => { const r = document.querySelector('.box[data-id=creek] .boxhead').getBoundingClientRect(); return [r.x "
      "+ 20, r.y + 8]; })()");
  Page().Mouse("mousePressed", at[0], at[1]);
  for (int i = 1; i <= 5; ++i) Page().Mouse("mouseMoved", at[0].get<double>() + 8 * i, at[1].get<double>() + 10 * i);
  Page().Mouse("mouseReleased", at[0].get<double>() + 40, at[1].get<double>() + 50);
  Page().Wait("studio.state.model.changed");
  Page().Press("s", 2);
  Page().Wait("!studio.state.model.changed");
  EXPECT_EQ(FileText("river-basin.xml"), before);
  const std::string layout = FileText("river-basin.layout.json");
  EXPECT_EQ(std::ranges::count(layout, '\n'), 3) << layout;
  // The page has a change, then the file gets another one.
  Page().Eval("studio.graph.select(['gauge'])");
  Page().Press("Delete");
  Page().Wait("studio.state.model.components.length === 5");
  std::ofstream(folder_ / "basin/river-basin.xml") << before << "<!-- elsewhere -->\n";
  Page().Wait("document.querySelector('#asking').open && document.querySelector('#asking mark')");
  Page().Click(ButtonNamed("#asking", "Take the file"));
  Page().Wait("studio.state.model.components.length === 6 && !studio.state.model.changed");
}

}  // namespace
}  // namespace openmi
