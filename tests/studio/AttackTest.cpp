#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "openmi/omi/Spawn.hpp"
#include "studio/Studio.hpp"
#include "tests/studio/WebClient.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;

// The rows of a CSV of results.
std::string RowsOf(const fs::path& path) {
  std::ifstream stream(path);
  std::string rows;
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with('#')) rows += line + "\n";
  }
  return rows;
}

// A studio that runs a composition for some seconds, while strangers knock.
class AttackTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("studio-attack-{}", getpid());
    fs::create_directories(folder_ / "own");
    std::ofstream(folder_ / "secret.txt") << "secret";
    std::ofstream(folder_ / "own/chain.xml")
        << "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"chain\">\n<Component Id=\"a\" "
           "Type=\"openmi.Constant\" "
           "Assembly=\"openmi-components\"><Argument Key=\"value\" Value=\"2\"/><Argument Key=\"unit\" Value=\"m3 "
           "s-1\"/></Component>\n<Component Id=\"b\" Type=\"openmi.NashCascade\" "
           "Assembly=\"openmi-components\"/>\n<Link "
           "From=\"a.value\" To=\"b.inflow\"/>\n<Observe Item=\"b.outflow\" Every=\"P30D\" As=\"mean\"/>\n<Run "
           "From=\"1900-01-01T00:00Z\" To=\"2300-01-01T00:00Z\"/>\n</Composition>\n";
    studio_ = std::make_unique<Studio>(
        StudioSettings{.composition = folder_ / "own/chain.xml",
                       .program = OPENMI_BINARY_DIR "/bin/openmi",
                       .ask = [](const nlohmann::json&) {
                         ChildAnswer answer;
                         answer.value = {{"problems", Json::array()}, {"components", Json::object()}};
                         return answer;
                       }});
    thread_ = std::thread([this] { studio_->Run(); });
    const std::string all = WebClient::SignIn(studio_->Port(), studio_->Address());
    host_ = all.substr(0, all.find("Origin: "));
    origin_ = all.substr(host_.size(), all.find("Cookie: ") - host_.size());
    cookie_ = all.substr(host_.size() + origin_.size());
  }
  void TearDown() override {
    studio_->Stop();
    thread_.join();
    studio_.reset();
    fs::remove_all(folder_);
  }
  std::string Get(const std::string& target, const std::string& headers) const {
    return WebClient::Get(studio_->Port(), target, headers);
  }
  // What a stranger tries, once.
  void Attack(unsigned seed) const {
    const std::uint16_t port = studio_->Port();
    EXPECT_THAT(Get("/", host_ + cookie_ + "Origin: https://evil.example\r\n"), HasSubstr(" 403 "));
    EXPECT_THAT(Get("/?key=0123456789abcdef0123456789abcdef", host_), HasSubstr(" 401 "));
    EXPECT_THAT(Get("/", "Host: evil.example\r\n" + cookie_), HasSubstr(" 421 "));
    for (const char* path : {"/files/../secret.txt", "/files/%2e%2e/secret.txt", "/files/results/../../secret.txt"}) {
      EXPECT_THAT(Get(path, host_ + cookie_), HasSubstr(" 404 ")) << path;
    }
    WebClient page(port);
    EXPECT_THAT(page.Upgrade(host_ + cookie_ + "Origin: https://evil.example\r\n"), HasSubstr(" 403 "));
    WebClient post(port);
    post.Send("POST / HTTP/1.1\r\n" + host_ + cookie_ + "Content-Length: 1073741824\r\n\r\n" +
              std::string(1 << 20, 'x'));
    WebClient large(port);
    EXPECT_THAT(large.Upgrade(host_ + cookie_ + origin_), HasSubstr("101"));
    large.Send(std::string("\x81\xFF\0\0\0\0\x40\0\0\0\0\0\0\0", 14) + std::string(1 << 20, 'x'));  // of 2^30 bytes
    // Requests and frames of no meaning.
    std::mt19937 random(seed);
    WebClient wild(port);
    EXPECT_THAT(wild.Upgrade(host_ + cookie_ + origin_), HasSubstr("101"));
    for (const char* text :
         {"", "[", "{}", "[[[[[[", R"({"do":"control"})", R"({"do":"control","request":7})",
          R"({"do":"to","time":"never"})", R"({"do":"watch","items":{"a":[]}})",
          R"({"do":"edit","edits":[{"op":"add-element","parent":[["Run",9]]}]})", R"({"do":"fly","id":{"a":[1]}})"}) {
      wild.SendText(text);
    }
    if (seed == 1) wild.SendText(R"({"do":"run"})");  // beside the one that was just started; later it may be over
    std::string noise(2000, '\0');
    std::ranges::generate(noise, [&] { return static_cast<char>(random()); });
    wild.Send(noise);
    WebClient text(port);
    text.Send(noise);
  }

  fs::path folder_;
  std::unique_ptr<Studio> studio_;
  std::thread thread_;
  std::string host_;
  std::string origin_;
  std::string cookie_;
};

TEST_F(AttackTest, ARunIsUnharmed) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 12'000);
  setrlimit(RLIMIT_NOFILE, &limit);
  WebClient page(studio_->Port());
  ASSERT_THAT(page.Upgrade(host_ + cookie_ + origin_), HasSubstr("101"));
  page.SendText(R"({"do":"run","id":1})");
  unsigned attacks = 0;
  bool has_flooded = false;
  std::vector<std::unique_ptr<WebClient>> strangers;
  Json over;
  while (over.is_null()) {
    Attack(++attacks);
    if (!has_flooded) {
      has_flooded = true;
      const std::size_t most = limit.rlim_cur > 10'500 ? 10'000 : limit.rlim_cur - 200;
      for (std::size_t i = 0; i < most; ++i) strangers.push_back(std::make_unique<WebClient>(studio_->Port()));
      page.SendText(R"({"do":"text","id":2})");  // the page is still served
      bool is_answered = false;
      for (std::string text = "-"; !is_answered && !text.empty() && over.is_null();) {
        text = page.NextText();
        const Json message = Json::parse(text, nullptr, false);
        is_answered = message.is_object() && message.value("id", 0) == 2;
        if (message.is_object() && message.value("event", "") == "run" && message["state"] == "over") over = message;
      }
      EXPECT_TRUE(is_answered || !over.is_null());
      strangers.clear();
    }
    // On a busy machine the first page may have been given up; a new one is greeted with the state of the run.
    WebClient late(studio_->Port());
    late.Upgrade(host_ + cookie_ + origin_);
    for (WebClient* one : {&page, &late}) {
      for (std::string text = one->NextText(20); over.is_null() && !text.empty(); text = one->NextText(20)) {
        const Json message = Json::parse(text);
        if (message.value("event", "") == "run" && message["state"] == "over") over = message;
      }
    }
    ASSERT_LT(attacks, 500U);
  }
  EXPECT_GE(attacks, 2U) << "the run was over before it was attacked";
  EXPECT_EQ(over.value("code", 0), 0) << over;
  const ChildResult plain =
      RunInChild({std::string(OPENMI_BINARY_DIR) + "/bin/openmi", "run", (folder_ / "own/chain.xml").string(),
                  "--no-report", "--results", (folder_ / "plain").string()});
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  const std::string expected = RowsOf(folder_ / "plain/chain.csv");
  EXPECT_GT(expected.size(), 10'000U);
  EXPECT_EQ(RowsOf(folder_ / "own/results/run-1/chain.csv"), expected);
  EXPECT_FALSE(fs::exists(folder_ / "own/results/run-2"));
}

}  // namespace
}  // namespace openmi
