#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "studio/edit/XmlSource.hpp"
#include "tests/studio/PageFixture.hpp"

namespace openmi {
namespace {

// What a composition has beside what is in the example.
constexpr const char* kMore =
    "  <Compare Id=\"fit\" Simulated=\"creek.outflow\" Observed=\"gauge.discharge\" Measures=\"nse kge\">\n"
    "    <Window Label=\"late\" From=\"2024-03-20T00:00:00Z\" To=\"2024-03-25T00:00:00Z\"/>\n  </Compare>\n"
    "  <Iterate Components=\"creek reservoir\" Method=\"aitken\">\n"
    "    <Tolerance Item=\"reservoir.level\" Absolute=\"0.001\"/>\n  </Iterate>\n"
    "  <Checkpoints Every=\"P1D\" Keep=\"3\"/>\n  <Results Csv=\"basin.csv\" Compression=\"1\"/>\n";

std::size_t CasesToTry() {
  const char* wanted = std::getenv("OPENMI_STUDIO_CASES");
  return wanted == nullptr ? 40 : static_cast<std::size_t>(std::atoi(wanted));
}

// A composition with one thing in it that is wrong.
class Mistakes {
 public:
  explicit Mistakes(std::string text) : text_(std::move(text)) {
    const SourceElement root = ReadXmlSource(text_);
    for (const SourceElement& child : root.children) Gather(child);
  }

  std::string Next() {
    const SourceElement& element = elements_[Below(elements_.size())];
    const std::string whole = text_.substr(element.begin, element.end - element.begin);
    const std::size_t kind = element.attributes.empty() ? 7 + Below(2) : Below(9);
    if (kind == 7) return Replaced(element.begin, element.end, "");
    if (kind == 8) return Replaced(element.end, element.end, "\n  " + whole);
    const SourceAttribute& attribute = element.attributes[Below(element.attributes.size())];
    const std::size_t begin = attribute.value_begin;
    const std::size_t end = attribute.value_end;
    constexpr std::array<const char*, 4> kValues = {"", "-1", "9e99 x", "2024-03-01T00:00Z"};
    if (kind < kValues.size()) return Replaced(begin, end, kValues[kind]);
    if (kind == 4) return Replaced(attribute.begin, end + 1, "");
    if (kind == 5) return Replaced(attribute.begin, attribute.begin + 1, " un");
    const std::size_t middle = begin + (end - begin) / 2;
    return Replaced(middle, std::min(middle + 1, end), end > begin ? "" : "x");
  }

 private:
  void Gather(const SourceElement& element) {
    elements_.push_back(element);
    for (const SourceElement& child : element.children) Gather(child);
  }
  std::size_t Below(std::size_t count) { return random_() % count; }
  std::string Replaced(std::size_t begin, std::size_t end, const std::string& by) const {
    return std::string(text_).replace(begin, end - begin, by);
  }

  std::string text_;
  std::vector<SourceElement> elements_;
  std::mt19937_64 random_{26};
};

// What the page calls the element of the composition in a line; empty: the composition as a whole.
std::string PlaceAt(const std::string& text, int line) {
  const SourceElement root = ReadXmlSource(text);
  const auto line_of = [&text](std::size_t offset) {
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  };
  for (const SourceElement& child : root.children) {
    if (line < line_of(child.begin) || line > line_of(child.end)) continue;
    const auto at = [&child](const char* name) {
      const std::string value = child.Get(name);
      return value.empty() ? "?" : value;
    };
    if (child.name == "Component") return child.Get("Id");
    if (child.name == "Link") return at("From") + " \u2192 " + at("To");
    if (child.name == "Observe") return "recorded " + at("Item");
    if (child.name == "Compare") return "comparison of " + at("Simulated");
    if (child.name == "Iterate") return "loop of " + at("Components");
    if (child.name == "Run") return "run";
    if (child.name == "Checkpoints") return "checkpoints";
    if (child.name == "Results") return "results";
  }
  return "";
}

class EveryProblemTest : public PageTest {
 protected:
  // What `openmi check` finds in the file that the page shows.
  nlohmann::json Found() const {
    const std::string command = fmt::format("'{}/bin/openmi' check --json '{}' 2>&1", OPENMI_BINARY_DIR,
                                            (folder_ / "basin/wrong.xml").string());
    std::string text;
    FILE* const pipe = popen(command.c_str(), "r");
    std::array<char, 65536> block{};
    while (const std::size_t got = fread(block.data(), 1, block.size(), pipe)) text.append(block.data(), got);
    pclose(pipe);
    return nlohmann::json::parse(text);
  }
};

// Whatever `openmi check` says of a composition that is wrong, the page says the same, at what it is about.
TEST_F(EveryProblemTest, IsShownWhereItIs) {
  std::string base = FileText("river-basin.xml");
  base.insert(base.find("  <Run "), kMore);
  std::ofstream(folder_ / "basin/wrong.xml") << base;
  Start("wrong.xml");
  Mistakes mistakes(base);
  std::set<std::string> kinds;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < CasesToTry(); ++i) {
    std::string text = mistakes.Next();
    const std::string caption = fmt::format("case {}", i);
    text.replace(text.find("An invented river basin"), std::string("An invented river basin").size(), caption);
    SCOPED_TRACE(caption);
    std::ofstream(folder_ / "basin/next.xml") << text;
    std::filesystem::rename(folder_ / "basin/next.xml", folder_ / "basin/wrong.xml");
    Page().Eval("studio.panels.wire.ask('take-outside')");  // the page looks at the file now and then by itself
    const nlohmann::json found = Found();
    Page().Wait(fmt::format("studio.state.model.caption === '{}' && !studio.state.isChecking && "
                            "document.querySelectorAll('#problems .problem').length === {}",
                            caption, found["problems"].size()),
                20.0);
    const nlohmann::json list = Page().Eval(
        "[...document.querySelectorAll('#problems .problem')].map((one) => "
        "[one.querySelector('button.link').textContent,"
        " one.textContent])");
    for (const nlohmann::json& problem : found["problems"]) {
      const std::string says = problem["problem"];
      kinds.insert(says.substr(0, says.find('\'')));
      const std::string place = problem.contains("line") ? PlaceAt(text, problem["line"]) : "";
      const bool is_there = std::ranges::any_of(list, [&](const nlohmann::json& one) {
        const std::string where = one[0];
        return one[1].get<std::string>().find(says) != std::string::npos &&
               (where == place || where.starts_with(place + ".") || place.empty());
      });
      EXPECT_TRUE(is_there) << "at '" << place << "': " << problem.dump() << "\n" << list.dump(1);
      ++shown;
    }
    if (HasFailure()) return;
  }
  EXPECT_GE(kinds.size(), 25u);
  fmt::print("{} problems of {} kinds in {} compositions\n", shown, kinds.size(), CasesToTry());
}

}  // namespace
}  // namespace openmi
