#pragma once

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include "bench/support/Measure.hpp"
#include "composition/channel/Channel.hpp"
#include "composition/isolation/IsolatedProcess.hpp"

namespace bench {

/// A process that sends back the eight bytes it gets: what a message to another process and back costs at least. To be
/// made before the program has other threads.
class Echo {
 public:
  virtual ~Echo() = default;
  virtual void Ping() = 0;

 protected:
  /// Forks; the child does `work(end)` at its end of a local socket, and ends.
  template <typename Work>
  explicit Echo(Work&& work) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) != 0) {
      throw std::runtime_error("expected a local socket, found none");
    }
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("expected a process, found none");
    if (child_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends_[0]);
      work(ends_[1]);
      _exit(0);
    }
    close(ends_[1]);
  }
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;
  /// To be called by the destructors of derived classes, before what the child uses goes.
  void EndChild() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    close(ends_[0]);
    child_ = -1;
  }
  int Socket() const { return ends_[0]; }

 private:
  std::array<int, 2> ends_{-1, -1};
  pid_t child_ = -1;
};

/// Over a local socket.
class SocketEcho final : public Echo {
 public:
  SocketEcho()
      : Echo([](int end) {
          std::array<char, 8> bytes{};
          while (read(end, bytes.data(), bytes.size()) == 8 && write(end, bytes.data(), bytes.size()) == 8) {
          }
        }) {}
  ~SocketEcho() override { EndChild(); }
  void Ping() override {
    if (write(Socket(), bytes_.data(), bytes_.size()) != 8 || read(Socket(), bytes_.data(), bytes_.size()) != 8) {
      throw std::runtime_error("expected an echo, found none");
    }
  }

 private:
  std::array<char, 8> bytes_{};
};

/// Over the channel of the product, as it is used for isolated components.
class ChannelEcho final : public Echo {
 public:
  ChannelEcho() : ChannelEcho(openmi::SharedMemory::Create()) {}
  ~ChannelEcho() override { EndChild(); }
  void Ping() override { channel_->Call(bytes_); }

 private:
  explicit ChannelEcho(openmi::SharedMemory page)
      : Echo([&page, parent = getpid()](int end) {
          page.Grow(openmi::Channel::PageSize());
          openmi::Channel channel(
              openmi::Side::Child, std::move(page), end,
              [](openmi::ByteView, openmi::StateWriter& reply) { reply.Write(std::int64_t{0}); },
              [parent] { return getppid() == parent; });
          channel.SetSpins(openmi::IsolatedProcess::Spins());
          channel.ServeForEver();
        }) {
    page.Grow(openmi::Channel::PageSize());
    channel_ = std::make_unique<openmi::Channel>(
        openmi::Side::Parent, std::move(page), Socket(), [](openmi::ByteView, openmi::StateWriter&) {},
        [] { return true; });
    channel_->SetSpins(openmi::IsolatedProcess::Spins());
  }
  std::array<std::byte, 8> bytes_{};
  std::unique_ptr<openmi::Channel> channel_;
};

}  // namespace bench
