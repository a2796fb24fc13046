#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/studio/Browser.hpp"

namespace openmi {

/// A text as JavaScript writes it.
inline std::string Quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

/// `openmi studio` in a copy of the example of the river basin, and a browser that shows it.
class PageTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("studio-page-{}", getpid());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::filesystem::copy(std::filesystem::path(OPENMI_SOURCE_DIR) / "examples/river-basin", folder_ / "basin",
                          std::filesystem::copy_options::recursive);
  }
  void TearDown() override {
    if (browser_) {
      EXPECT_EQ(browser_->Errors(), "");
    }
    browser_.reset();
    if (pid_ > 0) {
      kill(pid_, SIGTERM);
      EndChild(pid_);
    }
    std::filesystem::remove_all(folder_);
  }
  void Start(const std::string& name, int width = 1400) {
    const std::filesystem::path told = folder_ / "address";
    const int file = open(told.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    pid_ = SpawnChild({OPENMI_BINARY_DIR "/bin/openmi", "studio", (folder_ / "basin" / name).string(), "--no-browser"},
                      {{file, 1}}, 0);
    close(file);
    std::string address;
    for (int i = 0; i < 2400 && address.empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
      std::ifstream stream(told);
      std::getline(stream, address);
    }
    browser_ = std::make_unique<Browser>(folder_ / "browser", width, 900);
    browser_->Open(address);
    browser_->Wait("window.studio && studio.state.model && !studio.state.isChecking");
  }
  Browser& Page() { return *browser_; }
  // Waits until the last edit is checked.
  void Settle() {
    Page().Eval("new Promise((done) => setTimeout(done, 60))");
    Page().Wait("studio.panels.wire.waiting.size === 0");
    // What the server says of earlier requests is here before its answer to this one.
    Page().Eval("studio.panels.wire.ask('text').then(() => true)");
    Page().Wait("!studio.state.isChecking");
  }
  void Fill(const std::string& element, const std::string& text) {
    Page().Click(element);
    Page().Eval(element + ".select && " + element + ".select()");
    Page().Type(text);
    Page().Press("Tab");
    Settle();
  }
  // Chooses an entry of a list, as a user does with it open.
  void Choose(const std::string& element, const std::string& value) {
    Page().Wait(element);
    Page().Eval(fmt::format(
        "(() => {{ const e = {}; e.value = {}; e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()", element,
        Quoted(value)));
    Settle();
  }
  static std::string ByKey(const std::string& key) {
    return "document.querySelector('#details [data-key=' + CSS.escape(" + Quoted(key) + ") + ']')";
  }
  static std::string ButtonNamed(const std::string& place, const std::string& name) {
    return fmt::format("[...document.querySelectorAll({} + ' button')].find((one) => one.textContent === {})",
                       Quoted(place), Quoted(name));
  }
  void AddComponent(const std::string& entry, const std::string& id,
                    const std::vector<std::pair<std::string, std::string>>& arguments) {
    Page().Click(fmt::format(
        "[...document.querySelectorAll('#entries button')].find((one) => one.firstChild.textContent === {})",
        Quoted(entry)));
    Page().Wait(fmt::format("document.querySelector('#details h2').textContent === {}", Quoted(entry)));
    Settle();
    if (entry != id) Fill(ByKey("Id"), id);
    for (const auto& [key, value] : arguments) {
      Page().Wait(ByKey(key));
      Page().Eval("(() => { for (const one of document.querySelectorAll('#details details')) one.open = true; })()");
      if (Page().Eval(ByKey(key) + ".tagName") == "SELECT") {
        Choose(ByKey(key), value);
      } else {
        Fill(ByKey(key), value);
      }
    }
  }
  void Link(const std::string& from, const std::string& to, const std::vector<std::string>& adaptors) {
    Page().Press("Escape");
    Page().Eval("document.activeElement.blur()");
    Page().Press("l");
    Page().Wait("document.querySelector('#linking').open");
    Choose("document.querySelector('#linking-0')", from);
    Choose("document.querySelector('#linking-1')", to);
    Page().Wait("document.querySelector('#linking .offers input')");
    const std::string first = adaptors.empty() ? "no adaptor" : adaptors.front();
    Page().Click(
        fmt::format("[...document.querySelectorAll('#linking .offers label')].find((one) => "
                    "one.lastChild.firstChild.textContent.split(' (')[0] === {})",
                    Quoted(first)));
    Page().Click(ButtonNamed("#linking", "Link"));
    Page().Wait("!document.querySelector('#linking').open");
    Settle();
    for (std::size_t i = 1; i < adaptors.size(); ++i) {
      Choose("document.querySelector('#details select[aria-label=\"adaptor to add\"]')", adaptors[i]);
      Page().Click(ButtonNamed("#details", "Add adaptor"));
      Settle();
    }
  }
  std::string FileText(const std::string& name) const {
    std::ifstream stream(folder_ / "basin" / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  std::filesystem::path folder_;
  pid_t pid_ = -1;
  std::unique_ptr<Browser> browser_;
};

}  // namespace openmi
