#pragma once

#include <stdexcept>
#include <string>

namespace openmi {

/// The place of an error. Empty members (and line 0) are unknown; the message omits them.
struct Where {
  std::string file = {};  // initialized, so that a designated initializer can omit it without a warning
  int line = 0;
  std::string component = {};
  std::string item = {};
};

/// The base class of all exceptions that the project throws at its users.
///
/// The message has three parts: the place; what was expected and found, with the value; what to do. Each part can be
/// read separately, so that a tool can sort and display them.
class Error : public std::runtime_error {
 public:
  /// \param where    the place, as far as it is known
  /// \param problem  "expected ..., found ..."; no full stop
  /// \param remedy   what the user can do; may be empty
  Error(Where where, std::string problem, std::string remedy = {});
  ~Error() override;

  /// The place, as far as it is known.
  const Where& Place() const { return where_; }
  /// What was expected and found; no full stop.
  const std::string& Problem() const { return problem_; }
  /// What the user can do; may be empty.
  const std::string& Remedy() const { return remedy_; }
  /// The message: "file:line: component.item: problem; remedy", without the unknown parts.
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
/// A file or text that can be read but has the wrong form or content.
OPENMI_DECLARE_ERROR(FormatError, Error);
/// An argument that is unknown, of the wrong type, out of range or read-only.
OPENMI_DECLARE_ERROR(ArgumentError, Error);
/// A unit that is unknown, or two units that do not fit.
OPENMI_DECLARE_ERROR(UnitError, Error);
/// Two items that cannot be linked, or an adapted output that does not fit their link.
OPENMI_DECLARE_ERROR(LinkError, Error);
/// An index, element, time or value outside its range.
OPENMI_DECLARE_ERROR(RangeError, Error);
/// A value of another type than required.
OPENMI_DECLARE_ERROR(TypeError, Error);
/// A call that the lifecycle does not allow now. The message names the actual status and the allowed ones.
OPENMI_DECLARE_ERROR(StateError, Error);
/// A shared library that cannot be loaded, or does not fit this build.
OPENMI_DECLARE_ERROR(LoadError, Error);
/// A model that failed during its computation.
OPENMI_DECLARE_ERROR(ModelError, Error);
/// A chain of queries that is too deep for the stack of the calling thread.
OPENMI_DECLARE_ERROR(DepthError, Error);

#undef OPENMI_DECLARE_ERROR

}  // namespace openmi
