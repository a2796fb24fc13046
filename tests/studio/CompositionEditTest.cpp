#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "composition/model/CompositionFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "studio/edit/CompositionEdit.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Comments wherever XML allows them, odd blanks, both kinds of quotation marks, references, character data.
constexpr std::string_view kOddFile = R"(<?xml version='1.0' encoding="UTF-8"?>
<!-- before the root: <Component Id="no"/> -->
<?studio keep="me"?>
<Composition   xmlns = "urn:openmi2:composition:1"
    Id='odd'   Caption="a &lt; b &amp; &#x43;"  ><!-- first --><!-- second -->

  <Component
      Id="rain"
      Omi='rain.omi'
      >  <!-- the gauge's file -->
    <Argument Key="file"   Value="data/rain &quot;1&quot;.csv"/> <!-- after an argument -->
	<Argument Value='-5:00' Key='utc-offset'></Argument>
  </Component><!-- behind rain -->


  <Component Id="runoff" Omi="runoff.omi"/>  <!-- one line -->
  <Component Id="creek" Type="a.Creek" Assembly="creek"><!-- inside, alone --></Component> <Component Id="lake" Omi="lake.omi"/>
  <!-- links -->
  <Link From="rain.p" To="runoff.p"><Adaptor Id="mean"/><!-- between --><Adaptor Id='scale'><Argument Key='factor' Value='2'/></Adaptor></Link>
  <Link Id="second"
        From="runoff.q"
        To="creek.q">
    <!-- areas, see the map -->
    <Adaptor Id="times-element-area"/>
  </Link>
      <Link From="creek.q" To="lake.q"/>
  <Link From="lake.h" To="creek.h" Loop="last"/>
  <Iterate Components=" creek   lake "><!-- tight --><Tolerance Item="creek.h" Absolute="0.01"/></Iterate>
  <Observe Item="creek.q" Every="PT1H" As="mean"/> <!-- what we look at -->
  <Observe Item='lake.h'/>
  <Compare Simulated="creek.q" Observed="rain.p" Measures="nse"/>
  <Run From="2020-01-01T00:00Z" To="2020-02-01T00:00Z" Trigger="lake creek"/>  <!-- the end -->
</Composition>
<!-- after the root -->
)";

CompositionFile Read(const std::string& text) {
  Problems problems;
  CompositionFile file = ReadCompositionText(text, "odd.xml", problems);
  EXPECT_FALSE(HasErrors(problems)) << (problems.empty() ? "" : FormatProblem(problems.front())) << "\n" << text;
  return file;
}

std::multiset<std::string> Comments(std::string_view text) {
  std::multiset<std::string> comments;
  for (const auto& [at, size] : CommentsIn(text, 0, text.size())) comments.emplace(text.substr(at, size));
  return comments;
}

// The same edits on the structs, by which the text is measured.
class Expected {
 public:
  explicit Expected(CompositionFile file) : file_(std::move(file)) {}
  const CompositionFile& File() const { return file_; }

  void Add(const std::string& id, const std::vector<NamedValue>& arguments) {
    ComponentSpec component;
    component.id = id;
    component.omi = id + ".omi";
    for (const auto& [key, value] : arguments) component.arguments.push_back({key, value});
    file_.components.push_back(component);
  }
  void Remove(const std::string& id) {
    std::erase_if(file_.components, [&](const auto& one) { return one.id == id; });
    std::erase_if(file_.links, [&](const auto& one) { return one.from.component == id || one.to.component == id; });
    std::erase_if(file_.observes, [&](const auto& one) { return one.item.component == id; });
    std::erase_if(file_.compares,
                  [&](const auto& one) { return one.simulated.component == id || one.observed.component == id; });
    if (file_.run) std::erase(file_.run->trigger, id);
    for (IterateSpec& iterate : file_.iterates) {
      std::erase(iterate.components, id);
      std::erase_if(iterate.tolerances, [&](const auto& one) { return one.item.component == id; });
    }
    std::erase_if(file_.iterates, [](const auto& one) { return one.components.size() < 2; });
  }
  void Rename(const std::string& id, const std::string& to) {
    const auto set = [&](std::string& name) {
      if (name == id) name = to;
    };
    for (auto& one : file_.components) set(one.id);
    for (auto& one : file_.links) set(one.from.component), set(one.to.component);
    for (auto& one : file_.observes) set(one.item.component);
    for (auto& one : file_.compares) set(one.simulated.component), set(one.observed.component);
    for (auto& one : file_.run->trigger) set(one);
    for (auto& one : file_.iterates) {
      for (auto& name : one.components) set(name);
      for (auto& tolerance : one.tolerances) set(tolerance.item.component);
    }
  }
  static void Set(std::vector<ArgumentSpec>& arguments, const std::string& key,
                  const std::optional<std::string>& value) {
    const auto found = std::ranges::find(arguments, key, &ArgumentSpec::key);
    if (!value) {
      if (found != arguments.end()) arguments.erase(found);
    } else if (found != arguments.end()) {
      found->value = *value;
    } else {
      arguments.push_back({key, *value});
    }
  }
  std::vector<ComponentSpec>& Components() { return file_.components; }
  std::vector<LinkSpec>& Links() { return file_.links; }
  std::vector<CompareSpec>& Compares() { return file_.compares; }
  std::vector<ObserveSpec>& Observes() { return file_.observes; }
  RunSpec& Run() { return *file_.run; }

 private:
  CompositionFile file_;
};

TEST(CompositionEdit, FiveHundredRandomEditsMeanWhatTheyShouldAndKeepEveryComment) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937 random(seed);
    const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    CompositionEdit edit{std::string(kOddFile)};
    Expected expected(Read(edit.Text()));
    const std::multiset<std::string> comments = Comments(kOddFile);
    ASSERT_EQ(comments.size(), 15U);
    const std::vector<std::string> values = {"1", "a \"b\" & <c>", "it's", "", "two\nlines\t", "\xC3\xA4\xE2\x82\xAC"};
    std::size_t made = 0;
    for (int step = 0; step < 500; ++step) {
      const std::string& value = values[below(values.size())];
      auto& components = expected.Components();
      auto& links = expected.Links();
      const std::string fresh = fmt::format("c{}", step);
      const std::size_t chosen = components.empty() ? 0 : below(components.size());
      switch (components.size() < 2 ? 0 : below(14)) {
        case 0: {
          const std::vector<NamedValue> arguments(below(3), NamedValue{"key", value});
          const std::vector<NamedValue> once(arguments.begin(), arguments.begin() + (arguments.empty() ? 0 : 1));
          edit.AddComponent(fresh, {{"Omi", fresh + ".omi"}}, once);
          expected.Add(fresh, once);
          break;
        }
        case 1: {
          if (components.size() < 5) continue;
          const std::string id = components[chosen].id;
          edit.RemoveComponent(id);
          expected.Remove(id);
          break;
        }
        case 2: {
          const std::string id = components[chosen].id;
          edit.RenameComponent(id, fresh);
          expected.Rename(id, fresh);
          break;
        }
        case 3:
        case 4: {
          const std::string key = fmt::format("k{}", below(3));
          const std::optional<std::string> set = below(3) == 0 ? std::nullopt : std::optional(value);
          edit.SetArgument(components[chosen].id, key, set);
          Expected::Set(components[chosen].arguments, key, set);
          break;
        }
        case 5:
          edit.SetComponent(components[chosen].id, "Caption", value.empty() ? std::nullopt : std::optional(value));
          components[chosen].caption = value;
          break;
        case 6:
        case 7: {
          const ItemSpec from{components[chosen].id, fmt::format("o{}", step)};
          const ItemSpec to{components[below(components.size())].id, fmt::format("i{}", step)};
          std::vector<NewAdaptor> adaptors(below(3), NewAdaptor{"mean", {{"weight", value}}});
          edit.AddLink(from.Text(), to.Text(), adaptors);
          LinkSpec link;
          link.from = from;
          link.to = to;
          for (std::size_t i = 0; i < adaptors.size(); ++i) {
            link.adaptors.push_back({"mean", "", {{"weight", value}}});
          }
          links.push_back(link);
          break;
        }
        case 8: {
          if (links.empty()) continue;
          const std::size_t at = below(links.size());
          edit.RemoveLink(links[at].from.Text(), links[at].to.Text());
          links.erase(links.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        }
        case 9: {
          if (links.empty()) continue;
          LinkSpec& link = links[below(links.size())];
          const std::size_t at = below(link.adaptors.size() + 1);
          edit.AddAdaptor(link.from.Text(), link.to.Text(), at, {"scale", {}});
          link.adaptors.insert(link.adaptors.begin() + static_cast<std::ptrdiff_t>(at), {"scale", "", {}});
          break;
        }
        case 10: {
          if (links.empty()) continue;
          LinkSpec& link = links[below(links.size())];
          if (link.adaptors.empty()) continue;
          const std::size_t at = below(link.adaptors.size());
          if (below(2) == 0) {
            edit.RemoveAdaptor(link.from.Text(), link.to.Text(), at);
            link.adaptors.erase(link.adaptors.begin() + static_cast<std::ptrdiff_t>(at));
          } else {
            edit.SetAdaptorArgument(link.from.Text(), link.to.Text(), at, "factor", value);
            Expected::Set(link.adaptors[at].arguments, "factor", value);
          }
          break;
        }
        case 11: {
          auto& observes = expected.Observes();
          if (observes.size() > 3) {
            edit.RemoveObserve(observes.front().item.Text());
            const ItemSpec item = observes.front().item;
            observes.erase(observes.begin());
          } else {
            ObserveSpec observe;
            observe.item = {components[chosen].id, fmt::format("o{}", step)};
            observe.as = ObserveAs::Sum;
            edit.AddObserve(observe.item.Text(), {{"As", "sum"}});
            observes.push_back(observe);
          }
          break;
        }
        case 12: {
          auto& compares = expected.Compares();
          if (compares.size() > 2) {
            const std::size_t at = below(compares.size());
            edit.RemoveElement({{"Compare", at}});
            compares.erase(compares.begin() + static_cast<std::ptrdiff_t>(at));
          } else {
            CompareSpec compare;
            compare.simulated = {components[chosen].id, "o"};
            compare.observed = {components.front().id, "o"};
            compare.measures = {"nse"};
            compare.windows = {
                {.label = "w", .from = ParseIsoTime("2020-01-01T00:00Z"), .to = ParseIsoTime("2020-01-02T00:00Z")}};
            edit.AddElement(
                {}, "Compare",
                {{"Simulated", compare.simulated.Text()}, {"Observed", compare.observed.Text()}, {"Measures", "kge"}});
            const std::size_t at = compares.size();
            edit.SetElement({{"Compare", at}}, "Measures", "nse");
            edit.AddElement({{"Compare", at}}, "Window",
                            {{"Label", "w"}, {"From", "2020-01-01T00:00Z"}, {"To", "2020-01-02T00:00Z"}});
            compares.push_back(compare);
          }
          break;
        }
        default:
          edit.SetRun({{"Threads", fmt::format("{}", 1 + step % 4)}, {"Mode", "step"}});
          expected.Run().threads = 1 + step % 4;
          expected.Run().mode = RunMode::Step;
      }
      ++made;
      ASSERT_EQ(CompositionText(Read(edit.Text())), CompositionText(expected.File())) << "step " << step << "\n"
                                                                                      << edit.Text();
      ASSERT_EQ(Comments(edit.Text()), comments) << "step " << step << "\n" << edit.Text();
    }
    EXPECT_GT(made, 400U);
  }
}

TEST(CompositionEdit, WritesALinkLikeItsNeighbours) {
  CompositionEdit edit(
      "<Composition Id=\"a\">\r\n\t<Component Id=\"x\" Omi=\"x.omi\"/>\r\n\t<Link From=\"x.a\" To=\"x.b\"/>  <!-- here "
      "-->\r\n\r\n</Composition>\r\n");
  edit.AddLink("x.c", "x.d", {{"mean", {{"k", "1"}}}});
  EXPECT_EQ(
      edit.Text(),
      "<Composition Id=\"a\">\r\n\t<Component Id=\"x\" Omi=\"x.omi\"/>\r\n\t<Link From=\"x.a\" To=\"x.b\"/>  <!-- here "
      "-->\r\n\t<Link From=\"x.c\" To=\"x.d\">\r\n\t  <Adaptor Id=\"mean\">\r\n\t    <Argument Key=\"k\" "
      "Value=\"1\"/>\r\n\t  </Adaptor>\r\n\t</Link>\r\n\r\n</Composition>\r\n");
}

TEST(CompositionEdit, OpensAnEmptyCompositionAndKeepsItsPrefix) {
  CompositionEdit edit("<o:Composition xmlns:o=\"urn:openmi2:composition:1\" Id=\"a\"/>");
  edit.AddComponent("x", {{"Omi", "x.omi"}}, {});
  edit.SetRun({{"From", "2020-01-01T00:00Z"}, {"To", "2020-01-02T00:00Z"}});
  EXPECT_EQ(
      edit.Text(),
      "<o:Composition xmlns:o=\"urn:openmi2:composition:1\" Id=\"a\">\n  <o:Component Id=\"x\" Omi=\"x.omi\"/>\n  "
      "<o:Run From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/>\n</o:Composition>");
}

TEST(CompositionEdit, RemovingAComponentTakesItsLineAndWhatNamesIt) {
  CompositionEdit edit(
      "<Composition Id=\"a\">\n  <Component Id=\"x\" Omi=\"x.omi\"/>\n  <Component Id=\"y\" Omi=\"y.omi\"/>\n  <Link "
      "From=\"x.a\" To=\"y.a\"/>\n  <Run From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\" "
      "Trigger=\"y\"/>\n</Composition>\n");
  edit.RemoveComponent("y");
  EXPECT_EQ(edit.Text(),
            "<Composition Id=\"a\">\n  <Component Id=\"x\" Omi=\"x.omi\"/>\n  <Run From=\"2020-01-01T00:00Z\" "
            "To=\"2020-01-02T00:00Z\"/>\n</Composition>\n");
}

TEST(CompositionEdit, IteratesALoopWithATolerance) {
  CompositionEdit edit(
      "<Composition Id=\"a\">\n  <Component Id=\"x\" Omi=\"x.omi\"/>\n  <!-- run -->\n  <Run "
      "From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/>\n</Composition>\n");
  edit.AddElement({}, "Iterate", {{"Components", "x y"}});
  edit.SetElement({{"Iterate", 0}}, "Method", "aitken");
  edit.AddElement({{"Iterate", 0}}, "Tolerance", {{"Item", "x.a"}, {"Relative", "1e-3"}});
  EXPECT_EQ(edit.Text(),
            "<Composition Id=\"a\">\n  <Component Id=\"x\" Omi=\"x.omi\"/>\n  <Iterate Components=\"x y\" "
            "Method=\"aitken\">\n    <Tolerance Item=\"x.a\" Relative=\"1e-3\"/>\n  </Iterate>\n  <!-- run -->\n  <Run "
            "From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/>\n</Composition>\n");
  edit.RemoveElement({{"Iterate", 0}, {"Tolerance", 0}});
  edit.RemoveElement({{"Iterate", 0}});
  EXPECT_THAT([&] { edit.RemoveElement({{"Iterate", 0}}); }, ThrowsMessage<ArgumentError>(HasSubstr("Iterate")));
  EXPECT_THAT([&] { edit.AddElement({}, "Script", {}); }, ThrowsMessage<ArgumentError>(HasSubstr("found Script")));
  EXPECT_THROW(edit.RemoveElement({}), ArgumentError);
}

TEST(CompositionEdit, MakesAPopulationAndAComponentAgain) {
  const std::string before =
      "<o:Composition xmlns:o=\"urn:openmi2:composition:1\" Id=\"a\">\n  <o:Component Id=\"x\" Omi=\"x.omi\">\n    "
      "<!-- k --><o:Argument Key=\"k\" Value=\"1\"/>\n  </o:Component>\n</o:Composition>";
  CompositionEdit edit(before);
  edit.MakePopulation("x", "rows.csv");
  edit.SetComponent("x", "Key", "id");
  edit.AddElement({{"Population", 0}}, "Network", {{"From", "out"}, {"To", "in"}, {"Column", "to"}});
  const CompositionFile file = Read(edit.Text());
  ASSERT_TRUE(file.components.at(0).population);
  EXPECT_EQ(file.components[0].population->table.of, "rows.csv");
  EXPECT_EQ(file.components[0].population->table.key, "id");
  EXPECT_EQ(file.components[0].population->networks.at(0).column, "to");
  EXPECT_THROW(edit.MakePopulation("x", "rows.csv"), ArgumentError);
  edit.MakeComponent("x");
  EXPECT_EQ(edit.Text(), before);
  EXPECT_THROW(edit.MakeComponent("x"), ArgumentError);
}

TEST(CompositionEdit, ErrorsNameWhatIsMissingAndLeaveTheText) {
  const std::string text = "<Composition Id=\"a\"><Component Id=\"rain\" Omi=\"x.omi\"/></Composition>";
  CompositionEdit edit(text);
  EXPECT_THAT([&] { edit.SetArgument("rian", "k", "1"); }, ThrowsMessage<ArgumentError>(HasSubstr("'rain'")));
  EXPECT_THAT([&] { edit.AddComponent("rain", {}, {}); }, ThrowsMessage<ArgumentError>(HasSubstr("no component has")));
  EXPECT_THAT([&] { edit.RemoveLink("rain.a", "rain.b"); },
              ThrowsMessage<ArgumentError>(HasSubstr("rain.a -> rain.b")));
  EXPECT_THROW(edit.SetArgument("rain", "k", "\x01"), FormatError);
  EXPECT_EQ(edit.Text(), text);
}

TEST(XmlSource, PassesOverCommentsAndInstructionsInADeclaration) {
  const std::string text = "<!DOCTYPE a [ <!-- ' ]> <x y> --> <?p ]> \" ?> <!ELEMENT a (b) > ]><a x='1'><b/></a>";
  const SourceElement root = ReadXmlSource(text);
  EXPECT_EQ(root.name, "a");
  EXPECT_EQ(root.begin, text.find("<a x"));
  EXPECT_EQ(root.children.size(), 1u);
}

TEST(XmlSource, RefusesWhatIsNotWellFormedWithoutReadingBeyondIt) {
  for (const char* text : {"", "<", "<a", "<a b", "<a b=", "<a b='", "<a>", "<a></", "<!--", "<!DOCTYPE [",
                           "<!DOCTYPE [<!--", "<a><![CDATA["}) {
    EXPECT_THROW(ReadXmlSource(text), FormatError) << text;
  }
}

}  // namespace
}  // namespace openmi
