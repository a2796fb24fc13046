#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace openmi {

/// A connection to a server on loopback that sends what a test wants, right or wrong.
class WebClient {
 public:
  explicit WebClient(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = socket_ >= 0 && connect(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof(place)) == 0;
  }
  ~WebClient() {
    if (socket_ >= 0) close(socket_);
  }
  WebClient(const WebClient&) = delete;
  WebClient& operator=(const WebClient&) = delete;

  bool IsConnected() const { return is_connected_; }
  bool Send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  /// Reads until the connection is closed, or nothing comes for a while.
  std::string ReadAll(int milliseconds = 2000) {
    while (Fill(milliseconds)) {
    }
    return std::exchange(read_, {});
  }

  /// Sends a GET with these header lines (each with its line end) and reads the answer.
  static std::string Get(std::uint16_t port, const std::string& target, const std::string& headers) {
    WebClient client(port);
    client.Send("GET " + target + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n");
    return client.ReadAll(30'000);
  }

  /// Exchanges the key in the address of a server for its cookie. \returns the headers of a page of its own
  static std::string SignIn(std::uint16_t port, const std::string& address) {
    const std::string place = "127.0.0.1:" + std::to_string(port);
    const std::string headers = "Host: " + place + "\r\nOrigin: http://" + place + "\r\n";
    const std::string answer = Get(port, address.substr(address.find("/?")), headers);
    const std::size_t begin = answer.find("Set-Cookie: ") + 12;
    return headers + "Cookie: " + answer.substr(begin, answer.find(';', begin) - begin) + "\r\n";
  }

  /// Opens a WebSocket. \returns the status line
  std::string Upgrade(const std::string& headers, const std::string& target = "/page") {
    Send("GET " + target + " HTTP/1.1\r\n" + headers +
         "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    std::size_t end = 0;
    while ((end = read_.find("\r\n\r\n")) == std::string::npos && Fill(60'000)) {
    }
    const std::string status = read_.substr(0, read_.find("\r\n"));
    read_.erase(0, end == std::string::npos ? read_.size() : end + 4);
    return status;
  }
  /// Sends a text in one frame; the mask is zero.
  bool SendText(std::string_view text) const {
    std::string frame = "\x81";
    if (text.size() < 126) {
      frame += static_cast<char>(0x80 | text.size());
    } else {
      const bool is_long = text.size() > 0xFFFF;
      frame += static_cast<char>(is_long ? 0xFF : 0xFE);
      for (int i = is_long ? 7 : 1; i >= 0; --i) frame += static_cast<char>((text.size() >> (8 * i)) & 0xFF);
    }
    return Send(frame + std::string(4, '\0') + std::string(text));
  }
  /// The next text from the server; empty if it closed, or none came.
  std::string NextText(int milliseconds = 60'000) {
    while (true) {
      std::size_t head = 2;
      std::uint64_t size = 0;
      if (read_.size() >= 2) {
        const auto byte = [this](std::size_t i) { return static_cast<unsigned char>(read_[i]); };
        size = byte(1) & 0x7F;
        const std::size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
        head = 2 + more;
        if (more > 0 && read_.size() >= head) {
          size = 0;
          for (std::size_t i = 0; i < more; ++i) size = size << 8 | byte(2 + i);
        }
        if (read_.size() >= head + size && (more == 0 || read_.size() >= head)) {
          const bool is_text = (byte(0) & 0x0F) == 1;
          const std::string text = read_.substr(head, size);
          read_.erase(0, head + size);
          if (is_text) return text;
          continue;
        }
      }
      if (!Fill(milliseconds)) return {};
    }
  }

 private:
  bool Fill(int milliseconds) {
    pollfd wait{socket_, POLLIN, 0};
    int ready = 0;
    do {
      ready = poll(&wait, 1, milliseconds);  // a signal, such as the clock of libFuzzer, is no answer
    } while (ready < 0 && errno == EINTR);
    if (ready <= 0) return false;
    char bytes[65536];
    ssize_t count = 0;
    do {
      count = recv(socket_, bytes, sizeof(bytes), 0);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return false;
    read_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  int socket_;
  bool is_connected_ = false;
  std::string read_;
};

}  // namespace openmi
