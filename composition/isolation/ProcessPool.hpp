#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "composition/isolation/IsolatedProcess.hpp"
#include "composition/model/IsolationSpec.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/OmiFile.hpp"

namespace openmi {

/// The processes of a composition's isolated components: one for each library, or one for each component. A process
/// ends with its last component. May be used by several threads.
class ProcessPool {
 public:
  /// Makes the component of an OMI file in the process that `apart` asks for.
  /// \param problems  see LoadIsolated
  LoadedComponent Load(const OmiFile& omi, const IsolationSpec& apart, Problems* problems);
  /// Calls IsolatedProcess::EndIfLate for each process that was started here and still lives. May be called from any
  /// thread.
  void EndLate(const std::string& why);

 private:
  std::shared_ptr<IsolatedProcess> ProcessFor(const OmiFile& omi, const IsolationSpec& apart);

  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<IsolatedProcess>> by_library_;
  std::vector<std::weak_ptr<IsolatedProcess>> all_;
};

}  // namespace openmi
