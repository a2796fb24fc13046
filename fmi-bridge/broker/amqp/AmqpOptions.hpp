#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace openmi::broker {

/// Where a broker is and who asks.
struct AmqpOptions {
  std::string host = "localhost";
  int port = 5672;
  std::string virtual_host = "/";
  std::string username = "guest";
  std::string password = "guest";  ///< never printed
  bool has_tls = false;
  std::string ca_file;           ///< PEM; empty: those of the system
  std::string certificate_file;  ///< of this side; empty: none
  std::string key_file;
  bool verifies = true;  ///< the broker's certificate and that it is the host's
  int heartbeat = 0;     ///< s; 0: none, the operating system watches the connection
  std::chrono::milliseconds connect_timeout{10'000};
};

/// Where messages are taken from.
struct QueueOptions {
  std::string queue;     ///< empty: one that the broker names and that goes with the connection
  std::string exchange;  ///< that it is bound to; empty: it has to be there
  std::string exchange_type = "direct";
  std::string routing_key;
  bool declares = true;    ///< makes queue and exchange where there is an exchange
  bool is_durable = true;  ///< of a named queue that is made
  bool is_durable_exchange = false;
  int prefetch = 1000;                 ///< messages that the broker gives without acknowledgement
  std::uint64_t most_bytes = 1 << 20;  ///< of a message
};

}  // namespace openmi::broker
