#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "composition/results/JournalBlock.hpp"

namespace openmi::fuzz {

/// The same journal with the right check sums: a block with a wrong one ends a journal, and what reads the bodies would
/// never see a wrong one.
inline std::string WithRightSums(std::string bytes) {
  for (std::size_t at = kJournalMagic.size(); at + sizeof(JournalBlock) <= bytes.size();) {
    JournalBlock head;
    std::memcpy(&head, bytes.data() + at, sizeof head);
    const std::size_t body = at + sizeof head;
    if (head.length % 8 != 0 || head.length > bytes.size() - body) break;
    head.check = JournalCheck(head, std::string_view(bytes).substr(body, head.length));
    std::memcpy(bytes.data() + at, &head, sizeof head);
    at = body + head.length;
  }
  return bytes;
}

}  // namespace openmi::fuzz
