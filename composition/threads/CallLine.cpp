#include "composition/threads/CallLine.hpp"

namespace openmi {
namespace {

thread_local CallLine own_line;
thread_local CallLine* entered_line = nullptr;

}  // namespace

CallLine& CallLine::Current() {
  return entered_line != nullptr ? *entered_line : own_line;
}

CallLine::Enter::Enter(CallLine& line) : before_(entered_line) {
  entered_line = &line;
}

CallLine::Enter::~Enter() {
  entered_line = before_;
}

}  // namespace openmi
