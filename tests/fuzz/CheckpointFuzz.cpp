#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "composition/state/Checkpoint.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzComposition.hpp"

namespace openmi::fuzz {
namespace {

using StateBytes = std::span<const std::byte>;

/// The sections of a state file whose check sums nobody looks at: a file that was changed is refused by them, and what
/// reads the sections would never see a wrong one.
std::vector<StateSection> SectionsOf(StateBytes bytes) {
  constexpr std::size_t kHead = 32;
  constexpr std::size_t kSectionHead = 24;
  const auto word = [&](std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  std::vector<StateSection> sections;
  for (std::size_t at = kHead; at + kSectionHead < bytes.size();) {
    const std::uint64_t name = word(at), length = word(at + 8);
    at += kSectionHead;
    const std::uint64_t left = bytes.size() - at;
    if (name > left || length > left - name) break;
    StateSection section;
    for (const std::byte byte : bytes.subspan(at, name)) section.name += static_cast<char>(byte);
    const StateBytes body = bytes.subspan(at + name, length);
    section.bytes.assign(body.begin(), body.end());
    sections.push_back(std::move(section));
    at += name + length;
  }
  return sections;
}

/// Any sections are written and read as they are.
void Require(const std::vector<StateSection>& sections) {
  const std::vector<StateSection> again = ParseStateFile(FormatStateFile(sections), "fuzz");
  fuzz::Require(std::ranges::equal(sections, again, [](const StateSection& a, const StateSection& b) {
    return a.name == b.name && a.bytes == b.bytes;
  }));
}

/// A run that is under way, to take states up.
class RunUnderWay {
 public:
  RunUnderWay() : composition_(SmallComposition()), run_(*composition_, {}, InMemory()) {
    run_.Begin();
    for (int pass = 0; pass < 5; ++pass) fuzz::Require(run_.Advance());
    good_ = run_.SaveState();
  }
  /// Takes a state up in whose place a stranger may have put any bytes, and goes on a little.
  void TakeUp(const Checkpoint& state) {
    try {
      run_.RestoreState(state);
      run_.Advance();
    } catch (const Error&) {
    }
  }
  /// The same state as bytes in a file; for a first file of a corpus.
  std::vector<std::byte> Good() const { return run_.SerializeState(good_); }
  const Checkpoint& GoodState() const { return good_; }

 private:
  std::unique_ptr<Composition> composition_;
  CompositionRun run_;
  Checkpoint good_;
};

}  // namespace

// Any bytes are a state or an error. Where the sums are right and all else is anybody's, they are a checkpoint that a
// run takes up, or an error.
OPENMI_FUZZ_TARGET(checkpoint) {
  const auto bytes = std::as_bytes(std::span(input));
  try {
    Require(ParseStateFile(bytes, "fuzz"));
  } catch (const FormatError&) {
  }
  static RunUnderWay run;
  const std::vector<StateSection> sections = SectionsOf(bytes);
  Require(sections);
  try {
    run.TakeUp(UnpackCheckpoint(sections, "fuzz"));
  } catch (const FormatError&) {
  }
  // What the run itself gave is taken up whatever came before.
  run.TakeUp(run.GoodState());
}

}  // namespace openmi::fuzz
