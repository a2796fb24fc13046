#pragma once

#include <fcntl.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>

#include "openmi/omi/Spawn.hpp"
#include "tests/studio/WebClient.hpp"

namespace openmi {

/// A browser without a window, driven over its debugging protocol: keys and clicks are those of a user.
class Browser {
 public:
  using Json = nlohmann::json;

  /// \param folder  for what the browser writes; created, and removed at the end
  Browser(std::filesystem::path folder, int width, int height) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_ = SpawnChild({OPENMI_CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                       "--disable-dev-shm-usage", "--remote-debugging-port=0", "--user-data-dir=" + folder_.string(),
                       "--window-size=" + std::to_string(width) + "," + std::to_string(height), "about:blank"},
                      {{null, 1}, {null, 2}}, 0);
    close(null);
    std::ifstream file;
    int port = 0;
    for (int i = 0; i < 2000 && !(file >> port); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      file = std::ifstream(folder_ / "DevToolsActivePort");
    }
    const std::string host = "Host: 127.0.0.1:" + std::to_string(port) + "\r\n";
    std::string list = WebClient::Get(static_cast<std::uint16_t>(port), "/json/list", host);
    const std::size_t at = list.find("/devtools/page/");
    if (at == std::string::npos) throw std::runtime_error("expected a browser with a page, found: " + list);
    client_ = std::make_unique<WebClient>(static_cast<std::uint16_t>(port));
    client_->Upgrade(host, list.substr(at, list.find('"', at) - at));
    Call("Runtime.enable", Json::object());
  }
  ~Browser() {
    client_.reset();
    EndChild(pid_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  Json Call(const std::string& method, Json parameters) {
    const int id = ++last_;
    client_->SendText(Json{{"id", id}, {"method", method}, {"params", std::move(parameters)}}.dump());
    while (true) {
      const std::string text = client_->NextText(30'000);
      if (text.empty()) throw std::runtime_error("expected an answer to " + method + ", found none");
      Json message = Json::parse(text);
      if (message.value("method", "") == "Runtime.exceptionThrown") {
        errors_ += message["params"]["exceptionDetails"].dump() + "\n";
      }
      if (message.value("id", 0) != id) continue;
      if (message.contains("error")) throw std::runtime_error(method + ": " + message["error"].dump());
      return message["result"];
    }
  }
  void Open(const std::string& address) { Call("Page.navigate", {{"url", address}}); }
  /// What an expression of JavaScript gives, once it is settled.
  Json Eval(const std::string& script) {
    Json result = Call("Runtime.evaluate", {{"expression", script}, {"awaitPromise", true}, {"returnByValue", true}});
    if (result.contains("exceptionDetails"))
      throw std::runtime_error(script + ": " + result["exceptionDetails"].dump());
    return result["result"].value("value", Json());
  }
  /// Waits until an expression is true.
  void Wait(const std::string& script, double seconds = 60.0) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < until) {
      const Json found = Eval("!!(" + script + ")");
      if (found.is_boolean() && found.get<bool>()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    throw std::runtime_error("waited in vain for: " + script + "\n" +
                             Eval("document.body.innerText.slice(0, 4000)").dump());
  }
  /// Clicks into the middle of the element that an expression gives.
  ///
  /// If the page draws the element again between press and release, the click goes to what is around it; then it is
  /// repeated.
  void Click(const std::string& element) {
    constexpr int kMostTries = 3;  // of an element that takes no click, as a button that is off
    bool is_clicked = false;
    for (int i = 0; i < kMostTries && !is_clicked; ++i) {
      Wait(element);
      const Json at = Eval(
          "(() => { window.clicked = false; document.addEventListener('click', (event) => { let e = null; try { e = " +
          element +
          "; } catch { e = null; } window.clicked = !e || event.target === e || !event.target.contains(e); }, "
          "{capture: "
          "true, once: true}); const e = " +
          element +
          "; e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y "
          "+ "
          "r.height / 2]; })()");
      Mouse("mousePressed", at[0], at[1]);
      Mouse("mouseReleased", at[0], at[1]);
      is_clicked = Eval("window.clicked").get<bool>();
    }
  }
  void Mouse(const char* what, const Json& x, const Json& y) {
    Call("Input.dispatchMouseEvent",
         {{"type", what}, {"x", x}, {"y", y}, {"button", "left"}, {"buttons", 1}, {"clickCount", 1}});
  }
  /// Types a text into what has the focus.
  void Type(const std::string& text) { Call("Input.insertText", {{"text", text}}); }
  /// Presses a key as KeyboardEvent.key names it.
  /// \param modifiers  2: Ctrl, 8: Shift
  void Press(const std::string& key, int modifiers = 0) {
    Json down = {{"type", "keyDown"}, {"key", key}, {"modifiers", modifiers}};
    const struct {
      const char* key;
      int code;
    } codes[] = {{"Enter", 13},   {"Tab", 9},        {"Escape", 27},     {"Delete", 46}, {"ArrowDown", 40},
                 {"ArrowUp", 38}, {"ArrowLeft", 37}, {"ArrowRight", 39}, {" ", 32}};
    for (const auto& one : codes) {
      if (key == one.key) down["windowsVirtualKeyCode"] = one.code;
    }
    if (key.size() == 1 && modifiers == 0) down["text"] = key;
    if (key == "Enter") down["text"] = "\r";
    Call("Input.dispatchKeyEvent", down);
    Call("Input.dispatchKeyEvent", {{"type", "keyUp"}, {"key", key}, {"modifiers", modifiers}});
  }
  /// Errors of scripts since the start.
  const std::string& Errors() const { return errors_; }

 private:
  std::filesystem::path folder_;
  pid_t pid_ = -1;
  std::unique_ptr<WebClient> client_;
  int last_ = 0;
  std::string errors_;
};

}  // namespace openmi
