#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "composition/channel/Doorbell.hpp"
#include "fmi-bridge/outward/VariableKind.hpp"

/// \file
/// What the library of an exported FMU and the process behind it have in common. Stands on the C++ standard library
/// only: the library of the FMU is linked with nothing else.

namespace openmi::fmu {

/// Numbers of the open files that the process is handed.
inline constexpr int kSocketThere = 3;
inline constexpr int kMemoryThere = 4;

/// What is asked of the process. All but Hello are answered after the composition was looked at.
enum class Request : std::uint32_t {
  Hello,         ///< never asked: the process says it by itself when it has read what it offers
  Evaluate,      ///< brings outputs to the begin, with the parameters and inputs as they are
  Step,          ///< from `time` to `time` + `step`
  Terminate,     ///< finishes the components; outputs stay
  Reset,         ///< everything as after Hello
  SaveState,     ///< `number` becomes that of the new state
  RestoreState,  ///< `number`
  FreeState,     ///< `number`
  StateToBytes,  ///< `number`; the bytes come back
  BytesToState   ///< `number` becomes that of the new state
};

/// What the first letter says of the FMU, as bits.
inline constexpr std::uint32_t kKeepsState = 1;
/// The begin draws on something that does not come again (a stream): it is made when Initialization Mode is entered,
/// and made anew only where a parameter changes.
inline constexpr std::uint32_t kBeginsOnce = 2;

/// How a request ended, and how bad a message is; numbered as the statuses of FMI.
enum class Outcome : std::uint32_t { Ok, Warning, Discard, Error, Fatal };

/// One variable as the library of the FMU knows it. An element of an array has the value reference `reference` + its
/// number, and the slot `first` + its number.
struct VariableEntry {
  std::uint32_t reference = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 1;
  outward::VariableType type = outward::VariableType::Float64;
  outward::VariableRole role = outward::VariableRole::Output;
};

/// The begin of the memory that both see; the values of all numeric variables follow, as doubles, at kValuesAt. Only
/// the side whose turn it is touches it.
struct SharedPage {
  Doorbell to_host;
  Doorbell to_library;
  std::uint32_t request;
  std::uint32_t outcome;
  double time;  ///< seconds from the begin of the composition
  double step;  ///< seconds
  double start;
  double stop;
  std::uint32_t has_stop;
  std::uint32_t padding;
  std::int64_t number;
  std::uint64_t bytes;  ///< that come over the socket with this letter
  std::uint64_t slots;  ///< how many doubles follow
};
inline constexpr std::size_t kValuesAt = 4096;
static_assert(sizeof(SharedPage) <= kValuesAt);

/// More than any honest letter has.
inline constexpr std::uint64_t kLargestLetter = std::uint64_t{1} << 33;

/// Puts numbers and texts one behind the other.
class ParcelWriter {
 public:
  void Put(std::uint32_t number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void Put(std::string_view text) {
    Put(static_cast<std::uint32_t>(text.size()));
    bytes_.append(text);
  }
  const std::string& Bytes() const { return bytes_; }
  void Clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

/// Takes them out again; never reads beyond the end, where everything is 0 and empty.
class ParcelReader {
 public:
  explicit ParcelReader(std::string_view bytes) : rest_(bytes) {}
  std::uint32_t TakeNumber() {
    std::uint32_t number = 0;
    if (rest_.size() < sizeof number) {
      rest_ = {};
      is_good_ = false;
      return 0;
    }
    std::memcpy(&number, rest_.data(), sizeof number);
    rest_.remove_prefix(sizeof number);
    return number;
  }
  std::string_view TakeText() {
    const std::uint32_t size = TakeNumber();
    if (size > rest_.size()) {
      rest_ = {};
      is_good_ = false;
      return {};
    }
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  std::string_view Rest() const { return rest_; }
  /// Whether everything asked for was there.
  bool IsGood() const { return is_good_; }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

}  // namespace openmi::fmu
