#include "python-bridge/module/Gil.hpp"

namespace openmi::interpreter {
namespace {

/// The thread state of a thread that Python did not start.
class ThreadState {
 public:
  ~ThreadState() {
    if (!is_ours_ || Py_IsInitialized() == 0) return;
    PyGILState_Ensure();
    PyGILState_Release(PyGILState_LOCKED);
    PyGILState_Release(PyGILState_UNLOCKED);  // the last one deletes the state
  }
  void Keep() {
    if (is_known_) [[likely]]
      return;
    is_known_ = true;
    if (PyGILState_GetThisThreadState() != nullptr) return;
    is_ours_ = true;
    PyGILState_Ensure();
    PyEval_SaveThread();
  }

 private:
  bool is_known_ = false;
  bool is_ours_ = false;
};

}  // namespace

void Gil::KeepThreadState() {
  static thread_local ThreadState state;
  state.Keep();
}

}  // namespace openmi::interpreter
