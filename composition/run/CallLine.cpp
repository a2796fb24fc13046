#include "composition/run/CallLine.hpp"

namespace openmi {
namespace {

thread_local CallLine own;
thread_local CallLine* entered = nullptr;

}  // namespace

CallLine& CallLine::Current() {
  return entered != nullptr ? *entered : own;
}

CallLine::Enter::Enter(CallLine& line) : before_(entered) {
  entered = &line;
}

CallLine::Enter::~Enter() {
  entered = before_;
}

}  // namespace openmi
