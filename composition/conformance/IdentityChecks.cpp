#include "composition/conformance/IdentityChecks.hpp"

#include <fmt/format.h>

namespace openmi::conformance {

void CheckDescribable(Findings& findings, IDescribable& object, const std::string& who) {
  const char* const number = "2.1";
  findings.Try(number, "describing " + who, [&] {
    const std::string caption = object.Caption();
    const std::string description = object.Description();
    object.SetCaption("a caption of the harness");
    object.SetDescription("a description of the harness");
    findings.Expect(number, object.Caption() == "a caption of the harness", [&] {
      return fmt::format("{}: expected the caption that was set, found '{}'", who, object.Caption());
    });
    findings.Expect(number, object.Description() == "a description of the harness", [&] {
      return fmt::format("{}: expected the description that was set, found '{}'", who, object.Description());
    });
    object.SetCaption(caption);
    object.SetDescription(description);
  });
}

void IdList::Add(const IIdentifiable& member) {
  const char* const number = "2.2";
  findings_.Try(number, "asking an " + kind_ + " of " + whose_ + " for its id", [&] {
    const std::string id = member.Id();
    findings_.Expect(number, !id.empty(), [&] {
      return fmt::format("expected an id for each {} of {}, found an empty one", kind_, whose_);
    });
    findings_.Expect(number, id.empty() || seen_.insert(id).second, [&] {
      return fmt::format("expected an id of its own for each {} of {}, found '{}' twice", kind_, whose_, id);
    });
    findings_.Expect(number, member.Id() == id, [&] {
      return fmt::format("expected {} '{}' of {} to keep its id, found '{}' the next time", kind_, id, whose_,
                         member.Id());
    });
  });
}

}  // namespace openmi::conformance
