#include "composition/isolation/KnownPlaces.hpp"

#include <nettle/sha2.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <tuple>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::size_t kFewBytes = 256;  // a set of fewer bytes is sent as often as it comes

}  // namespace

KnownPlaces::Name KnownPlaces::NameOf(ByteView bytes) {
  static_assert(SHA256_DIGEST_SIZE == std::tuple_size_v<Name>);
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  Name name;
  sha256_digest(&context, name.size(), name.data());
  return name;
}

std::shared_ptr<const ElementSet> KnownPlaces::Parse(ByteView bytes) {
  StateReader reader(bytes);
  auto elements = std::make_shared<const ElementSet>(ReadElementSet(reader));
  reader.RequireEnd();
  return elements;
}

void KnownPlaces::WriteAs(StateWriter& writer, Form form, ByteView bytes) {
  writer.Write(static_cast<std::int64_t>(form));
  writer.Write(bytes);
}

void KnownPlaces::Write(StateWriter& writer, const IElementSet& elements) {
  const auto same = std::ranges::find_if(
      written_, [&](const Written& one) { return one.elements == &elements && one.version == elements.Version(); });
  if (same != written_.end()) return WriteAs(writer, Form::Named, std::as_bytes(std::span(same->name)));
  whole_.Clear();
  WriteElementSet(whole_, elements);
  const ByteView bytes = whole_.Bytes();
  if (bytes.size() < kFewBytes) return WriteAs(writer, Form::Passing, bytes);
  const Name name = NameOf(bytes);
  const auto found = known_.find(name);
  if (found != known_.end() && found->second.is_there) {
    WriteAs(writer, Form::Named, std::as_bytes(std::span(name)));
  } else if (found == known_.end() && known_.size() >= kMost) {
    return WriteAs(writer, Form::Passing, bytes);
  } else {
    Known& known = known_[name];
    known.is_there = true;
    if (keeps_own_ && known.elements == nullptr) known.elements = Parse(bytes);
    unsent_.push_back(name);
    WriteAs(writer, Form::Kept, bytes);
  }
  written_.push_back({&elements, elements.Version(), name});
}

std::shared_ptr<const ElementSet> KnownPlaces::Read(StateReader& reader) {
  const auto form = static_cast<Form>(reader.ReadInteger());
  const ByteView bytes = reader.ReadBytes();
  if (form == Form::Passing) return Parse(bytes);
  if (form == Form::Kept && known_.size() < 2 * kMost) {
    Known& known = known_[NameOf(bytes)];
    if (known.elements == nullptr) known.elements = Parse(bytes);
    known.is_there = known.is_there || !keeps_own_;
    return known.elements;
  }
  Name name{};
  if (bytes.size() == name.size()) std::memcpy(name.data(), bytes.data(), name.size());
  const auto found = known_.find(name);
  if (form == Form::Named && found != known_.end() && found->second.elements != nullptr) return found->second.elements;
  throw FormatError({}, "expected elements, or the name of some that crossed before, found something else",
                    "the other process is not a worker of this build");
}

void KnownPlaces::Settle(bool is_sent) {
  if (!is_sent) {
    for (const Name& name : unsent_) known_[name].is_there = false;
  }
  unsent_.clear();
  written_.clear();
}

}  // namespace openmi
