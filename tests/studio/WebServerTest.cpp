#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "studio/server/Gate.hpp"
#include "studio/server/WebServer.hpp"
#include "tests/studio/WebClient.hpp"

namespace openmi {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A server with one file, which sends back what pages say.
class WebServerTest : public testing::Test {
 protected:
  void Start(const WebLimits& limits) {
    server_ = std::make_unique<WebServer>(
        0,
        WebServer::Handlers{.get =
                                [](std::string_view path, WebContent& content) {
                                  content = {"text/html", "hello"};
                                  return path == "/";
                                },
                            .opened = [this](WebServer::Client client) { client_ = client; },
                            .received =
                                [this](WebServer::Client client, const std::string& text) {
                                  ++received_;
                                  server_->Send(client, std::make_shared<const std::string>("said " + text));
                                },
                            .closed = [this](WebServer::Client) { ++closed_; }},
        limits);
    thread_ = std::thread([this] { server_->Run(); });
    host_ = fmt::format("Host: 127.0.0.1:{}\r\n", server_->Port());
    const std::string address = server_->Address();
    const std::string answer = Get(address.substr(address.find("/?")), host_);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 303"));
    EXPECT_THAT(answer, HasSubstr("HttpOnly; SameSite=Strict"));
    const std::size_t begin = answer.find("Set-Cookie: ") + 12;
    cookie_ = "Cookie: other=1; " + answer.substr(begin, answer.find(';', begin) - begin) + "\r\n";
    origin_ = fmt::format("Origin: http://127.0.0.1:{}\r\n", server_->Port());
  }
  void SetUp() override { Start({}); }
  void TearDown() override { End(); }
  void End() {
    server_->Stop();
    thread_.join();
    server_.reset();
  }
  std::string Get(const std::string& target, const std::string& headers) const {
    return WebClient::Get(server_->Port(), target, headers);
  }
  // The server still answers.
  void ExpectAlive() const { EXPECT_THAT(Get("/", host_ + cookie_), HasSubstr("hello")); }

  std::unique_ptr<WebServer> server_;
  std::thread thread_;
  std::string host_;
  std::string cookie_;
  std::string origin_;
  std::atomic<int> received_ = 0;
  std::atomic<int> closed_ = 0;
  std::atomic<WebServer::Client> client_ = 0;
};

TEST_F(WebServerTest, ServesWhoHasTheCookieWithAStrictPolicy) {
  const std::string answer = Get("/", host_ + cookie_);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answer, HasSubstr("Content-Security-Policy: default-src 'none'; script-src 'self'"));
  EXPECT_THAT(answer, HasSubstr("X-Content-Type-Options: nosniff"));
  EXPECT_THAT(Get("/none", host_ + cookie_), StartsWith("HTTP/1.1 404"));
}

TEST_F(WebServerTest, RefusesAWrongKeyAndNoCookie) {
  EXPECT_THAT(Get("/", host_), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(Get("/?key=0123456789abcdef0123456789abcdef", host_), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(Get("/", host_ + fmt::format("Cookie: openmi-studio-{}=0\r\n", server_->Port())),
              StartsWith("HTTP/1.1 401"));
}

TEST_F(WebServerTest, RefusesAnotherHostSinceANameMayPointHere) {
  for (const char* host : {"evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "[::1]", ""}) {
    EXPECT_THAT(Get("/", fmt::format("Host: {}\r\n", host) + cookie_), StartsWith("HTTP/1.1 421")) << host;
  }
  EXPECT_THAT(Get("/", cookie_), StartsWith("HTTP/1.1 421"));
}

TEST_F(WebServerTest, RefusesPagesOfOthers) {
  for (const char* origin : {"https://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1.evil.example"}) {
    EXPECT_THAT(Get("/", host_ + cookie_ + fmt::format("Origin: {}\r\n", origin)), StartsWith("HTTP/1.1 403"))
        << origin;
    WebClient client(server_->Port());
    EXPECT_THAT(client.Upgrade(host_ + cookie_ + fmt::format("Origin: {}\r\n", origin)), HasSubstr("403")) << origin;
  }
  WebClient without(server_->Port());
  EXPECT_THAT(without.Upgrade(host_ + cookie_), HasSubstr("403"));
  WebClient stranger(server_->Port());
  EXPECT_THAT(stranger.Upgrade(host_ + origin_), HasSubstr("401"));
}

TEST_F(WebServerTest, APageSpeaksOverTheWebSocket) {
  WebClient client(server_->Port());
  ASSERT_THAT(client.Upgrade(host_ + cookie_ + origin_), HasSubstr("101"));
  ASSERT_TRUE(client.SendText("one"));
  EXPECT_EQ(client.NextText(), "said one");
  ASSERT_TRUE(client.SendText(std::string(100'000, 'x')));
  EXPECT_EQ(client.NextText().size(), 100'005U);
}

TEST_F(WebServerTest, RefusesOtherMethodsBodiesAndLongHeaders) {
  WebClient post(server_->Port());
  post.Send("POST / HTTP/1.1\r\n" + host_ + cookie_ + "Content-Length: 1073741824\r\n\r\n");
  EXPECT_THAT(post.ReadAll(), HasSubstr("413"));
  EXPECT_FALSE(post.Send(std::string(1 << 20, 'x')) && post.Send(std::string(1 << 20, 'x')) &&
               post.Send(std::string(8 << 20, 'x')));
  WebClient small(server_->Port());
  small.Send("DELETE / HTTP/1.1\r\n" + host_ + cookie_ + "\r\n");
  EXPECT_THAT(small.ReadAll(), StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(Get("/", host_ + "X: " + std::string(20'000, 'x') + "\r\n"), testing::Not(HasSubstr(" 200 ")));
  WebClient garbage(server_->Port());
  garbage.Send("\x16\x03\x01\x02\x00\x01 not http\r\n\r\n");
  garbage.ReadAll();
  ExpectAlive();
}

TEST_F(WebServerTest, AMessageOfAGigabyteEndsThePageAlone) {
  WebClient client(server_->Port());
  ASSERT_THAT(client.Upgrade(host_ + cookie_ + origin_), HasSubstr("101"));
  client.Send(std::string("\x81\xFF\0\0\0\0\x40\0\0\0\0\0\0\0", 14));  // announces 2^30 bytes
  EXPECT_EQ(client.NextText(3000), "");
  EXPECT_EQ(received_.load(), 0);
  ExpectAlive();
}

TEST_F(WebServerTest, APageThatDoesNotReadIsDisconnected) {
  End();
  Start({.unsent = 1 << 20});
  WebClient slow(server_->Port());
  ASSERT_THAT(slow.Upgrade(host_ + cookie_ + origin_), HasSubstr("101"));
  const auto big = std::make_shared<const std::string>(1 << 18, 'x');
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 200 && closed_.load() == 0; ++i) {
    std::promise<void> done;
    server_->Post([&] {
      server_->Send(client_.load(), big);
      done.set_value();
    });
    done.get_future().wait();
  }
  EXPECT_EQ(closed_.load(), 1);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  ExpectAlive();
}

TEST_F(WebServerTest, TenThousandSocketsLeaveRoomForThePage) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 12'000);
  setrlimit(RLIMIT_NOFILE, &limit);
  End();
  Start({.connections = 16, .seconds = 1});
  WebClient page(server_->Port());
  ASSERT_THAT(page.Upgrade(host_ + cookie_ + origin_), HasSubstr("101"));
  {
    std::vector<std::unique_ptr<WebClient>> strangers;
    const std::size_t most = limit.rlim_cur > 10'500 ? 10'000 : limit.rlim_cur - 200;
    for (std::size_t i = 0; i < most; ++i) strangers.push_back(std::make_unique<WebClient>(server_->Port()));
    ASSERT_TRUE(page.SendText("still here"));
    EXPECT_EQ(page.NextText(), "said still here");
    // Those that were let in say nothing, and lose their places after a second.
    std::string answer;
    for (int i = 0; i < 600 && answer.empty(); ++i) {
      answer = Get("/", host_ + cookie_);
      if (answer.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_THAT(answer, HasSubstr("hello"));
  }
}

TEST_F(WebServerTest, SaysWhichPortIsInUse) {
  EXPECT_THAT([&] { WebServer(server_->Port(), {}); },
              testing::ThrowsMessage<FileError>(HasSubstr(fmt::format("port {}", server_->Port()))));
}

TEST(FileInFolder, StaysInTheFolder) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("studio-folder-{}", getpid());
  fs::create_directories(folder / "own" / "results");
  std::ofstream(folder / "secret.txt") << "secret";
  std::ofstream(folder / "own" / "results" / "a b.csv") << "1";
  std::ofstream(folder / "own" / ".hidden") << "1";
  fs::create_symlink(folder / "secret.txt", folder / "own" / "link.txt");
  const fs::path own = folder / "own";
  EXPECT_EQ(FileInFolder(own, "results/a%20b.csv"), fs::canonical(own / "results" / "a b.csv"));
  for (const char* path :
       {"../secret.txt", "%2e%2e/secret.txt", "results/../../secret.txt", "link.txt", ".hidden", "results",
        "/etc/passwd", "//etc/passwd", "", "results/a%00b", "results/a%2", "none.csv", "..%2fsecret.txt"}) {
    EXPECT_FALSE(FileInFolder(own, path)) << path;
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace openmi
