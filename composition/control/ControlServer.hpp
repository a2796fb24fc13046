#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "composition/control/ControlAddress.hpp"
#include "composition/control/LineSplitter.hpp"

namespace openmi {

/// Listens for operators, and passes each line that they send to a function that answers it.
///
/// One thread listens, and one thread serves each client (at most 16). Lines are bounded (LineSplitter); a client that
/// sends a longer line gets an error and is disconnected. At a port, a client sends the token of the run in its first
/// line, within 2 s; until then it uses no thread and none of the 16 places. At most 32 clients without a token are
/// connected; a further one replaces the first of them. The first line from the server is the greeting:
/// `{"openmi-control":1,"composition":"..."}`.
class ControlServer {
 public:
  /// Answers one line with one line. Called by several threads at once; returns early when the server stops
  /// (IsStopping).
  using Answer = std::function<std::string(const std::string& line)>;

  /// \param address   where to listen
  /// \param greeting  the first line to every client, without the line end
  /// \param answer    answers each line
  /// \throws FileError  the address is in use, or the server cannot listen there
  ControlServer(const ControlAddress& address, std::string greeting, Answer answer);
  /// Disconnects every client, joins the threads, removes the socket.
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// Where the server listens; with the port that was chosen if any free port was requested.
  const ControlAddress& Address() const { return address_; }
  bool IsStopping() const { return is_stopping_.load(std::memory_order_acquire); }
  /// Makes calls of Answer return; to be called before what they wait for is destroyed.
  void Stop();

 private:
  struct Client {
    int socket = -1;
    std::atomic<bool> is_done = false;
    LineSplitter lines;
    std::thread thread;
  };
  /// A client that has not sent the token yet.
  struct Stranger {
    int socket = -1;  // -1: the client was accepted
    std::chrono::steady_clock::time_point until;
    LineSplitter lines;
  };
  void Listen();
  /// Reads what such a client sent, and accepts it if it knows the token.
  /// \returns whether the client may stay
  bool Hear(Stranger& stranger);
  void LetIn(int socket, LineSplitter lines);
  void Serve(Client& client);
  bool Send(int socket, std::string line);
  bool Admit(const std::string& line) const;

  ControlAddress address_;
  std::string greeting_;
  Answer answer_;
  int listener_ = -1;
  int wake_[2] = {-1, -1};  // a pipe; closing its end ends every wait
  std::atomic<bool> is_stopping_ = false;
  std::thread thread_;
  std::mutex mutex_;
  std::list<Client> clients_;      // under mutex_
  std::list<Stranger> strangers_;  // used by the listening thread only, in the order of their connections
};

}  // namespace openmi
