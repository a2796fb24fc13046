#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "timespace/files/NetcdfFile.hpp"

namespace openmi {
namespace {

constexpr std::uint64_t kLongestName = 256;                   // NC_MAX_NAME: the length of the buffers of readers
constexpr std::uint64_t kMostDimensions = 1024;               // of one variable: NC_MAX_VAR_DIMS
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 56;  // of a record; the sums below then stay below 2^64
constexpr std::uint32_t kDimensionList = 0x0A;
constexpr std::uint32_t kVariableList = 0x0B;
constexpr std::uint32_t kAttributeList = 0x0C;

/// A statement of the header that does not fit the file.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Header {
 public:
  Header(std::ifstream& file, std::uint64_t size, int version) : file_(file), size_(size), version_(version), at_(4) {}

  /// Checks the whole header.
  /// \throws Fault  the file cannot hold what the header states
  void Check() {
    const std::uint64_t records = Count();
    // All ones: the writer did not go back to set the number of records, so it must be computed from the file size. The
    // library does not do that; it uses the number unchanged.
    const std::uint64_t streaming = version_ == 5 ? std::numeric_limits<std::uint64_t>::max() : 0xFFFFFFFFU;
    Dimensions();
    Attributes("the file");
    Variables(records, records == streaming);
  }

 private:
  struct Variable {
    std::string name;
    std::uint64_t bytes = 0;  // of one record, or of all
    std::uint64_t begin = 0;
    bool has_records = false;
  };

  std::uint64_t Left() const { return size_ - at_; }
  /// The number of bytes of a count.
  std::uint64_t Wide() const { return version_ == 5 ? 8 : 4; }

  template <std::size_t kWidth>
  std::uint64_t Number() {
    if (Left() < kWidth) throw Fault("the file ends within its header");
    std::array<unsigned char, kWidth> bytes{};
    file_.read(reinterpret_cast<char*>(bytes.data()), kWidth);
    if (!file_) throw Fault("the file ends within its header");
    at_ += kWidth;
    std::uint64_t number = 0;
    for (const unsigned char byte : bytes) number = number << 8 | byte;
    return number;
  }
  std::uint64_t Count() { return version_ == 5 ? Number<8>() : Number<4>(); }

  void Skip(std::uint64_t bytes) {
    at_ += bytes;
    file_.seekg(static_cast<std::streamoff>(at_));
  }
  static std::uint64_t Padded(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }

  /// The number of entries of the list that starts here.
  /// \param least  the minimum number of bytes of an entry
  std::uint64_t ListOf(std::uint32_t tag, const std::string& what, std::uint64_t least) {
    const std::uint64_t found = Number<4>();
    const std::uint64_t count = Count();
    if (found != tag && !(found == 0 && count == 0)) {
      throw Fault(fmt::format("the list of {} begins with the number {}", what, found));
    }
    if (count > Left() / least) {
      throw Fault(fmt::format("the list of {} claims {} entries, more than the file can hold", what, count));
    }
    return count;
  }

  std::string Name(const std::string& of) {
    const std::uint64_t length = Count();
    if (length == 0 || length > kLongestName || Padded(length) > Left()) {
      throw Fault(fmt::format("a name of {} claims {} characters", of, length));
    }
    std::string name(length, '\0');
    file_.read(name.data(), static_cast<std::streamsize>(length));
    if (!file_) throw Fault("the file ends within its header");
    Skip(Padded(length));
    return name;
  }

  std::uint64_t Type(const std::string& of) {
    const std::uint64_t type = Number<4>();
    constexpr std::array<std::uint64_t, 12> kSizes = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    if (type == 0 || type >= (version_ == 5 ? kSizes.size() : 7)) {
      throw Fault(fmt::format("{} has the type {}, which there is not", of, type));
    }
    return kSizes[type];
  }

  void Dimensions() {
    const std::uint64_t count = ListOf(kDimensionList, "dimensions", 2 * Wide() + 4);
    for (std::uint64_t i = 0; i < count; ++i) {
      static_cast<void>(Name("a dimension"));
      lengths_.push_back(Count());
    }
  }

  void Attributes(const std::string& of) {
    const std::uint64_t count = ListOf(kAttributeList, "attributes of " + of, 2 * Wide() + 8);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string name = Name("an attribute of " + of);
      const std::uint64_t bytes = Type("the attribute '" + name + "' of " + of);
      const std::uint64_t values = Count();
      if (values > Left() / bytes || Padded(values * bytes) > Left()) {
        throw Fault(
            fmt::format("the attribute '{}' of {} claims {} values, more than the file can hold", name, of, values));
      }
      Skip(Padded(values * bytes));
    }
  }

  Variable OneVariable() {
    Variable variable;
    variable.name = Name("a variable");
    const std::string of = "the variable '" + variable.name + "'";
    const std::uint64_t count = Count();
    if (count > kMostDimensions || count > Left() / Wide()) {
      throw Fault(fmt::format("{} claims {} dimensions", of, count));
    }
    std::uint64_t elements = 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t id = Count();
      if (id >= lengths_.size()) throw Fault(fmt::format("{} names the dimension {}, which there is not", of, id));
      const std::uint64_t length = lengths_[id];
      if (length == 0 && i == 0) {
        variable.has_records = true;
      } else if (length == 0) {
        throw Fault(fmt::format("{} has the dimension of records in place {}, not first", of, i + 1));
      } else if (elements > kMostBytes / length) {
        throw Fault(fmt::format("{} claims more values than any file can hold", of));
      } else {
        elements *= length;
      }
    }
    Attributes(of);
    const std::uint64_t bytes = Type(of);
    variable.bytes = elements * bytes;
    static_cast<void>(Count());  // its size in bytes, which the library computes itself
    variable.begin = version_ == 1 ? Number<4>() : Number<8>();
    return variable;
  }

  void Variables(std::uint64_t records, bool is_streaming) {
    const std::uint64_t count = ListOf(kVariableList, "variables", 4 * Wide() + 12);
    std::vector<Variable> variables;
    for (std::uint64_t i = 0; i < count; ++i) variables.push_back(OneVariable());
    std::uint64_t with_records = 0;
    std::uint64_t record = 0;
    for (const Variable& variable : variables) {
      if (!variable.has_records) continue;
      ++with_records;
      record = std::min(record, kMostBytes) + Padded(variable.bytes);
    }
    if (is_streaming && with_records > 0) throw Fault("the number of records is left open");
    for (const Variable& variable : variables) {
      const std::uint64_t steps = variable.has_records ? records : 1;
      if (steps == 0) continue;
      const std::uint64_t step = with_records == 1 ? variable.bytes : record;  // a single record variable is not padded
      const bool fits = variable.begin <= size_ && variable.bytes <= size_ - variable.begin &&
                        (steps == 1 || steps - 1 <= (size_ - variable.begin - variable.bytes) / step);
      if (!fits) {
        throw Fault(fmt::format("the values of the variable '{}' reach beyond the end of the file", variable.name));
      }
    }
  }

  std::ifstream& file_;
  std::uint64_t size_;
  int version_;
  std::uint64_t at_;
  std::vector<std::uint64_t> lengths_;  // of the dimensions; 0: the record dimension
};

}  // namespace

std::string FaultOfNetcdfHeader(const std::string& path) {
  std::error_code problem;
  const std::uint64_t size = std::filesystem::file_size(path, problem);
  if (problem || size < 4) return {};
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> magic{};
  file.read(magic.data(), magic.size());
  const int version = magic[3];
  if (!file || std::memcmp(magic.data(), "CDF", 3) != 0) return {};
  if (version != 1 && version != 2 && version != 5) return {};  // the library refuses these
  try {
    Header(file, size, version).Check();
  } catch (const Fault& fault) {
    return fault.what();
  }
  return {};
}

}  // namespace openmi
