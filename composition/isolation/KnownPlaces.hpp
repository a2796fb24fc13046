#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "timespace/elements/ElementSet.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

/// The element sets that crossed the border between a run and a worker: each crosses once, and is named by a hash of
/// its bytes after that, also where items that share no object have equal elements.
///
/// The worker keeps a copy of those that it sent, so that the run can name them, too.
class KnownPlaces {
 public:
  /// A worker that makes sets without end does not fill the memory of the run: those beyond cross each time.
  static constexpr std::size_t kMost = 64;

  /// \param keeps_own  whether this side keeps what it sent: it is the worker
  explicit KnownPlaces(bool keeps_own) : keeps_own_(keeps_own) {}

  /// Writes an element set whole, or by its name if the other side has it.
  void Write(StateWriter& writer, const IElementSet& elements);
  /// Reads it. Those who read the same set share one object.
  /// \throws FormatError  the bytes are not as expected
  std::shared_ptr<const ElementSet> Read(StateReader& reader);
  /// Notes that the message that was written was sent, or was dropped.
  void Settle(bool is_sent);

 private:
  using Name = std::array<std::uint8_t, 32>;
  struct Known {
    std::shared_ptr<const ElementSet> elements;  // null: the other side does not name it
    bool is_there = false;                       // whether the other side has it
  };
  struct Written {
    const IElementSet* elements;
    int version;
    Name name;
  };
  enum class Form : std::int64_t { Passing, Kept, Named };
  static Name NameOf(ByteView bytes);
  static std::shared_ptr<const ElementSet> Parse(ByteView bytes);
  static void WriteAs(StateWriter& writer, Form form, ByteView bytes);

  bool keeps_own_;
  StateWriter whole_;
  std::map<Name, Known> known_;
  std::vector<Written> written_;  // in the present message, in which the objects stay
  std::vector<Name> unsent_;      // sets that are new in it
};

}  // namespace openmi
