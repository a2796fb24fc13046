#include "studio/server/WebServer.hpp"

#include <fmt/format.h>

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "studio/server/Gate.hpp"

namespace openmi {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Tcp = asio::ip::tcp;
using Code = beast::error_code;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

std::string_view ViewOf(beast::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

class WebServer::Impl {
 public:
  Impl(std::uint16_t port, Handlers handlers, const WebLimits& limits)
      : handlers_(std::move(handlers)), limits_(limits), acceptor_(context_), gate_(Listen(port)) {}

  /// A connection: an HTTP session that may become the WebSocket of a page.
  class Connection : public std::enable_shared_from_this<Connection> {
   public:
    Connection(Impl& server, Tcp::socket socket) : server_(server), stream_(std::move(socket)) {}
    ~Connection() { --server_.connections_; }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void Read() {
      parser_.emplace();
      parser_->header_limit(static_cast<std::uint32_t>(server_.limits_.header));
      parser_->body_limit(0);
      stream_.expires_after(std::chrono::seconds(server_.limits_.seconds));
      http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](Code error, std::size_t) {
        if (error == http::error::header_limit) return self->Refuse(http::status::request_header_fields_too_large);
        if (error == http::error::body_limit) return self->Refuse(http::status::payload_too_large);
        if (!error) self->Answer();
      });
    }

    void Send(std::shared_ptr<const std::string> message) {
      unsent_ += message->size();
      if (unsent_ > server_.limits_.unsent) return Close();  // the page does not read
      queue_.push_back(std::move(message));
      if (queue_.size() == 1) Write();
    }

    /// Ends the connection of a page.
    void Close() {
      if (page_) beast::get_lowest_layer(*page_).cancel();
      if (page_) beast::get_lowest_layer(*page_).close();
      Leave();
    }

   private:
    void Answer() {
      const Request request = parser_->release();
      const Gate& gate = server_.gate_;
      const std::string_view target = ViewOf(request.target());
      if (!gate.IsHost(ViewOf(request[http::field::host]))) return Refuse(http::status::misdirected_request);
      const bool has_origin = request.count(http::field::origin) > 0;
      if (has_origin && !gate.IsOrigin(ViewOf(request[http::field::origin]))) return Refuse(http::status::forbidden);
      if (request.method() != http::verb::get) {
        return Refuse(http::status::method_not_allowed);
      }
      if (gate.IsKey(target)) {
        Response response = Empty(http::status::see_other);
        response.set(http::field::location, "/");
        response.set(http::field::set_cookie, gate.SetCookie());
        return Reply(std::move(response), request.keep_alive());
      }
      if (!gate.IsCookie(ViewOf(request[http::field::cookie]))) return Refuse(http::status::unauthorized);
      if (websocket::is_upgrade(request)) {
        // A page of others could open a WebSocket, which no rule of origins prevents: an Origin is required.
        if (!has_origin || target != "/page") return Refuse(http::status::forbidden);
        return Upgrade(request);
      }
      WebContent content;
      Response response = Empty(http::status::ok);
      const std::string_view path = target.substr(0, target.find('?'));
      if (!server_.handlers_.get(path, content)) return Refuse(http::status::not_found);
      response.set(http::field::content_type, content.type);
      response.set("Content-Security-Policy",
                   content.is_foreign ? "sandbox allow-scripts allow-downloads" : server_.Policy());
      response.body() = std::move(content.bytes);
      Reply(std::move(response), request.keep_alive());
    }

    static Response Empty(http::status status) {
      Response response(status, 11);
      response.set(http::field::cache_control, "no-store");
      response.set("X-Content-Type-Options", "nosniff");
      response.set("Referrer-Policy", "no-referrer");
      response.set("Cross-Origin-Resource-Policy", "same-origin");
      return response;
    }

    void Refuse(http::status status) {
      Response response = Empty(status);
      response.set(http::field::content_type, "text/plain; charset=utf-8");
      response.body() = fmt::format("{}\n", ViewOf(http::obsolete_reason(status)));
      if (status == http::status::unauthorized) {
        response.body() = "expected the address that openmi studio printed, with its key; open that\n";
      }
      Reply(std::move(response), false);
    }

    void Reply(Response response, bool keep_alive) {
      response.keep_alive(keep_alive);
      response.prepare_payload();
      auto sent = std::make_shared<Response>(std::move(response));
      stream_.expires_after(std::chrono::seconds(server_.limits_.seconds));
      http::async_write(stream_, *sent, [self = shared_from_this(), sent](Code error, std::size_t) {
        if (error) return;
        if (sent->keep_alive()) return self->Read();
        Code ignored;
        self->stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
      });
    }

    void Upgrade(const Request& request) {
      stream_.expires_never();
      page_.emplace(stream_.release_socket());
      page_->set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
      page_->auto_fragment(false);
      page_->read_message_max(server_.limits_.message);
      page_->async_accept(request, [self = shared_from_this()](Code error) {
        if (error) return;
        self->client_ = ++self->server_.last_client_;
        self->server_.pages_[self->client_] = self;
        self->server_.handlers_.opened(self->client_);
        self->Hear();
      });
    }

    void Hear() {
      page_->async_read(buffer_, [self = shared_from_this()](Code error, std::size_t) {
        if (error) return self->Leave();
        std::string message = beast::buffers_to_string(self->buffer_.data());
        self->buffer_.consume(self->buffer_.size());
        if (self->is_gone_) return;
        self->server_.handlers_.received(self->client_, std::move(message));
        if (!self->is_gone_) self->Hear();
      });
    }

    void Write() {
      page_->text(true);
      page_->async_write(asio::buffer(*queue_.front()), [self = shared_from_this()](Code error, std::size_t) {
        if (error || self->is_gone_) return self->Leave();
        self->unsent_ -= self->queue_.front()->size();
        self->queue_.pop_front();
        if (!self->queue_.empty()) self->Write();
      });
    }

    void Leave() {
      if (is_gone_ || client_ == 0) return;
      is_gone_ = true;
      server_.pages_.erase(client_);
      server_.handlers_.closed(client_);
    }

    Impl& server_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::empty_body>> parser_;
    std::optional<websocket::stream<beast::tcp_stream>> page_;
    Client client_ = 0;
    std::deque<std::shared_ptr<const std::string>> queue_;
    std::size_t unsent_ = 0;
    bool is_gone_ = false;
  };

  std::uint16_t Listen(std::uint16_t port) {
    const Tcp::endpoint place(asio::ip::address_v4::loopback(), port);
    Code error;
    acceptor_.open(place.protocol());
    acceptor_.set_option(asio::socket_base::reuse_address(true));
    acceptor_.bind(place, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
      throw FileError({}, fmt::format("cannot listen at port {}: {}", port, error.message()),
                      "choose another port, or none for any free one");
    }
    Accept();
    return port_ = acceptor_.local_endpoint().port();
  }

  void Accept() {
    acceptor_.async_accept([this](Code error, Tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {  // no more files: wait, then go on
        pause_.expires_after(std::chrono::milliseconds(100));
        pause_.async_wait([this](Code stopped) {
          if (!stopped) Accept();
        });
        return;
      }
      if (connections_ < limits_.connections) {
        ++connections_;
        std::make_shared<Connection>(*this, std::move(socket))->Read();
      }
      Accept();
    });
  }

  /// The page loads nothing but its own files, and talks to no one else.
  std::string Policy() const {
    return fmt::format(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self' "
        "ws://127.0.0.1:{0} ws://localhost:{0}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        port_);
  }

  void Tick(const std::shared_ptr<asio::steady_timer>& timer, double seconds, std::function<void()> work) {
    timer->expires_after(std::chrono::milliseconds(static_cast<long>(seconds * 1000.0)));
    timer->async_wait([this, timer, seconds, work = std::move(work)](Code error) mutable {
      if (error) return;
      work();
      Tick(timer, seconds, std::move(work));
    });
  }

  Handlers handlers_;
  WebLimits limits_;
  std::uint16_t port_ = 0;
  asio::io_context context_{1};
  std::size_t connections_ = 0;
  Client last_client_ = 0;
  std::map<Client, std::weak_ptr<Connection>> pages_;
  asio::steady_timer pause_{context_};
  Tcp::acceptor acceptor_;
  Gate gate_;
};

WebServer::WebServer(std::uint16_t port, Handlers handlers, const WebLimits& limits)
    : impl_(std::make_unique<Impl>(port, std::move(handlers), limits)) {}

WebServer::~WebServer() {
  impl_->handlers_.closed = [](Client) {};
}

std::uint16_t WebServer::Port() const {
  return impl_->port_;
}

std::string WebServer::Address() const {
  return impl_->gate_.Address();
}

void WebServer::Run() {
  impl_->context_.run();
}

void WebServer::Stop() {
  impl_->context_.stop();
}

void WebServer::Post(std::function<void()> work) {
  asio::post(impl_->context_, std::move(work));
}

void WebServer::Every(double seconds, std::function<void()> work) {
  impl_->Tick(std::make_shared<asio::steady_timer>(impl_->context_), seconds, std::move(work));
}

void WebServer::Send(Client client, std::shared_ptr<const std::string> message) {
  const auto found = impl_->pages_.find(client);
  if (found == impl_->pages_.end()) return;
  if (const auto page = found->second.lock()) page->Send(std::move(message));
}

void WebServer::SendAll(std::string message) {
  const auto shared = std::make_shared<const std::string>(std::move(message));
  std::vector<Client> clients;
  for (const auto& [client, page] : impl_->pages_) clients.push_back(client);
  for (const Client client : clients) Send(client, shared);
}

std::size_t WebServer::Pages() const {
  return impl_->pages_.size();
}

}  // namespace openmi
