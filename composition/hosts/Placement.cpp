#include "composition/hosts/Placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool is_word = false;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? '\0' : c;
      is_word = true;
    } else if (quote == 0 && (c == ' ' || c == '\t')) {
      if (is_word) words.push_back(std::exchange(word, {}));
      is_word = false;
    } else {
      word += c;
      is_word = true;
    }
  }
  if (quote != 0) {
    throw ArgumentError({}, fmt::format("expected a closing {} in the launcher, found none in '{}'", quote, text));
  }
  if (is_word) words.push_back(word);
  return words;
}

/// A host is a word of the launcher's command, so it must not look like an option of it.
void AddHost(std::map<std::string, std::string>& hosts, const std::string& group, const std::string& host,
             const std::string& text) {
  if (group.empty() || host.empty() || host.front() == '-' || host.find_first_of(" \t") != std::string::npos) {
    throw ArgumentError({}, fmt::format("expected a group and its host, found '{}'", text), "write GROUP=HOST");
  }
  const auto [at, is_new] = hosts.emplace(group, host);
  if (is_new || at->second == host) return;
  throw ArgumentError({}, fmt::format("expected one host for group '{}', found '{}' and '{}'", group, at->second, host),
                      "a group is in one process; make two groups of it");
}

}  // namespace

void Placement::Add(std::string_view text) {
  const std::size_t sign = std::min(text.find('='), text.size());
  AddHost(hosts, std::string(text.substr(0, sign)), std::string(text.substr(std::min(sign + 1, text.size()))),
          std::string(text));
}

void Placement::AddFile(const std::filesystem::path& file) {
  ReadHostLines(file, "write 'GROUP HOST' on each line",
                [this](const std::vector<std::string>& words, const std::string& line) {
                  if (words.size() == 2) return AddHost(hosts, words[0], words[1], line);
                  throw ArgumentError({}, fmt::format("expected a group and its host, found '{}'", line));
                });
}

void ReadHostLines(const std::filesystem::path& file, const std::string& remedy,
                   const std::function<void(const std::vector<std::string>& words, const std::string& line)>& take) {
  std::ifstream lines(file);
  const bool is_folder = std::filesystem::is_directory(file);
  if (!lines || is_folder) {
    throw FileError({.file = file.string()},
                    fmt::format("expected a file of hosts that can be read, found {}", is_folder ? "a folder" : "none"),
                    remedy);
  }
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream text(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    if (words.empty()) continue;
    try {
      take(words, line);
    } catch (const ArgumentError& error) {
      throw FormatError({.file = file.string(), .line = number}, error.Problem(), remedy);
    }
  }
}

const std::string& Placement::LauncherFor(const LaunchedGroup& group) const {
  static const std::string kOne = kSsh;
  static const std::string kSeveral = kMpirun;
  if (!launcher.empty() && group.host != kThisHost) return launcher;
  return group.ranks > 0 ? kSeveral : kOne;
}

std::vector<std::string> LaunchWords(std::string_view launcher, const LaunchedGroup& group,
                                     const std::vector<std::string>& command) {
  std::vector<std::string> words;
  bool has_command = false;
  const std::string ranks = std::to_string(std::max(group.ranks, 1));
  for (const std::string& word : WordsOf(launcher)) {
    if (word == "{command}") {
      words.insert(words.end(), command.begin(), command.end());
      has_command = true;
    } else {
      words.push_back(Replaced(Replaced(Replaced(word, "{host}", group.host), "{group}", group.id), "{ranks}", ranks));
    }
  }
  if (!has_command) {
    throw ArgumentError({}, fmt::format("expected the word {{command}} in the launcher, found '{}'", launcher),
                        fmt::format("write it as in '{}'", Placement::kSsh));
  }
  if (group.ranks > 0 && launcher.find("{ranks}") == std::string_view::npos) {
    throw ArgumentError({},
                        fmt::format("expected {{ranks}} in the launcher, for the {} ranks of '{}', found '{}'",
                                    group.ranks, group.id, launcher),
                        fmt::format("write it as in '{}'", Placement::kMpirun));
  }
  return words;
}

}  // namespace openmi
