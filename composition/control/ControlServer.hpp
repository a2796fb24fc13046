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
#include "composition/control/LineReader.hpp"

namespace openmi {

/// Listens for operators and hands each line they send to whoever answers it.
///
/// One thread listens, and one serves each client (16 at most). Lines are bounded (LineReader); a client that sends a
/// longer one is told and shut out. At a port a client gives the token of the run in its first line, within 2 s; until
/// then it takes no thread and none of the 16 places. Of those who have not given it there are 32 at most: a further
/// one takes the place of the first. The first line from here greets: `{"openmi-control":1,"composition":"..."}`.
class ControlServer {
 public:
  /// Answers one line with one line; called by several threads at once. Ends early when the server stops (IsStopping).
  using Answer = std::function<std::string(const std::string& line)>;

  /// \param greeting  the first line to every client, without its end
  /// \throws FileError  the address is in use, or cannot be listened at
  ControlServer(const ControlAddress& address, std::string greeting, Answer answer);
  /// Shuts every client out, joins the threads, removes the socket.
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// Where it listens; the port that was taken where any was asked for.
  const ControlAddress& Address() const { return address_; }
  bool IsStopping() const { return is_stopping_.load(std::memory_order_acquire); }
  /// Lets calls of Answer end: to be called before what they wait for goes.
  void Stop();

 private:
  struct Client {
    int socket = -1;
    std::atomic<bool> is_done = false;
    LineReader lines;
    std::thread thread;
  };
  /// One who has not given the token yet.
  struct Stranger {
    int socket = -1;  // -1: let in
    std::chrono::steady_clock::time_point until;
    LineReader lines;
  };
  void Listen();
  /// Takes what a stranger sent, and lets one in who knows the token. \returns whether he may stay
  bool Hear(Stranger& stranger);
  void LetIn(int socket, LineReader lines);
  void Serve(Client& client);
  bool Send(int socket, std::string line);
  bool Admit(const std::string& line) const;

  ControlAddress address_;
  std::string greeting_;
  Answer answer_;
  int listener_ = -1;
  int wake_[2] = {-1, -1};  // a pipe whose end lets everybody stop waiting
  std::atomic<bool> is_stopping_ = false;
  std::thread thread_;
  std::mutex mutex_;
  std::list<Client> clients_;      // under mutex_
  std::list<Stranger> strangers_;  // of the listening thread, the first to come first
};

}  // namespace openmi
