#include <bit>
#include <string>

#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {
namespace {

constexpr char kBool = 'b';
constexpr char kInteger = 'i';
constexpr char kDouble = 'd';
constexpr char kText = 't';
constexpr char kDoubles = 'D';
constexpr char kBytes = 'B';

const char* NameOf(char type) {
  switch (type) {
    case kBool:
      return "a boolean";
    case kInteger:
      return "an integer";
    case kDouble:
      return "a number";
    case kText:
      return "a text";
    case kDoubles:
      return "a row of numbers";
    case kBytes:
      return "bytes";
    default:
      return "something unknown";
  }
}

[[noreturn]] void ThrowShort() {
  throw FormatError({}, "expected more bytes of a state, found their end", "the bytes are cut off");
}

std::uint64_t LowByteFirst(std::span<const std::byte, 8> bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 8; i-- > 0;) bits = bits << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return bits;
}

}  // namespace

void StateWriter::Append(std::uint64_t bits) {
  for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<std::byte>(bits >> (8 * i) & 0xff));
}

void StateWriter::Write(bool value) {
  Mark(kBool);
  bytes_.push_back(static_cast<std::byte>(value ? 1 : 0));
}

void StateWriter::Write(std::int64_t value) {
  Mark(kInteger);
  Append(static_cast<std::uint64_t>(value));
}

void StateWriter::Write(double value) {
  Mark(kDouble);
  Append(std::bit_cast<std::uint64_t>(value));
}

void StateWriter::Write(std::string_view text) {
  Mark(kText);
  Append(text.size());
  for (const char character : text) bytes_.push_back(static_cast<std::byte>(character));
}

void StateWriter::Write(std::span<const double> values) {
  Mark(kDoubles);
  Append(values.size());
  bytes_.reserve(bytes_.size() + values.size() * 8);
  for (const double value : values) Append(std::bit_cast<std::uint64_t>(value));
}

void StateWriter::Write(ByteView bytes) {
  Mark(kBytes);
  Append(bytes.size());
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void StateReader::Expect(char type) {
  if (rest_.empty()) ThrowShort();
  const char found = std::to_integer<char>(rest_[0]);
  if (found != type) {
    throw FormatError({}, std::string("expected ") + NameOf(type) + " in a state, found " + NameOf(found),
                      "the state was written by another version of the component");
  }
  rest_ = rest_.subspan(1);
}

std::uint64_t StateReader::Next() {
  if (rest_.size() < 8) ThrowShort();
  const std::uint64_t bits = LowByteFirst(rest_.first<8>());
  rest_ = rest_.subspan(8);
  return bits;
}

std::size_t StateReader::NextCount(std::size_t size) {
  const std::uint64_t count = Next();
  if (count > rest_.size() / size) ThrowShort();
  return static_cast<std::size_t>(count);
}

bool StateReader::ReadBool() {
  Expect(kBool);
  if (rest_.empty()) ThrowShort();
  const bool value = rest_[0] != std::byte{0};
  rest_ = rest_.subspan(1);
  return value;
}

std::int64_t StateReader::ReadInteger() {
  Expect(kInteger);
  return static_cast<std::int64_t>(Next());
}

double StateReader::ReadDouble() {
  Expect(kDouble);
  return std::bit_cast<double>(Next());
}

std::string StateReader::ReadText() {
  Expect(kText);
  const std::size_t count = NextCount(1);
  std::string text(count, '\0');
  for (std::size_t i = 0; i < count; ++i) text[i] = std::to_integer<char>(rest_[i]);
  rest_ = rest_.subspan(count);
  return text;
}

std::vector<double> StateReader::ReadDoubles() {
  Expect(kDoubles);
  std::vector<double> values(NextCount(8));
  for (double& value : values) value = std::bit_cast<double>(Next());
  return values;
}

void StateReader::ReadDoubles(std::span<double> values) {
  Expect(kDoubles);
  const std::size_t count = NextCount(8);
  if (count != values.size()) {
    throw FormatError(
        {}, "expected " + std::to_string(values.size()) + " numbers in a state, found " + std::to_string(count),
        "the state was written with other arguments");
  }
  for (double& value : values) value = std::bit_cast<double>(Next());
}

ByteView StateReader::ReadBytes() {
  Expect(kBytes);
  const std::size_t count = NextCount(1);
  const ByteView bytes = rest_.first(count);
  rest_ = rest_.subspan(count);
  return bytes;
}

void StateReader::RequireEnd() const {
  if (!rest_.empty()) {
    throw FormatError({}, "expected the end of a state, found " + std::to_string(rest_.size()) + " bytes more",
                      "the state was written by another version of the component");
  }
}

}  // namespace openmi
