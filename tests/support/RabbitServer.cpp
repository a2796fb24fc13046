#include "tests/support/RabbitServer.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace {

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool Answers(int port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = Loopback(port);
  const bool answers = connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(descriptor);
  return answers;
}

}  // namespace

int RabbitServer::FreePort() {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof address;
  if (bind(descriptor, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no free port");
  }
  close(descriptor);
  return ntohs(address.sin_port);
}

RabbitServer::RabbitServer(const std::string& configuration)
    : port_(FreePort()), distribution_port_(FreePort()), names_port_(FreePort()) {
  std::string name = "/tmp/openmi-broker-XXXXXX";  // Erlang takes no blanks in paths
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  folder_ = name;
  std::filesystem::create_directories(folder_ + "/log");
  std::ofstream(folder_ + "/plugins") << "[].\n";
  std::ofstream(folder_ + "/rabbitmq.conf") << "listeners.tcp.1 = 127.0.0.1:" << port_ << "\n" << configuration;
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  guard_ = fork();
  if (guard_ == 0) {
    close(pipe_ends[1]);
    Guard(pipe_ends[0]);
  }
  close(pipe_ends[0]);
  commands_ = pipe_ends[1];
  Start();
}

RabbitServer::~RabbitServer() {
  close(commands_);
  waitpid(guard_, nullptr, 0);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

/// Runs in a child: starts and kills the server as told, and kills it when nobody can tell any more.
void RabbitServer::Guard(int commands) {
  // What ends the test must not end who cleans up behind it.
  setsid();
  for (const int one : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(one, SIG_IGN);
  const std::string names_port = std::to_string(names_port_);
  const std::array<const char*, 6> names = {"epmd", "-port", names_port.c_str(), "-address", "127.0.0.1", nullptr};
  const std::array<const char*, 2> server = {"rabbitmq-server", nullptr};
  const pid_t names_process = Spawn("/usr/bin/epmd", names.data());
  pid_t server_process = -1;
  const auto end = [](pid_t process) {
    if (process <= 0) return;
    kill(-process, SIGKILL);
    waitpid(process, nullptr, 0);
  };
  char command = 0;
  while (read(commands, &command, 1) == 1) {
    end(server_process);
    server_process = command == 's' ? Spawn("/usr/lib/rabbitmq/bin/rabbitmq-server", server.data()) : -1;
  }
  end(server_process);
  end(names_process);
  _exit(0);
}

pid_t RabbitServer::Spawn(const char* program, const char* const* arguments) const {
  const pid_t child = fork();
  if (child != 0) return child;
  setpgid(0, 0);
  for (const int one : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(one, SIG_DFL);
  const auto set = [](const char* key, const std::string& value) { setenv(key, value.c_str(), 1); };
  set("HOME", folder_);
  set("ERL_EPMD_PORT", std::to_string(names_port_));
  set("ERL_EPMD_ADDRESS", "127.0.0.1");
  set("RABBITMQ_NODENAME", "openmi-" + std::to_string(port_) + "@localhost");
  set("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
  set("RABBITMQ_NODE_PORT", std::to_string(port_));
  set("RABBITMQ_DIST_PORT", std::to_string(distribution_port_));
  set("RABBITMQ_MNESIA_BASE", folder_ + "/data");
  set("RABBITMQ_LOG_BASE", folder_ + "/log");
  set("RABBITMQ_ENABLED_PLUGINS_FILE", folder_ + "/plugins");
  set("RABBITMQ_CONFIG_FILE", folder_ + "/rabbitmq");
  set("RABBITMQ_CONF_ENV_FILE", "/dev/null");
  set("RABBITMQ_PID_FILE", folder_ + "/pid");
  // One scheduler that sleeps when it has nothing to do: it shares the machine with what is tested.
  set("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none");
  const int output = open((folder_ + "/output").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  const int input = open("/dev/null", O_RDONLY);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execv(program, const_cast<char* const*>(arguments));
  _exit(127);
}

void RabbitServer::Command(char command) const {
  if (write(commands_, &command, 1) != 1) throw std::runtime_error("the guard of the RabbitMQ server is gone");
}

void RabbitServer::Kill() {
  Command('k');
  while (Answers(port_)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void RabbitServer::Start() {
  Command('s');
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(90);
  while (!Answers(port_)) {
    if (std::chrono::steady_clock::now() > deadline) {
      std::ifstream output(folder_ + "/output");
      const std::string text((std::istreambuf_iterator<char>(output)), {});
      throw std::runtime_error("RabbitMQ does not start (is Debian's rabbitmq-server installed?): " + text);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}
