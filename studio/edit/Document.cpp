#include "studio/edit/Document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "openmi/omi/XmlReader.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr double kFarthest = 1e6;  // pixels

std::string NewComposition(const std::filesystem::path& path) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"{}\">\n</Composition>\n",
      EscapeXml(AsComponentId(path.stem().string())));
}

// Checks that a text can be edited, and reads it.
CompositionFile Read(const std::string& text, const std::filesystem::path& path) {
  std::string_view bytes = text;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  if (XmlToUtf8(text, path.string()) != bytes) {
    throw FormatError({.file = path.string()}, "expected a composition in UTF-8, found another encoding",
                      "save the file as UTF-8 to edit it here");
  }
  Problems problems;
  CompositionFile file = ReadCompositionText(text, path, problems);
  if (const SourceElement root = ReadXmlSource(text); root.name != "Composition") {
    throw FormatError({.file = path.string()}, fmt::format("expected a composition, found the element '{}'", root.name),
                      "open a composition file; 'openmi import' makes one of other kinds");
  }
  return file;
}

}  // namespace

Document::Document(const std::filesystem::path& path) : path_(std::filesystem::absolute(path).lexically_normal()) {
  if (std::filesystem::exists(path_)) {
    now_.text = ReadXmlBytes(path_);
    saved_.text = now_.text;
  } else {
    now_.text = NewComposition(path_);
  }
  if (std::filesystem::exists(LayoutPath())) now_.layout = saved_.layout = ReadXmlBytes(LayoutPath());
  file_ = Read(now_.text, path_);
  places_ = ReadLayout(now_.layout);
}

std::filesystem::path Document::LayoutPath() const {
  return std::filesystem::path(path_).replace_extension(".layout.json");
}

Document::Delta Document::Between(const std::string& before, const std::string& after) {
  const std::size_t most = std::min(before.size(), after.size());
  std::size_t front = 0;
  while (front < most && before[front] == after[front]) ++front;
  std::size_t back = 0;
  while (back < most - front && before[before.size() - 1 - back] == after[after.size() - 1 - back]) ++back;
  return {front, before.substr(front, before.size() - front - back), after.substr(front, after.size() - front - back)};
}

void Document::Play(std::string& text, const Delta& delta, bool is_back) {
  const std::string& from = is_back ? delta.after : delta.before;
  text.replace(delta.at, from.size(), is_back ? delta.before : delta.after);
}

void Document::Show() {
  file_ = Read(now_.text, path_);
  places_ = ReadLayout(now_.layout);
  ++revision_;
}

void Document::Go(Texts next) {
  if (next == now_) return;
  (void)Read(next.text, path_);  // throws before anything is changed
  steps_.resize(done_);
  steps_.push_back({Between(now_.text, next.text), Between(now_.layout, next.layout)});
  ++done_;
  now_ = std::move(next);
  Show();
}

void Document::Edit(const std::function<void(CompositionEdit&, BoxPlaces&)>& make) {
  CompositionEdit edit(now_.text);
  BoxPlaces places = places_;
  make(edit, places);
  Go({edit.Text(), places == places_ ? now_.layout : LayoutText(places)});
}

void Document::Undo() {
  if (!CanUndo()) return;
  const Step& step = steps_[--done_];
  Play(now_.text, step.text, true);
  Play(now_.layout, step.layout, true);
  Show();
}

void Document::Redo() {
  if (!CanRedo()) return;
  const Step& step = steps_[done_++];
  Play(now_.text, step.text, false);
  Play(now_.layout, step.layout, false);
  Show();
}

std::string Document::FileText() const {
  return std::filesystem::exists(path_) ? ReadXmlBytes(path_) : std::string();
}

void Document::Save() {
  if (FileText() != saved_.text) {
    throw StateError({.file = path_.string()}, "expected the file as it was read, found that it was changed elsewhere",
                     "choose which of the two versions to keep");
  }
  if (now_.text != saved_.text) {
    WriteXmlText(path_, now_.text);
    saved_.text = now_.text;
  }
  if (now_.layout != saved_.layout) {
    if (now_.layout.empty()) {
      std::filesystem::remove(LayoutPath());
    } else {
      WriteXmlText(LayoutPath(), now_.layout);
    }
    saved_.layout = now_.layout;
  }
}

Document::Outside Document::LookOutside() {
  std::string text;
  try {
    text = FileText();
    if (text == saved_.text) return Outside::Nothing;
    if (!IsChanged() && !text.empty()) {
      saved_.text = text;
      Go({std::move(text), now_.layout});
      return Outside::Taken;
    }
  } catch (const Error& error) {  // it is being written, or is no composition any more
    if (text.empty()) text = error.what();
  }
  outside_ = std::move(text);
  return Outside::Conflict;
}

void Document::TakeOutside() {
  std::string text = FileText();
  Go({text, now_.layout});
  saved_.text = std::move(text);
  ++revision_;
}

void Document::KeepMine() {
  saved_.text = FileText();
  ++revision_;
}

std::string LayoutText(const BoxPlaces& places) {
  if (places.empty()) return {};
  std::string text = "{\"openmi-layout\": 1, \"places\": {";
  const char* before = "\n";
  for (const auto& [id, place] : places) {
    text += fmt::format("{}  {}: [{}, {}]", before, nlohmann::json(id).dump(), place.x, place.y);
    before = ",\n";
  }
  return text + "\n}}\n";
}

BoxPlaces ReadLayout(std::string_view text) {
  BoxPlaces places;
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("places") || !json["places"].is_object()) return places;
  for (const auto& item : json["places"].items()) {
    const auto& place = item.value();
    if (!place.is_array() || place.size() != 2 || !place[0].is_number() || !place[1].is_number()) continue;
    const auto pixel = [&](std::size_t i) {
      return static_cast<int>(std::clamp(place[i].get<double>(), -kFarthest, kFarthest));
    };
    places[item.key()] = {pixel(0), pixel(1)};
  }
  return places;
}

}  // namespace openmi
