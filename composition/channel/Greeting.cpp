#include "composition/channel/Greeting.hpp"

#include <fmt/format.h>

#include <bit>

#include "composition/channel/Channel.hpp"
#include "openmi/omi/BuildText.hpp"

namespace openmi {

std::string GreetingText() {
  std::string text =
      fmt::format("{}protocol={} byte-order={} page={} {}", kGreetingMark, kIsolationProtocol,
                  std::endian::native == std::endian::little ? "little" : "big", Channel::PageSize(), HostBuildText());
  text.resize(kGreetingSize);
  return text;
}

}  // namespace openmi
