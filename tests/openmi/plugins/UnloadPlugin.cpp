// Uses what would pin a library to memory if it were built without care: make_shared, regex, an inline variable, a
// static in a template. OPENMI_TEST_VERSION tells one build of it from another.
#include <map>
#include <memory>
#include <regex>
#include <sstream>

#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/ForeignComponent.hpp"

inline int inline_version = OPENMI_TEST_VERSION;

template <class T>
struct Counted {
  static inline std::map<int, T> versions{{0, OPENMI_TEST_VERSION}};
};

class Versioned final : public foreign::Component {
 public:
  Versioned() : Component("versioned") {
    const auto shared = std::make_shared<int>(inline_version);
    std::ostringstream text;
    text << 'v' << *shared << '.' << Counted<int>::versions.at(0);
    SetDescription(std::regex_match(text.str(), std::regex("v[0-9]+\\.[0-9]+")) ? text.str() : "no version");
  }
};

OPENMI_EXPORT_COMPONENT(Versioned)
