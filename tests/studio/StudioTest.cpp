#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "openmi/sdk/Error.hpp"
#include "studio/Studio.hpp"
#include "tests/studio/WebClient.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;

constexpr const char* kCreek =
    "<?xml version=\"1.0\"?>\n<!-- ours -->\n<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"basin\">\n  "
    "<Component "
    "Id=\"creek\" Omi=\"creek.omi\"/>\n</Composition>\n";

// A studio whose checks find nothing, and a page.
class StudioTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("studio-{}", getpid());
    fs::create_directories(folder_);
    std::ofstream(folder_ / "basin.xml") << kCreek;
    studio_ = std::make_unique<Studio>(StudioSettings{
        .composition = folder_ / "basin.xml", .program = "/bin/false", .ask = [](const Json& request) {
          ChildAnswer answer;
          answer.value = {{"problems", Json::array()}, {"components", Json::object()}, {"asked", request.at("do")}};
          return answer;
        }});
    thread_ = std::thread([this] { studio_->Run(); });
    headers_ = WebClient::SignIn(studio_->Port(), studio_->Address());
    page_ = std::make_unique<WebClient>(studio_->Port());
    ASSERT_THAT(page_->Upgrade(headers_), HasSubstr("101"));
  }
  void TearDown() override {
    page_.reset();
    studio_->Stop();
    thread_.join();
    studio_.reset();
    fs::remove_all(folder_);
  }
  // Sends a request and returns its answer; keeps the last document that came before it or after it.
  Json Ask(Json request) {
    request["id"] = ++last_;
    page_->SendText(request.dump());
    while (true) {
      const Json message = Json::parse(page_->NextText(), nullptr, false);
      if (message.is_discarded()) return {};
      if (message.value("event", "") == "document") document_ = message["model"];
      if (message.value("id", Json()) == last_) return message;
    }
  }
  Json Edit(const char* edits) { return Ask({{"do", "edit"}, {"edits", Json::parse(edits)}}); }
  std::string Text() { return Ask({{"do", "text"}})["text"]; }
  std::string Bytes(const std::string& name) const {
    std::ifstream stream(folder_ / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path folder_;
  std::unique_ptr<Studio> studio_;
  std::thread thread_;
  std::string headers_;
  std::unique_ptr<WebClient> page_;
  Json document_;
  int last_ = 0;
};

TEST_F(StudioTest, EditsSavesAndUndoes) {
  EXPECT_EQ(Edit(R"([{"op":"add-component","id":"rain","attributes":[["Omi","rain.omi"]]}])")["ok"], true);
  EXPECT_EQ(Bytes("basin.xml"), kCreek);
  EXPECT_EQ(Edit(R"([{"op":"add-link","from":"rain.p","to":"creek.p","adaptors":[{"id":"mean"}]},
                     {"op":"place","id":"rain","x":12.4,"y":-3}])")["ok"],
            true);
  EXPECT_EQ(Ask({{"do", "save"}})["ok"], true);
  EXPECT_THAT(Bytes("basin.xml"),
              HasSubstr("<Link From=\"rain.p\" To=\"creek.p\">\n    <Adaptor Id=\"mean\"/>\n  </Link>\n"));
  EXPECT_THAT(Bytes("basin.layout.json"), HasSubstr("\"rain\": [12, -3]"));
  Ask({{"do", "undo"}});
  Ask({{"do", "undo"}});
  EXPECT_EQ(Text(), kCreek);
  EXPECT_EQ(document_["undo"], false);
  EXPECT_EQ(document_["changed"], true);  // the file has the edits that were undone
}

TEST_F(StudioTest, AnEditThatIsWrongIsRefusedAndChangesNothing) {
  for (const char* edits :
       {"null", "[1]", R"([{"op":"fly"}])", R"([{"op":"remove-component","id":"none"}])",
        R"([{"op":"set-component","id":"creek","attribute":"A=\"1\" B","value":"1"}])",
        R"([{"op":"add-component","id":"x","attributes":[["O><","1"]]}])",
        R"([{"op":"set-argument","id":"creek","key":"k","value":"\u0001"}])",
        R"([{"op":"place","id":"creek","x":1e9,"y":0}])",
        R"([{"op":"set-argument","id":"creek","key":"k","value":"1"},{"op":"remove-component","id":"none"}])"}) {
    const Json answer = Edit(edits);
    EXPECT_EQ(answer["ok"], false) << edits;
    EXPECT_FALSE(answer.value("error", "").empty()) << edits;
  }
  EXPECT_EQ(Text(), kCreek);
}

TEST_F(StudioTest, NoMessageHarmsIt) {
  std::mt19937 random(7);
  const std::vector<std::string> words = {"edit", "undo",    "redo",  "palette",  "runs", "map",
                                          "to",   "control", "watch", "adaptors", "none"};
  for (int i = 0; i < 400; ++i) {
    Json request = {{"do", words[random() % words.size()]}};
    for (const char* key : {"edits", "items", "request", "time", "item", "from", "to"}) {
      const Json values[] = {
          nullptr, 1, "x", Json::array(), Json::array({Json::object()}), {{"op", 1}}, "2020-01-01T00:00Z"};
      if (random() % 2 == 0) request[key] = values[random() % 7];
    }
    std::string text = request.dump();
    if (i % 5 == 0) text[random() % text.size()] = static_cast<char>(random());
    page_->SendText(text);
  }
  page_.reset();
  page_ = std::make_unique<WebClient>(studio_->Port());
  ASSERT_THAT(page_->Upgrade(headers_), HasSubstr("101"));
  EXPECT_EQ(Text(), kCreek);
}

TEST_F(StudioTest, ServesFilesOfItsFolderApartFromThePage) {
  std::ofstream(folder_ / "report.html") << "<script>1</script>";
  const std::string answer = WebClient::Get(studio_->Port(), "/files/report.html", headers_);
  EXPECT_THAT(answer, HasSubstr("Content-Security-Policy: sandbox allow-scripts allow-downloads\r\n"));
  EXPECT_THAT(answer, HasSubstr("<script>1</script>"));
  for (const char* path :
       {"/files/../etc/passwd", "/files/%2e%2e/x", "/files//etc/passwd", "/files/", "/../page.html"}) {
    EXPECT_THAT(WebClient::Get(studio_->Port(), path, headers_), HasSubstr("HTTP/1.1 404")) << path;
  }
  for (const char* path : {"/", "/studio.css", "/studio.js", "/canvas.js", "/panels.js", "/plots.js", "/maps.js"}) {
    EXPECT_THAT(WebClient::Get(studio_->Port(), path, headers_), HasSubstr("HTTP/1.1 200")) << path;
  }
}

TEST_F(StudioTest, ShowsAChangeFromElsewhereAndAsksInAConflict) {
  const auto next = [this](const std::string& event) {
    while (true) {
      const std::string text = page_->NextText();
      if (text.empty()) return Json();
      Json message = Json::parse(text);
      if (message.value("event", "") == event) return message;
    }
  };
  std::string theirs = kCreek;
  theirs.replace(theirs.find("creek.omi"), 9, "river.omi");
  std::ofstream(folder_ / "basin.xml") << theirs;
  EXPECT_FALSE(next("taken").is_null());
  EXPECT_EQ(Text(), theirs);
  Edit(R"([{"op":"set-composition","attribute":"Caption","value":"mine"}])");
  std::ofstream(folder_ / "basin.xml") << kCreek;
  const Json conflict = next("outside");
  EXPECT_EQ(conflict["theirs"], kCreek);
  EXPECT_THAT(conflict["mine"], HasSubstr("Caption=\"mine\""));
  EXPECT_EQ(Ask({{"do", "save"}})["ok"], false);
  EXPECT_EQ(Ask({{"do", "take-outside"}})["ok"], true);
  EXPECT_EQ(Text(), kCreek);
}

}  // namespace
}  // namespace openmi
