#pragma once

#include <stdexcept>
#include <string>

namespace openmi {

/// Where an error was found. Empty members (and line 0) are unknown and left out of the message.
struct Where {
  std::string file = {};  // initialised, so that designated initialisers may leave it out without a warning
  int line = 0;
  std::string component = {};
  std::string item = {};
};

/// The root of everything this project throws at its users.
///
/// The message has three parts: where, what was expected and found (with the value), and what to do. The parts stay
/// readable one by one, so that a tool can sort and show them.
class Error : public std::runtime_error {
 public:
  /// \param where     what is known of the place
  /// \param problem   "expected ..., found ..."; no full stop
  /// \param remedy    what the user can do; may be empty
  Error(Where where, std::string problem, std::string remedy = {});
  ~Error() override;

  const Where& Place() const { return where_; }
  const std::string& Problem() const { return problem_; }
  const std::string& Remedy() const { return remedy_; }
  /// "file:line: component.item: problem; remedy", without the parts that are unknown.
  static std::string Format(const Where& where, const std::string& problem, const std::string& remedy);

 private:
  Where where_;
  std::string problem_;
  std::string remedy_;
};

#define OPENMI_DECLARE_ERROR(Name, Base) \
  class Name : public Base {             \
   public:                               \
    using Base::Base;                    \
    ~Name() override;                    \
  }

/// A file that is missing, unreadable or not writable.
OPENMI_DECLARE_ERROR(FileError, Error);
/// A file or text that can be read and is not what it should be.
OPENMI_DECLARE_ERROR(FormatError, Error);
/// An argument: unknown, of the wrong type, out of range, read-only.
OPENMI_DECLARE_ERROR(ArgumentError, Error);
/// A unit that is unknown, or two that do not fit.
OPENMI_DECLARE_ERROR(UnitError, Error);
/// Two ends that cannot be linked, or an adapted output that cannot stand between them.
OPENMI_DECLARE_ERROR(LinkError, Error);
/// An index, element, time or value outside what there is.
OPENMI_DECLARE_ERROR(RangeError, Error);
/// A value of another type than asked for.
OPENMI_DECLARE_ERROR(TypeError, Error);
/// A call that the lifecycle does not allow now; the message names the status found and the ones expected.
OPENMI_DECLARE_ERROR(StateError, Error);
/// A shared library that cannot be loaded, or does not fit this build.
OPENMI_DECLARE_ERROR(LoadError, Error);
/// A model that failed while it computed.
OPENMI_DECLARE_ERROR(ModelError, Error);
/// A chain of questions too deep for the stack of the calling thread.
OPENMI_DECLARE_ERROR(DepthError, Error);

#undef OPENMI_DECLARE_ERROR

}  // namespace openmi
