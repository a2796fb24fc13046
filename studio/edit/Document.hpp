#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "studio/edit/CompositionEdit.hpp"

namespace openmi {

/// The place of a box on the page, in pixels: its upper left corner.
struct BoxPlace {
  int x = 0;
  int y = 0;
  bool operator==(const BoxPlace&) const = default;
};
/// Places by component. A component without a place is placed by the page.
using BoxPlaces = std::map<std::string, BoxPlace>;

/// A composition that is being edited: its text, the places of its boxes, and what can be undone.
///
/// The text is the file's, byte for byte, with the edits made in it. Places are kept in a file beside it
/// (`basin.layout.json`), a line for each component, which exists only once a box was moved.
class Document {
 public:
  /// Opens a composition. A file that does not exist is one without components, which Save writes.
  /// \throws FileError    the file cannot be read
  /// \throws FormatError  the file is not well-formed XML, is no composition, or is not UTF-8
  explicit Document(const std::filesystem::path& path);

  const std::filesystem::path& Path() const { return path_; }
  std::filesystem::path LayoutPath() const;
  const std::string& Text() const { return now_.text; }
  const BoxPlaces& Places() const { return places_; }
  /// What the text means; reports nothing, since a check does.
  const CompositionFile& File() const { return file_; }
  /// Counts up with each change, also by Undo and by files that were changed elsewhere.
  std::size_t Revision() const { return revision_; }

  /// Makes one edit, which is one step for Undo. An edit that changes nothing is none.
  /// \throws Error  what `make` throws, or the text could not be read any more; then nothing is changed
  void Edit(const std::function<void(CompositionEdit&, BoxPlaces&)>& make);
  bool CanUndo() const { return done_ > 0; }
  bool CanRedo() const { return done_ < steps_.size(); }
  void Undo();
  void Redo();

  /// Whether the text or the places differ from the files.
  bool IsChanged() const { return now_.text != saved_.text || now_.layout != saved_.layout; }
  /// Writes the files that differ.
  /// \throws StateError  the file was changed elsewhere since it was read
  /// \throws FileError   a file cannot be written
  void Save();

  /// What happened to the file elsewhere.
  enum class Outside {
    Nothing,   ///< it is as it was read or saved
    Taken,     ///< it was changed, and the document shows it now; Undo gives back what was there before
    Conflict,  ///< it was changed, and the document has changes too, or the file cannot be read
  };
  /// Looks whether the file was changed elsewhere.
  Outside LookOutside();
  /// The text of the file in a conflict.
  const std::string& OutsideText() const { return outside_; }
  /// Ends a conflict: takes the file's text as an edit, or goes on with this text, which Save will then write.
  void TakeOutside();
  void KeepMine();

 private:
  struct Texts {
    std::string text;
    std::string layout;
    bool operator==(const Texts&) const = default;
  };
  /// What one step replaced in a text.
  struct Delta {
    std::size_t at = 0;
    std::string before;
    std::string after;
  };
  struct Step {
    Delta text;
    Delta layout;
  };
  static Delta Between(const std::string& before, const std::string& after);
  static void Play(std::string& text, const Delta& delta, bool is_back);
  void Go(Texts next);
  void Show();
  std::string FileText() const;

  std::filesystem::path path_;
  Texts now_;
  Texts saved_;
  std::string outside_;
  CompositionFile file_;
  BoxPlaces places_;
  std::vector<Step> steps_;
  std::size_t done_ = 0;  // steps that are in effect
  std::size_t revision_ = 0;
};

/// Places as the text of their file, and back; a text that cannot be read has no places.
std::string LayoutText(const BoxPlaces& places);
BoxPlaces ReadLayout(std::string_view text);

}  // namespace openmi
