// The door itself: who is let in, what happens to lines that are too long, and that nobody can hang the run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "composition/control/ControlClient.hpp"
#include "composition/control/ControlServer.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::string kGreeting = R"({"openmi-control":1,"composition":"x"})";

class Door : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "openmi-door-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  ControlAddress At(const std::string& name) const { return {.socket = folder_ / name, .port = 0, .token = {}}; }
  static std::string Shout(const std::string& line) { return "<" + line + ">"; }
  int Raw(const ControlAddress& address) const {
    const int connected = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strcpy(name.sun_path, address.socket.c_str());
    EXPECT_EQ(connect(connected, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
    return connected;
  }
  std::filesystem::path folder_;
};

TEST_F(Door, AnswersLineByLine) {
  ControlServer server(At("a"), kGreeting, Shout);
  ControlClient one(At("a"));
  ControlClient two(At("a"));
  EXPECT_EQ(one.Greeting(), kGreeting);
  EXPECT_EQ(two.Ask("hello"), "<hello>");
  EXPECT_EQ(one.Ask("again\r"), "<again>");
  EXPECT_EQ(one.Ask(std::string(60'000, 'y')).size(), 60'002U);
}

TEST_F(Door, TheSocketIsForItsUserAlone) {
  ControlServer server(At("a"), kGreeting, Shout);
  struct stat status {};
  ASSERT_EQ(stat(At("a").socket.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_THAT([&] { ControlServer(At("a"), kGreeting, Shout); },
              ThrowsMessage<FileError>(HasSubstr("another run listens")));
  std::ofstream(folder_ / "file") << "x";
  EXPECT_THAT([&] { ControlServer(At("file"), kGreeting, Shout); },
              ThrowsMessage<FileError>(HasSubstr("found a file")));
  EXPECT_THAT([&] { ControlServer(At(std::string(200, 'n')), kGreeting, Shout); },
              ThrowsMessage<FileError>(HasSubstr("at most 107 bytes")));
  EXPECT_THAT([&] { ControlClient(At("nobody")); }, ThrowsMessage<FileError>(HasSubstr("expected a run that listens")));
}

TEST_F(Door, ASocketLeftBehindIsTakenOver) {
  {
    ControlServer server(At("a"), kGreeting, Shout);
    std::filesystem::create_hard_link(At("a").socket, At("left").socket);
  }
  EXPECT_FALSE(std::filesystem::exists(At("a").socket));
  ControlServer server(At("left"), kGreeting, Shout);
  EXPECT_EQ(ControlClient(At("left")).Ask("x"), "<x>");
}

TEST_F(Door, APortNeedsItsToken) {
  ControlServer server(ControlAddress::Parse("tcp:0"), kGreeting, Shout);
  ControlAddress address = server.Address();
  EXPECT_NE(address.port, 0);
  EXPECT_EQ(address.token.size(), 32U);
  EXPECT_EQ(ControlClient(address).Ask("x"), "<x>");
  for (const std::string& token : {std::string(), std::string("x"), address.token.substr(1), address.token + "0"}) {
    ControlAddress wrong = address;
    wrong.token = token;
    EXPECT_THAT([&] { ControlClient{wrong}; }, ThrowsMessage<FormatError>(HasSubstr("token"))) << token;
  }
  EXPECT_THAT([] { ControlAddress::Parse("tcp:70000"); },
              ThrowsMessage<FormatError>(HasSubstr("port from 0 to 65535")));
}

int ConnectedTo(const ControlAddress& address) {
  const int connected = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(address.port);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(connected, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
  return connected;
}

/// Waits until the other side ends the connection. \returns what it said before
std::string UntilItEnds(int connected) {
  std::string said;
  char block[4096];
  for (ssize_t got; (got = recv(connected, block, sizeof block, 0)) > 0;) {
    said.append(block, static_cast<std::size_t>(got));
  }
  close(connected);
  return said;
}

TEST_F(Door, StrangersAtAPortLockNobodyOut) {
  ControlServer server(ControlAddress::Parse("tcp:0"), kGreeting, Shout);
  std::vector<int> strangers;
  for (int i = 0; i < 40; ++i) strangers.push_back(ConnectedTo(server.Address()));
  for (int i = 0; i < 20; ++i) {  // who is shut out comes again
    EXPECT_EQ(ControlClient(server.Address()).Ask("x"), "<x>") << i;
    strangers.push_back(ConnectedTo(server.Address()));
  }
  std::vector<std::unique_ptr<ControlClient>> operators;
  for (int i = 0; i < 8; ++i) operators.push_back(std::make_unique<ControlClient>(server.Address()));
  for (const auto& one : operators) EXPECT_EQ(one->Ask("y"), "<y>");
  for (const int stranger : strangers) EXPECT_EQ(UntilItEnds(stranger), "") << "a greeting is for operators";
  EXPECT_EQ(operators.front()->Ask("z"), "<z>") << "operators stay";
}

TEST_F(Door, WhatFollowsTheTokenIsReadToo) {
  ControlServer server(ControlAddress::Parse("tcp:0"), kGreeting, Shout);
  const std::string bytes = "\n{\"token\":\"" + server.Address().token + "\"}\na\nb\n";
  const int client = ConnectedTo(server.Address());
  for (const char byte : bytes) ASSERT_EQ(send(client, &byte, 1, MSG_NOSIGNAL), 1);
  shutdown(client, SHUT_WR);
  EXPECT_EQ(UntilItEnds(client), kGreeting + "\n<a>\n<b>\n");
  const int wrong = ConnectedTo(server.Address());
  ASSERT_EQ(send(wrong, "{}\n", 3, MSG_NOSIGNAL), 3);
  EXPECT_THAT(UntilItEnds(wrong), HasSubstr("with the token of this run, found another line"));
}

TEST_F(Door, ShutsOutWhoSendsTooMuch) {
  ControlServer server(At("a"), kGreeting, Shout);
  ControlClient client(At("a"));
  EXPECT_THAT(client.Ask(std::string(70'000, 'z')), HasSubstr("at most 65536 bytes"));
  EXPECT_THROW(client.Ask("still there?"), FileError);
  EXPECT_EQ(ControlClient(At("a")).Ask("another"), "<another>");
}

TEST_F(Door, StandsRandomBytesAndClientsThatLeave) {
  ControlServer server(At("a"), kGreeting, [](const std::string& line) { return std::to_string(line.size()); });
  std::mt19937 random(3);
  for (int i = 0; i < 60; ++i) {
    const int raw = Raw(At("a"));
    std::string bytes(random() % 100'000, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    if (i % 3 != 0) send(raw, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    close(raw);
  }
  EXPECT_EQ(ControlClient(At("a")).Ask("four"), "4");
}

TEST_F(Door, HoldsAtMostSixteenAndEndsWithThemInside) {
  std::vector<std::unique_ptr<ControlClient>> clients;
  {
    ControlServer server(At("a"), kGreeting, Shout);
    for (int i = 0; i < 16; ++i) clients.push_back(std::make_unique<ControlClient>(At("a")));
    EXPECT_THAT([&] { ControlClient{At("a")}; }, ThrowsMessage<FormatError>(HasSubstr("at most 16")));
    clients.pop_back();
    for (int i = 0; i < 2000 && clients.size() < 16; ++i) {  // its thread ends a moment later
      try {
        clients.push_back(std::make_unique<ControlClient>(At("a")));
      } catch (const FormatError&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    }
    EXPECT_EQ(clients.size(), 16U);
  }
  EXPECT_THROW(clients.front()->Ask("gone"), FileError);
}

TEST(ControlFolder, IsPrivate) {
  std::string name = (std::filesystem::temp_directory_path() / "openmi-run-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  setenv("XDG_RUNTIME_DIR", name.c_str(), 1);
  const std::filesystem::path folder = ControlFolder();
  struct stat status {};
  ASSERT_EQ(stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
  EXPECT_TRUE(ControlSockets().empty());
  {
    const ControlServer live({.socket = folder / "live.sock", .port = 0, .token = {}}, "hello",
                             [](const std::string& line) { return line; });
    std::filesystem::create_directory(folder / "other");
    const int killed = socket(AF_UNIX, SOCK_STREAM, 0);  // what a killed run leaves: a socket, and nobody at it
    sockaddr_un name_of_it{};
    name_of_it.sun_family = AF_UNIX;
    std::strcpy(name_of_it.sun_path, (folder / "killed.sock").c_str());
    ASSERT_EQ(bind(killed, reinterpret_cast<const sockaddr*>(&name_of_it), sizeof name_of_it), 0);
    close(killed);
    ASSERT_TRUE(std::filesystem::is_socket(folder / "killed.sock"));
    EXPECT_EQ(ControlSockets(), std::vector{folder / "live.sock"});
  }
  chmod(folder.c_str(), 0755);
  EXPECT_THAT([] { ControlFolder(); }, ThrowsMessage<FileError>(HasSubstr("another user owns or can enter")));
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory_symlink("/tmp", folder);
  EXPECT_THROW(ControlFolder(), FileError);
  unsetenv("XDG_RUNTIME_DIR");
  std::filesystem::remove_all(name);
}

}  // namespace
}  // namespace openmi::testing
