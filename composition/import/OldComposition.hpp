#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// A model of an old composition: the component that an OMI file names.
struct OldModel {
  std::string omi;          ///< the path as written; empty: a link names a model that the file does not list
  std::string name;         ///< the model id by which links of 1.4 name it; empty: unknown
  bool is_trigger = false;  ///< of 2.0: the run asks this model
  int line = 0;
  std::filesystem::path path;   ///< of the OMI file, found by FindModels
  std::optional<OmiFile> file;  ///< what the OMI file contains; nothing: it is missing or cannot be read at all
};

/// One end of an old link.
struct OldEnd {
  std::string model_name;            ///< of 1.4: the model id
  std::optional<std::size_t> model;  ///< position among the models; of 1.4, FindModels sets it
  std::string item;                  ///< id of the exchange item, or the quantity
  std::string element_set;           ///< of 1.4; empty if the item is named by its id
};

/// A link, with its data operations or adapted outputs in order from the output.
struct OldLink {
  OldEnd from;
  OldEnd to;
  std::vector<AdaptorSpec> operations;
  int line = 0;
};

/// A composition of the OpenMI configuration editor, or the one component of an OMI file.
struct OldComposition {
  enum class Kind {
    Version1,  ///< root guiComposition: the editor of OpenMI 1.4
    Version2,  ///< root opr: the editor of OpenMI 2.0
    Component  ///< root LinkableComponent: an OMI file
  };

  std::filesystem::path path;
  Kind kind = Kind::Version1;
  std::vector<OldModel> models;   ///< without the trigger of 1.4, which is no component
  std::vector<OldLink> links;     ///< without those to the trigger
  std::vector<OldEnd> triggered;  ///< of 1.4: the outputs that the trigger asks for
  std::string asked_time;         ///< of 1.4: the time for which the trigger asks, as text; empty: none
  int asked_time_line = 0;
};

/// Reads a project of the configuration editor in one of its forms, or an OMI file.
///
/// 1.4 has the form `uilink/link/dataoperation`, and an interim form `uilink/chain`. 2.0 has the forms
/// `connection/exchange`, `connections/connection/links/link/decorated`, and the last one with `source_item_id` as an
/// element. Appends to `problems` what cannot be read, with its line; what is left out on purpose is a warning or note.
/// \returns what could be read, even with problems
/// \throws FileError    the file cannot be read
/// \throws FormatError  the file is not well-formed XML, exceeds a limit, or has another root element
/// Source: the schemas OprV1.xsd and OprV2.xsd of the OATC configuration editor, and projects in use.
OldComposition ReadOldComposition(const std::filesystem::path& path, Problems& problems);

/// As `ReadOldComposition`, from memory.
/// \param path  for messages and relative paths; need not exist
OldComposition ReadOldText(std::string_view bytes, const std::filesystem::path& path, Problems& problems);

/// Reads the OMI files of the models, and finds the models that the links of 1.4 name.
///
/// Paths may have backslashes and another case than the files have. Of a path with a drive letter, only the file name
/// counts. Only files whose name ends with .omi are read. A link of 1.4 names a model by an id that its code gives. It
/// is the argument ModelID of the OMI file, or the name of that file; else a model is found by a similar name, or as
/// the only one that is left, with a warning. A name without model gets a model without OMI file, and the models that
/// are left are left out, with a warning. What is missing is reported by ImportComposition, unless it is replaced.
void FindModels(OldComposition& old, Problems& problems);

/// A time as the editor of 1.4 writes it, without the locale of its user: "08/21/2009 10:00:00", month first, or
/// "2/10/2005 12:00:00 AM". Read as UTC, because the file states no zone.
/// \returns nothing for any other text
std::optional<Stamp> ParseEditorTime(std::string_view text);

/// A time as OMI files state it: "1990,1,2,0,0,0" (year, month, day, hour, minute, second), ISO 8601, or as the editor
/// writes it. Read as UTC if it states no zone.
/// \returns nothing for any other text
std::optional<Stamp> ParseArgumentTime(std::string_view text);

}  // namespace openmi
