#pragma once

#include <functional>
#include <set>
#include <string>

#include "composition/check/ChildAnswer.hpp"
#include "composition/model/CompositionFile.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Checks a composition in a child process, where the code of its components can do no harm.
///
/// If the code of a component ends or blocks the process, the last step that the process announced names the component.
/// Another process checks the others, without the components of the same library.
/// \param named  the composition, for messages
/// \param ask    runs a child process that checks the composition without the components of these ids, announces its
///   steps (CheckOptions::on_step) and answers with ToJson of the problems
/// \param read   the composition; called if a process did not answer
Problems CheckInChildren(const std::string& named, const std::function<ChildAnswer(const std::set<std::string>&)>& ask,
                         const std::function<CompositionFile()>& read);

}  // namespace openmi
