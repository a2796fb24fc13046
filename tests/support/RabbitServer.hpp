#pragma once

#include <sys/types.h>

#include <string>

/// A RabbitMQ server of a test's own: Debian's package, on free ports of the loopback, with its data in a folder that
/// goes with it. It ends with this object, and with this process however that ends. Takes some seconds to start.
class RabbitServer {
 public:
  /// \param configuration  lines for rabbitmq.conf
  explicit RabbitServer(const std::string& configuration = {});
  ~RabbitServer();
  RabbitServer(const RabbitServer&) = delete;
  RabbitServer& operator=(const RabbitServer&) = delete;

  int Port() const { return port_; }
  const std::string& Folder() const { return folder_; }
  /// Kills it at once, as a loss of power would; durable data stay.
  void Kill();
  /// Starts it again, on the same port, and waits until it takes connections.
  void Start();

  /// A port that nobody has now.
  static int FreePort();

 private:
  [[noreturn]] void Guard(int commands);
  pid_t Spawn(const char* program, const char* const* arguments) const;
  void Command(char command) const;

  std::string folder_;
  int port_ = 0;
  int distribution_port_ = 0;
  int names_port_ = 0;
  pid_t guard_ = -1;
  int commands_ = -1;
};
