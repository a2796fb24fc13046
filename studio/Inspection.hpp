#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "composition/check/ChildAnswer.hpp"

namespace openmi {

/// What the studio wants to know about a composition that needs the code of components: it is asked in a child process,
/// where that code can do no harm.
///
/// A request is an object with `path` (of the composition), `text` (its XML, which may differ from the file) and `do`:
/// - `inspect`: loads, links and checks it. The answer has `components`, the description of each by its id with
///   its `icon` (or `icon_of`, the component that has the same one), and `problems`. `without` lists ids that are left
///   out.
/// - `adaptors`, with `from` and `to`: which adaptors a link could have, as OfferedAdaptors says.
/// - `map`, with `item`: the elements of "component.item" as a picture, `svg`, in which `data-e` numbers them, and
/// `ids`.
/// - `weights`, with `from`, `to` and `at`: the targets and the sources of the spatial adaptor with that number on the
///   link, as a picture in which `data-e` numbers targets and `data-c` sources; `targets` and `sources` with their ids,
///   and `weights`, for each target that is drawn an array of pairs of a source and its weight.
/// - `describe`, with `file`: the component of an OMI file.
nlohmann::ordered_json Inspect(const nlohmann::json& request, AnswerStream& answer);

/// Asks another process for the above.
using AskInspection = std::function<ChildAnswer(const nlohmann::json& request)>;

/// Loads, links and checks a composition as `openmi check` does: a component that ends or blocks its process is named,
/// and the others are checked without it.
/// \returns `components` and `problems`
nlohmann::ordered_json InspectSafely(const std::filesystem::path& path, const std::string& text,
                                     const AskInspection& ask);

}  // namespace openmi
