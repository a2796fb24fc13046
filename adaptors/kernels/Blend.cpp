#include "adaptors/kernels/Blend.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "openmi/sdk/Sanitizers.hpp"

// Where the processor has vectors of four numbers, loops limited by memory are a third slower with vectors of two:
// fewer loads run at once. Fused operations are off, so that each number is the same to the last bit. Sanitizers are
// excluded, since they are not ready when the loader chooses.
#if defined(__x86_64__) && !OPENMI_ADDRESS_SANITIZER && !OPENMI_THREAD_SANITIZER
#define OPENMI_WIDE [[gnu::target_clones("avx2", "default")]]
#else
#define OPENMI_WIDE
#endif
// The rounds of the loop that follows do not depend on each other; clang finds out by looking at the addresses.
#if defined(__clang__)
#define OPENMI_INDEPENDENT
#else
#define OPENMI_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace openmi {
namespace {

// Elements that are summed over all rows before the next ones: the accumulator (8 KiB) stays in the first-level cache.
constexpr std::size_t kBlock = 1024;

// The loops below have `ivdep`: output and input are the same memory or disjoint, never shifted, so that no element
// depends on another. `restrict` would promise more (no aliasing at all) than the callers can keep. Inside a masked sum
// a missing value is NaN; with the last term it becomes the sentinel again.

double Unmask(double value, double missing) {
  return value == missing ? kNotANumber : value;
}

double Mask(double value, double missing) {
  return value != value ? missing : value;
}

OPENMI_WIDE void Weigh(const double* a, double wa, const double* b, double wb, double* out, std::size_t count) {
  OPENMI_INDEPENDENT
  for (std::size_t i = 0; i < count; ++i) out[i] = wa * a[i] + wb * b[i];
}

OPENMI_WIDE void WeighMasked(const double* a, double wa, const double* b, double wb, double* out, std::size_t count,
                             double missing) {
  OPENMI_INDEPENDENT
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = Mask(wa * Unmask(a[i], missing) + wb * Unmask(b[i], missing), missing);
  }
}

OPENMI_WIDE void Scale(const double* a, double wa, double* out, std::size_t count) {
  OPENMI_INDEPENDENT
  for (std::size_t i = 0; i < count; ++i) out[i] = wa * a[i];
}

OPENMI_WIDE void ScaleMasked(const double* a, double wa, double* out, std::size_t count, double missing) {
  OPENMI_INDEPENDENT
  for (std::size_t i = 0; i < count; ++i) out[i] = wa * Unmask(a[i], missing);
}

OPENMI_WIDE void Add(const double* a, double wa, double* out, std::size_t count) {
  OPENMI_INDEPENDENT
  for (std::size_t i = 0; i < count; ++i) out[i] += wa * a[i];
}

OPENMI_WIDE void AddMasked(const double* a, double wa, double* out, std::size_t count, double missing) {
  OPENMI_INDEPENDENT
  for (std::size_t i = 0; i < count; ++i) out[i] += wa * Unmask(a[i], missing);
}

OPENMI_WIDE void MaskRow(double* out, std::size_t count, double missing) {
  OPENMI_INDEPENDENT
  for (std::size_t i = 0; i < count; ++i) out[i] = Mask(out[i], missing);
}

void CopyRow(std::span<const double> row, std::span<double> out, double missing) {
  if (out.data() != row.data()) std::copy(row.begin(), row.end(), out.begin());
  if (!std::isnan(missing)) MaskRow(out.data(), out.size(), missing);
}

void SumBlock(std::span<const RowWeight> weights, RowReader rows, std::size_t begin, std::size_t count, double* out,
              double missing) {
  const bool masked = !std::isnan(missing);
  bool first = true;
  for (const RowWeight& term : weights) {
    if (term.weight == 0.0) continue;
    const double* row = rows(term.row).data() + begin;
    if (masked) {
      first ? ScaleMasked(row, term.weight, out, count, missing) : AddMasked(row, term.weight, out, count, missing);
    } else {
      first ? Scale(row, term.weight, out, count) : Add(row, term.weight, out, count);
    }
    first = false;
  }
  if (masked) MaskRow(out, count, missing);
}

}  // namespace

void BlendRows(std::span<const double> earlier, std::span<const double> later, double weight, std::span<double> out,
               double missing) {
  assert(earlier.size() == later.size() && out.size() == earlier.size());
  if (weight == 0.0) return CopyRow(earlier, out, missing);
  if (weight == 1.0) return CopyRow(later, out, missing);
  if (std::isnan(missing)) {
    Weigh(earlier.data(), 1.0 - weight, later.data(), weight, out.data(), out.size());
  } else {
    WeighMasked(earlier.data(), 1.0 - weight, later.data(), weight, out.data(), out.size(), missing);
  }
}

void SumRows(std::span<const RowWeight> weights, RowReader rows, std::span<double> out, double missing) {
  std::size_t common = out.size();
  std::size_t terms = 0;
  const RowWeight* last = nullptr;
  const RowWeight* first = nullptr;
  for (const RowWeight& term : weights) {
    if (term.weight == 0.0) continue;
    common = std::min(common, rows(term.row).size());
    if (terms++ == 0) first = &term;
    last = &term;
  }
  if (terms == 0) return std::fill(out.begin(), out.end(), 0.0);

  if (terms == 1 && first->weight == 1.0) {
    CopyRow(rows(first->row).first(common), out.first(common), missing);
  } else if (terms == 2) {
    // One pass instead of two: this most frequent case of interpolation is limited by memory.
    const double* a = rows(first->row).data();
    const double* b = rows(last->row).data();
    if (std::isnan(missing)) {
      Weigh(a, first->weight, b, last->weight, out.data(), common);
    } else {
      WeighMasked(a, first->weight, b, last->weight, out.data(), common, missing);
    }
  } else {
    for (std::size_t begin = 0; begin < common; begin += kBlock) {
      SumBlock(weights, rows, begin, std::min(kBlock, common - begin), out.data() + begin, missing);
    }
  }
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(common), out.end(), missing);
}

}  // namespace openmi
