#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace openmi::broker {

/// The address of a broker, and how to log in.
struct AmqpOptions {
  std::string host = "localhost";
  int port = 5672;
  std::string virtual_host = "/";
  std::string username = "guest";
  std::string password = "guest";  ///< never printed
  bool has_tls = false;
  std::string ca_file;           ///< PEM; empty: the certificates of the operating system
  std::string certificate_file;  ///< of this side; empty: none
  std::string key_file;
  bool verifies = true;  ///< whether to verify the broker's certificate and its host name
  int heartbeat = 0;     ///< s; 0: none, the operating system detects a lost connection
  std::chrono::milliseconds connect_timeout{10'000};
};

/// The queue that messages are taken from.
struct QueueOptions {
  std::string queue;     ///< empty: one that the broker names and that ends with the connection
  std::string exchange;  ///< exchange that the queue is bound to; empty: the queue must exist
  std::string exchange_type = "direct";
  std::string routing_key;
  bool declares = true;    ///< declares queue and exchange where `exchange` is set
  bool is_durable = true;  ///< of a named queue that is declared
  bool is_durable_exchange = false;
  int prefetch = 1000;  ///< messages that the broker sends without acknowledgement; grows with what one step takes
  std::uint64_t most_bytes = 1 << 20;  ///< largest size of a message's body
};

}  // namespace openmi::broker
