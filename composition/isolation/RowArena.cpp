#include "composition/isolation/RowArena.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <new>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kLine = 64;  // a cache line, and the widest vector register
constexpr std::size_t kSmallestChunk = std::size_t{1} << 18;

std::size_t RoundUp(std::size_t size, std::size_t to) {
  return (size + to - 1) / to * to;
}

std::size_t BytesFor(std::size_t count) {
  if (count > (std::size_t{1} << 40)) throw std::bad_alloc();
  return RoundUp(std::max<std::size_t>(count, 1) * sizeof(double), kLine);
}

/// The doubles at `offset` of the memory; null if they do not lie in this piece.
double* InPiece(std::byte* begin, const RowChunk& chunk, std::size_t offset, std::size_t count) {
  if (offset < chunk.offset || offset - chunk.offset >= chunk.size) return nullptr;
  const std::size_t inside = offset - chunk.offset;
  if (inside % sizeof(double) != 0 || count > (chunk.size - inside) / sizeof(double)) return nullptr;
  return reinterpret_cast<double*>(begin + inside);
}

[[noreturn]] void RefuseRow(std::size_t offset, std::size_t count) {
  throw RangeError({}, fmt::format("expected a row in shared memory, found {} values at {}", count, offset),
                   "the other process is not a worker of this build");
}

}  // namespace

RowArena::~RowArena() {
  for (auto& [begin, piece] : mapped_) SharedMemory::Unmap(piece.begin, piece.size);
}

double* RowArena::Take(std::size_t count) {
  const std::size_t size = BytesFor(count);
  Size& sort = sizes_[size];
  if (!sort.free.empty()) {
    double* row = sort.free.back();
    sort.free.pop_back();
    return row;
  }
  if (++sort.made > sort.free.capacity()) sort.free.reserve(sort.made * 2);  // so that Give never allocates
  if (last_ == nullptr || last_->size - last_->used < size) {
    const std::size_t offset = memory_.Size();
    const std::size_t chunk = RoundUp(std::max(size, kSmallestChunk), kPage);
    memory_.Grow(offset + chunk);
    std::byte* begin = memory_.Map(offset, chunk);
    chunks_.push_back({offset, chunk});
    last_ = &mapped_.emplace(begin, Mapped{begin, offset, chunk, 0}).first->second;
  }
  auto* row = reinterpret_cast<double*>(last_->begin + last_->used);
  last_->used += size;
  return row;
}

void RowArena::Give(double* row, std::size_t count) noexcept {
  const auto sort = sizes_.find(BytesFor(count));
  if (sort != sizes_.end()) sort->second.free.push_back(row);
}

std::optional<std::size_t> RowArena::OffsetOf(const double* row) const {
  const auto* at = reinterpret_cast<const std::byte*>(row);
  auto piece = mapped_.upper_bound(at);
  if (piece == mapped_.begin()) return std::nullopt;
  --piece;
  const Mapped& found = piece->second;
  if (at >= found.begin + found.size) return std::nullopt;
  return found.offset + static_cast<std::size_t>(at - found.begin);
}

std::span<double> RowArena::At(std::size_t offset, std::size_t count) const {
  for (const auto& [begin, piece] : mapped_) {
    if (auto* found = InPiece(piece.begin, {piece.offset, piece.size}, offset, count)) return {found, count};
  }
  RefuseRow(offset, count);
}

void RowArena::WriteNews(StateWriter& writer) {
  writer.Write(static_cast<std::int64_t>(chunks_.size() - reported_));
  for (; reported_ < chunks_.size(); ++reported_) {
    writer.Write(static_cast<std::int64_t>(chunks_[reported_].offset));
    writer.Write(static_cast<std::int64_t>(chunks_[reported_].size));
  }
}

void RowWindow::ReadNews(StateReader& reader) {
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    const auto offset = static_cast<std::size_t>(reader.ReadInteger());
    Add({offset, static_cast<std::size_t>(reader.ReadInteger())});
  }
}

RowWindow::~RowWindow() {
  for (const Mapped& piece : mapped_) SharedMemory::Unmap(piece.begin, piece.chunk.size);
}

void RowWindow::Add(const RowChunk& chunk) {
  if (chunk.offset % kPage != 0 || chunk.size % kPage != 0) {
    throw RangeError(
        {}, fmt::format("expected a piece of shared memory at a page, found {} bytes at {}", chunk.size, chunk.offset));
  }
  constexpr std::size_t kMost = std::size_t{1} << 46;
  if (carrier_.Carries() && chunk.offset < kMost && chunk.size < kMost) memory_.Grow(chunk.offset + chunk.size);
  mapped_.push_back({memory_.Map(chunk.offset, chunk.size), chunk});
}

std::span<double> RowWindow::At(std::size_t offset, std::size_t count) const {
  for (const Mapped& piece : mapped_) {
    if (auto* found = InPiece(piece.begin, piece.chunk, offset, count)) return {found, count};
  }
  RefuseRow(offset, count);
}

std::optional<std::size_t> RowWindow::OffsetOf(const double* row) const {
  const auto* at = reinterpret_cast<const std::byte*>(row);
  for (const Mapped& piece : mapped_) {
    if (std::less_equal<>()(piece.begin, at) && std::less<>()(at, piece.begin + piece.chunk.size)) {
      return piece.chunk.offset + static_cast<std::size_t>(at - piece.begin);
    }
  }
  return std::nullopt;
}

}  // namespace openmi
