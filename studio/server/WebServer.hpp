#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// What is sent for a path.
struct WebContent {
  std::string type;  ///< "text/css"
  std::string bytes;
  /// Whether it was made by others: a browser then keeps it apart from the page, without cookies and without access.
  bool is_foreign = false;
};

/// What the server limits, so that neither a page nor a stranger can exhaust the process.
struct WebLimits {
  std::size_t connections = 64;                ///< further ones are closed at once
  std::size_t header = 8192;                   ///< bytes of a request
  std::size_t message = std::size_t{4} << 20;  ///< bytes of a message from a page
  std::size_t unsent = std::size_t{32} << 20;  ///< bytes that wait for a page; one that reads slower is disconnected
  int seconds = 15;                            ///< for a request, and for each part of an answer
};

/// An HTTP and WebSocket server on the loopback address, for one page.
///
/// One thread, that of Run, serves all connections; the functions of WebHandlers are called by it alone.
class WebServer {
 public:
  using Client = std::uint64_t;
  /// What the server asks for and reports.
  struct Handlers {
    std::function<bool(std::string_view path, WebContent& content)> get;  ///< \returns false: not found
    std::function<void(Client client)> opened;                            ///< a page has opened its WebSocket
    std::function<void(Client client, std::string message)> received;
    std::function<void(Client client)> closed;
  };

  /// Listens from now on.
  /// \param port  0: any free one
  /// \throws FileError  the port is in use
  WebServer(std::uint16_t port, Handlers handlers, const WebLimits& limits = {});
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  std::uint16_t Port() const;
  /// The address to open, with its key.
  std::string Address() const;
  /// Serves until Stop is called.
  void Run();
  /// Ends Run; may be called from any thread and from a handler.
  void Stop();
  /// Calls `work` on the thread of Run; may be called from any thread.
  void Post(std::function<void()> work);
  /// Calls `work` on the thread of Run every `seconds`, until the end.
  void Every(double seconds, std::function<void()> work);
  /// Sends a message to a page. On the thread of Run only; a page that is gone is ignored.
  void Send(Client client, std::shared_ptr<const std::string> message);
  /// Sends a message to all pages. On the thread of Run only.
  void SendAll(std::string message);
  /// The number of pages.
  std::size_t Pages() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace openmi
