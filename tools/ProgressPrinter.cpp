#include "tools/ProgressPrinter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "openmi/sdk/Utf8.hpp"
#include "timespace/times/Iso8601.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

// "2015-12-17 04:00", to the minute.
std::string Minute(Stamp time) {
  std::string text = FormatIsoTime(time).substr(0, 16);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

int Percent(const RunProgress& progress) {
  return static_cast<int>(std::floor(progress.Fraction() * 100.0 + 1e-9));
}

}  // namespace

ProgressPrinter::ProgressPrinter(std::string title, ProgressForm form, std::FILE* json)
    : title_(PrintableText(title)), form_(form), json_(json) {}

std::string ProgressPrinter::Rate() const {
  const double rate = pace_.RealTimeFactor();
  if (!std::isfinite(rate) || rate <= 0.0) return "";
  if (rate < 1000.0) return fmt::format("  {:.3g}x real time", rate);
  const double exponent = std::floor(std::log10(rate));
  return fmt::format("  {:.1f}e{:.0f}x real time", rate / std::pow(10.0, exponent), exponent);
}

std::string ProgressPrinter::Left(const RunProgress& progress) const {
  if (progress.Fraction() >= 1.0) return fmt::format("  {:.3g} s", progress.wall_seconds);
  const double seconds = pace_.SecondsLeft();
  if (!std::isfinite(seconds)) return "";
  if (seconds < 120.0) return fmt::format("  {:.0f} s left", std::ceil(seconds));
  if (seconds < 7200.0) return fmt::format("  {:.0f} min left", std::ceil(seconds / 60.0));
  return fmt::format("  {:.0f} h left", std::ceil(seconds / 3600.0));
}

std::string ProgressPrinter::BarText(const RunProgress& progress, int columns) const {
  const std::string head = fmt::format("{}  {}", title_, Minute(progress.now));
  const std::string percent = fmt::format("  {:3} %", Percent(progress));
  std::string tail = percent + Rate() + Left(progress);
  // What does not fit is omitted from the right, the bar first; a bar has 4 to 22 cells.
  int cells = std::min(22, columns - 1 - static_cast<int>(head.size() + tail.size()) - 4);
  if (cells < 4) {
    tail = percent + Left(progress);
    cells = std::min(22, columns - 1 - static_cast<int>(head.size() + tail.size()) - 4);
  }
  std::string bar;
  if (cells >= 4) {
    const auto filled = static_cast<std::size_t>(std::floor(progress.Fraction() * cells));
    bar = "  [" + std::string(filled, '#') + std::string(static_cast<std::size_t>(cells) - filled, '.') + "]";
  }
  std::string text = head + bar + tail;
  if (columns > 1 && text.size() >= static_cast<std::size_t>(columns)) text = Minute(progress.now) + percent;
  return text;
}

std::string ProgressPrinter::LineText(const RunProgress& progress) const {
  return fmt::format("{}  {}  {:3} %{}{}", title_, Minute(progress.now), Percent(progress), Rate(), Left(progress));
}

std::string ProgressPrinter::GroupsText(int columns) const {
  const std::vector<GroupState> groups = groups_ ? groups_() : std::vector<GroupState>();
  std::string text;
  std::string day;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const GroupState& group = groups[i];
    std::string one = "  " + PrintableText(group.id) + " on " + PrintableText(group.host);
    if (group.now) {
      const std::string time = Minute(*group.now);
      one += " " + (time.substr(0, 10) == day ? time.substr(11) : time);
      day = time.substr(0, 10);
    }
    if (!group.state.empty()) one += " " + group.state;
    const std::string rest = i + 1 < groups.size() ? fmt::format("  and {} more", groups.size() - i - 1) : "";
    if (columns > 0 && text.size() + one.size() + rest.size() >= static_cast<std::size_t>(columns)) {
      text +=
          text.empty() ? fmt::format("  {} groups", groups.size()) : fmt::format("  and {} more", groups.size() - i);
      return text;
    }
    text += one;
  }
  return text;
}

void ProgressPrinter::Show(const RunProgress& progress) {
  pace_.Add(progress);
  switch (form_) {
    case ProgressForm::None:
      return;
    case ProgressForm::Bar: {
      const int columns = Columns(stderr);
      std::string text = BarText(progress, columns);
      const std::string aside = aside_ ? aside_() : std::string();
      if (!aside.empty() && text.size() + aside.size() + 3 < static_cast<std::size_t>(columns)) text += "  " + aside;
      text = "\r" + text + "\x1b[K";
      if (const std::string groups = GroupsText(columns); !groups.empty()) {
        text += "\n" + groups + "\x1b[K\x1b[A";  // back to the line of the progress
        has_groups_line_ = true;
      }
      std::fwrite(text.data(), 1, text.size(), stderr);
      is_open_ = true;
      return;
    }
    case ProgressForm::Lines: {
      const int tenths = Percent(progress) / 10;
      if (tenths == reported_tenths_) return;
      reported_tenths_ = tenths;
      const std::string aside = aside_ ? aside_() : std::string();
      PrintLine(stderr, LineText(progress) + (aside.empty() ? "" : "  " + aside));
      if (const std::string groups = GroupsText(0); !groups.empty()) PrintLine(stderr, groups);
      return;
    }
    case ProgressForm::Json: {
      nlohmann::ordered_json json;
      json["event"] = "progress";
      json["composition"] = title_;
      json["time"] = FormatIsoTime(progress.now);
      json["fraction"] = progress.Fraction();
      json["wall_seconds"] = progress.wall_seconds;
      json["real_time_factor"] = pace_.RealTimeFactor();
      if (const double left = pace_.SecondsLeft(); std::isfinite(left)) json["seconds_left"] = left;
      if (const std::string aside = aside_ ? aside_() : std::string(); !aside.empty()) json["sources"] = aside;
      for (const GroupState& group : groups_ ? groups_() : std::vector<GroupState>()) {
        json["groups"].push_back({{"group", group.id}, {"host", group.host}, {"state", group.state}});
        if (group.now) json["groups"].back()["time"] = FormatIsoTime(*group.now);
      }
      PrintLine(json_, JsonText(json, -1));
      std::fflush(json_);
      return;
    }
  }
}

void ProgressPrinter::ShowWait(const std::string& component, const std::string& sentence) {
  constexpr int kBetween = 10;
  const std::string text = PrintableText(fmt::format("{}: {}", component, sentence));
  const bool is_due = waits_[component]++ % kBetween == 0;
  switch (form_) {
    case ProgressForm::None:
      return;
    case ProgressForm::Bar: {
      const auto columns = static_cast<std::size_t>(std::max(Columns(stderr), 20));
      const std::string line = "\r" + text.substr(0, columns - 1) + "\x1b[K";
      std::fwrite(line.data(), 1, line.size(), stderr);
      is_open_ = true;
      return;
    }
    case ProgressForm::Lines:
      if (is_due) PrintLine(stderr, text);
      return;
    case ProgressForm::Json:
      PrintLine(json_, JsonText({{"event", "wait"}, {"component", component}, {"for", sentence}}, -1));
      std::fflush(json_);
      return;
  }
}

void ProgressPrinter::End() {
  if (!is_open_) return;
  std::fputs(has_groups_line_ ? "\n\n" : "\n", stderr);
  has_groups_line_ = false;
  is_open_ = false;
}

}  // namespace openmi::tools
