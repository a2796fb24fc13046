#include "composition/conformance/ValueSetChecks.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "openmi/standard/IQuality.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"

namespace openmi::conformance {
namespace {

constexpr std::size_t kLimit = 4096;  // values examined in one set

/// Visits the values below `indices`; returns false when the limit is reached.
bool Visit(const IBaseValueSet& values, std::vector<std::size_t>& indices, std::size_t& left,
           const std::function<void(std::span<const std::size_t>, const Value&)>& visit) {
  const std::size_t count = values.GetIndexCount(indices);
  indices.push_back(0);
  for (std::size_t i = 0; i < count; ++i) {
    indices.back() = i;
    if (indices.size() == values.NumberOfIndices()) {
      if (left == 0) return false;
      --left;
      visit(indices, values.GetValue(indices));
    } else if (!Visit(values, indices, left, visit)) {
      return false;
    }
  }
  indices.pop_back();
  return true;
}

class Hash {
 public:
  void Add(std::uint64_t bits) {
    for (int i = 0; i < 8; ++i) hash_ = (hash_ ^ (bits >> (8 * i) & 0xff)) * 1099511628211u;
  }
  void Add(double number) { Add(std::bit_cast<std::uint64_t>(number)); }
  void Add(const Value& value) {
    Add(static_cast<std::uint64_t>(value.Kind()));
    if (const auto number = value.Number()) Add(*number);
    if (const auto* whole = value.As<std::int64_t>()) Add(static_cast<std::uint64_t>(*whole));
    if (const auto* text = value.As<std::string>()) {
      for (const char c : *text) Add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    if (const auto* bytes = value.As<Bytes>()) {
      for (const std::byte b : *bytes) Add(static_cast<std::uint64_t>(b));
    }
  }
  std::uint64_t Get() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037u;
};

void AddValues(Hash& hash, const IBaseValueSet& values) {
  VisitValues(values, kLimit, [&hash](std::span<const std::size_t> indices, const Value& value) {
    for (const std::size_t index : indices) hash.Add(static_cast<std::uint64_t>(index));
    hash.Add(value);
  });
}

bool MayHold(const Value& value, const ValueType& type, bool quality) {
  if (value.IsEmpty() || value.Kind() == type.kind) return true;
  return quality && value.Kind() == ValueKind::Object;  // categories in the form of the official binaries
}

void CheckTimeSpace(Findings& findings, const ITimeSpaceValueSet& values, const std::string& whose) {
  const char* const number = "6.2";
  if (!findings.Expect(number, values.NumberOfIndices() == 2, [&] {
        return fmt::format("{}: expected 2 indices, time and element, found {}", whose, values.NumberOfIndices());
      })) {
    return;
  }
  const std::size_t times = values.GetIndexCount({});
  std::size_t widest = 0;
  std::size_t total = 0;
  for (std::size_t t = 0; t < times; ++t) {
    const std::size_t count = values.GetIndexCount(std::span(&t, 1));
    widest = std::max(widest, count);
    total += count;
  }
  if (total > 64 * kLimit) return;  // every accessor copies all values
  findings.Try(number, "Values2D of " + whose, [&] {
    const std::vector<std::vector<Value>> all = values.Values2D();
    if (!findings.Expect(number, all.size() == times,
                         "{}: expected {} rows in Values2D, as GetIndexCount says, found {}", whose, times,
                         all.size())) {
      return;
    }
    for (std::size_t t = 0; t < times; ++t) {
      const std::vector<Value> row = values.GetElementValuesForTime(static_cast<int>(t));
      const std::size_t count = values.GetIndexCount(std::span(&t, 1));
      bool agree = all[t].size() == count && row.size() == count;
      for (std::size_t e = 0; agree && e < std::min(count, kLimit); ++e) {
        const std::size_t indices[] = {t, e};
        const Value one = values.GetValue(indices);
        agree = SameValue(all[t][e], one) && SameValue(row[e], one) &&
                SameValue(values.GetValue(static_cast<int>(t), static_cast<int>(e)), one);
      }
      findings.Expect(number, agree,
                      "{}: expected Values2D, GetElementValuesForTime and GetValue to give the same values of time "
                      "{}, found that they differ",
                      whose, t);
    }
    for (std::size_t e = 0; e < std::min<std::size_t>(widest, 8); ++e) {
      const std::vector<Value> series = values.GetTimeSeriesValuesForElement(static_cast<int>(e));
      bool agree = series.size() == times;
      for (std::size_t t = 0; agree && t < times; ++t) {
        if (e < all[t].size()) agree = SameValue(series[t], all[t][e]);
      }
      findings.Expect(number, agree,
                      "{}: expected GetTimeSeriesValuesForElement to give the values of element {} that Values2D "
                      "gives, found others",
                      whose, e);
    }
  });
  findings.MustThrow(number, fmt::format("GetElementValuesForTime({}) of {}, which has {} times", times, whose, times),
                     [&] { static_cast<void>(values.GetElementValuesForTime(static_cast<int>(times))); });
}

}  // namespace

bool SameValue(const Value& a, const Value& b) {
  const auto* x = a.As<double>();
  const auto* y = b.As<double>();
  if (x != nullptr && y != nullptr) return *x == *y || (std::isnan(*x) && std::isnan(*y));
  return a == b;
}

void VisitValues(const IBaseValueSet& values, std::size_t limit,
                 const std::function<void(std::span<const std::size_t>, const Value&)>& visit) {
  if (values.NumberOfIndices() == 0) return;
  std::vector<std::size_t> indices;
  Visit(values, indices, limit, visit);
}

std::uint64_t FingerprintOf(const IBaseValueSet& values) {
  Hash hash;
  AddValues(hash, values);
  return hash.Get();
}

std::uint64_t FingerprintOf(const IBaseOutput& output) {
  Hash hash;
  AddValues(hash, output.Values());
  if (const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(&output); item != nullptr && item->TimeSet()) {
    for (const ITime* time : item->TimeSet()->Times()) {
      if (time == nullptr) continue;
      hash.Add(time->StampAsModifiedJulianDay());
      hash.Add(time->DurationInDays());
    }
  }
  return hash.Get();
}

void CheckValueSet(Findings& findings, const IBaseValueSet& values, const IValueDefinition& definition,
                   const std::string& whose) {
  const char* const number = "6.1";
  const std::size_t indices = values.NumberOfIndices();
  if (!findings.Expect(number, indices >= 1, "{}: expected at least one index in the value set, found none", whose)) {
    return;
  }
  findings.MustThrow(number,
                     fmt::format("GetValue of {} with {} indices, where there are {}", whose, indices + 1, indices),
                     [&] { static_cast<void>(values.GetValue(std::vector<std::size_t>(indices + 1))); });
  findings.MustThrow(number,
                     fmt::format("GetValue of {} with {} indices, where there are {}", whose, indices - 1, indices),
                     [&] { static_cast<void>(values.GetValue(std::vector<std::size_t>(indices - 1))); });

  const ValueType type = values.ValueType();
  const bool quality = dynamic_cast<const IQuality*>(&definition) != nullptr;
  findings.Expect("3.1", type.kind == definition.ValueType().kind || (quality && type.kind == ValueKind::Object), [&] {
    return fmt::format("{}: expected values of the type of the value definition, {}, found a set of {}", whose,
                       definition.ValueType().Name(), type.Name());
  });
  findings.Try(number, "reading all values of " + whose, [&] {
    std::optional<std::vector<std::size_t>> last;
    VisitValues(values, kLimit, [&](std::span<const std::size_t> at, const Value& value) {
      last.emplace(at.begin(), at.end());
      findings.Expect(number, MayHold(value, type, quality),
                      "{}: expected values of type {}, as the set says, found a {}", whose, type.Name(),
                      NameOf(value.Kind()));
    });
    if (!last) return;
    std::vector<std::size_t> beyond = *last;
    beyond.back() = values.GetIndexCount(std::span(*last).first(indices - 1));
    findings.MustThrow(
        number, fmt::format("GetValue of {} with the index {} in a row of {}", whose, beyond.back(), beyond.back()),
        [&] { static_cast<void>(values.GetValue(beyond)); });
  });
  if (const auto* time_space = dynamic_cast<const ITimeSpaceValueSet*>(&values)) {
    findings.Try("6.2", "reading " + whose, [&] { CheckTimeSpace(findings, *time_space, whose); });
  }
}

}  // namespace openmi::conformance
