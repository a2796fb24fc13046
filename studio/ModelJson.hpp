#pragma once

#include <nlohmann/json.hpp>

#include "studio/edit/Document.hpp"

namespace openmi {

/// A document as the page draws it: components with their places, links with their adaptors, observers, loops, the run.
/// \param described  what is known of the components: descriptions by id, which say how large their boxes are
nlohmann::ordered_json ModelJson(const Document& document, const nlohmann::ordered_json& described);

/// Makes the edits of a request, an array of objects with `op` and what that edit needs; they are one step for Undo.
/// \throws ArgumentError  an edit is unknown or incomplete
/// \throws Error          as Document::Edit
void ApplyEdits(Document& document, const nlohmann::json& edits);

}  // namespace openmi
