#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "openmi/sdk/Error.hpp"
#include "studio/edit/Document.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBasin =
    "<?xml version=\"1.0\"?>\n<!-- ours -->\n<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"basin\">\n\n  "
    "<Component "
    "Id=\"creek\" Omi=\"creek.omi\"/>\n  <Component Id=\"rain\"  Omi='rain.omi'/>\n</Composition>\n";

class DocumentTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("studio-document-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    Write("basin.xml", kBasin);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void Write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string Bytes(const std::string& name) const {
    std::ifstream stream(folder_ / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static std::size_t LinesThatDiffer(const std::string& a, const std::string& b) {
    std::istringstream left(a);
    std::istringstream right(b);
    std::size_t count = 0;
    std::string one;
    std::string other;
    while (true) {
      const bool has_one = static_cast<bool>(std::getline(left, one));
      const bool has_other = static_cast<bool>(std::getline(right, other));
      if (!has_one && !has_other) return count;
      if (has_one != has_other || one != other) ++count;
    }
  }
  fs::path folder_;
};

TEST_F(DocumentTest, AMovedBoxLeavesTheFileAndChangesOneLineBesideIt) {
  Document document(folder_ / "basin.xml");
  document.Edit([](CompositionEdit&, BoxPlaces& places) {
    places["creek"] = {10, 20};
    places["rain"] = {30, 40};
  });
  document.Save();
  const std::string before = Bytes("basin.layout.json");
  Document again(folder_ / "basin.xml");
  EXPECT_EQ(again.Places(), document.Places());
  again.Edit([](CompositionEdit&, BoxPlaces& places) { places["creek"] = {11, 20}; });
  again.Save();
  EXPECT_EQ(Bytes("basin.xml"), kBasin);
  EXPECT_EQ(LinesThatDiffer(before, Bytes("basin.layout.json")), 1U);
}

TEST_F(DocumentTest, UndoToTheStartGivesTheFirstBytes) {
  Document document(folder_ / "basin.xml");
  for (int i = 0; i < 300; ++i) {
    document.Edit([i](CompositionEdit& edit, BoxPlaces& places) {
      edit.SetArgument("creek", "k" + std::to_string(i % 7), std::to_string(i));
      if (i % 5 == 0) places["creek"] = {i, i};
    });
  }
  const std::string last = document.Text();
  while (document.CanUndo()) document.Undo();
  EXPECT_EQ(document.Text(), kBasin);
  EXPECT_TRUE(document.Places().empty());
  EXPECT_FALSE(document.IsChanged());
  while (document.CanRedo()) document.Redo();
  EXPECT_EQ(document.Text(), last);
}

TEST_F(DocumentTest, AnEditThatFailsChangesNothing) {
  Document document(folder_ / "basin.xml");
  EXPECT_THROW(document.Edit([](CompositionEdit& edit, BoxPlaces&) {
    edit.SetComponent("creek", "Caption", "new");
    edit.RemoveComponent("nobody");
  }),
               ArgumentError);
  EXPECT_EQ(document.Text(), kBasin);
  EXPECT_FALSE(document.CanUndo());
}

TEST_F(DocumentTest, TakesAChangeFromElsewhereWhenNothingIsUnsaved) {
  Document document(folder_ / "basin.xml");
  EXPECT_EQ(document.LookOutside(), Document::Outside::Nothing);
  std::string text = kBasin;
  text.replace(text.find("creek.omi"), 9, "river.omi");
  Write("basin.xml", text);
  EXPECT_EQ(document.LookOutside(), Document::Outside::Taken);
  EXPECT_EQ(document.Text(), text);
  EXPECT_FALSE(document.IsChanged());
  document.Undo();
  EXPECT_EQ(document.Text(), kBasin);
}

TEST_F(DocumentTest, SavesOverNoChangeFromElsewhereUnlessToldSo) {
  Document document(folder_ / "basin.xml");
  document.Edit([](CompositionEdit& edit, BoxPlaces&) { edit.SetArgument("creek", "k", "1"); });
  const std::string mine = document.Text();
  Write("basin.xml", std::string(kBasin) + "<!-- theirs -->\n");
  EXPECT_EQ(document.LookOutside(), Document::Outside::Conflict);
  EXPECT_EQ(document.OutsideText(), std::string(kBasin) + "<!-- theirs -->\n");
  EXPECT_THROW(document.Save(), StateError);
  document.KeepMine();
  document.Save();
  EXPECT_EQ(Bytes("basin.xml"), mine);
  Write("basin.xml", kBasin);
  document.Edit([](CompositionEdit& edit, BoxPlaces&) { edit.SetArgument("creek", "k", "2"); });
  EXPECT_EQ(document.LookOutside(), Document::Outside::Conflict);
  document.TakeOutside();
  EXPECT_EQ(document.Text(), kBasin);
  EXPECT_FALSE(document.IsChanged());
}

TEST_F(DocumentTest, AFileThatIsBrokenElsewhereIsAConflict) {
  Document document(folder_ / "basin.xml");
  Write("basin.xml", "<Composition");
  EXPECT_EQ(document.LookOutside(), Document::Outside::Conflict);
  EXPECT_EQ(document.Text(), kBasin);
}

TEST_F(DocumentTest, ANewCompositionIsWrittenByTheFirstSave) {
  Document document(folder_ / "my new.xml");
  EXPECT_FALSE(fs::exists(folder_ / "my new.xml"));
  EXPECT_EQ(document.File().id, "my-new");
  document.Save();
  EXPECT_EQ(Bytes("my new.xml"), document.Text());
}

TEST_F(DocumentTest, RefusesOtherEncodingsAndOtherFiles) {
  Write("latin.xml", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><Composition Id=\"\xE4\"/>");
  EXPECT_THAT([&] { Document(folder_ / "latin.xml"); },
              testing::ThrowsMessage<FormatError>(testing::HasSubstr("UTF-8")));
  Write("other.xml", "<LinkableComponent/>");
  EXPECT_THAT([&] { Document(folder_ / "other.xml"); },
              testing::ThrowsMessage<FormatError>(testing::HasSubstr("expected a composition")));
}

TEST(Layout, ReadsOnlyPlaces) {
  EXPECT_TRUE(ReadLayout("").empty());
  EXPECT_TRUE(ReadLayout("[1]").empty());
  const BoxPlaces places = ReadLayout(R"({"places":{"a":[1,2],"b":[1],"c":["x",1],"d":[1e300,-1e300]}})");
  EXPECT_EQ(places, (BoxPlaces{{"a", {1, 2}}, {"d", {1000000, -1000000}}}));
}

}  // namespace
}  // namespace openmi
