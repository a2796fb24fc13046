#include "composition/record/SeriesFigures.hpp"

#include <algorithm>
#include <cmath>

namespace openmi {
namespace {

constexpr std::size_t kMostBands = 1024;  // even, so that bands are joined in pairs
/// Of more elements, quantiles are taken of one row in a band, and without interpolation: they would take longer than a
/// step of the elements does.
constexpr std::size_t kManyElements = 2000;

}  // namespace

void ElementFigures::Add(double time, double value) {
  if (!std::isfinite(value)) {
    ++missing;
    last = kNotANumber;
    return;
  }
  if (!(value >= smallest)) {
    smallest = value;
    smallest_time = time;
  }
  if (!(value <= largest)) {
    largest = value;
    largest_time = time;
  }
  sum += value;
  last = value;
  ++count;
}

void ElementFigures::Join(const ElementFigures& other) {
  const auto is_earlier = [](double value, double own, double time, double own_time) {
    return value == own && time < own_time;
  };
  if (other.count > 0) {
    if (!(other.smallest >= smallest) || is_earlier(other.smallest, smallest, other.smallest_time, smallest_time)) {
      smallest = other.smallest;
      smallest_time = other.smallest_time;
    }
    if (!(other.largest <= largest) || is_earlier(other.largest, largest, other.largest_time, largest_time)) {
      largest = other.largest;
      largest_time = other.largest_time;
    }
  }
  sum += other.sum;
  last = other.last;
  count += other.count;
  missing += other.missing;
}

ElementFigures SeriesFigures::All() const {
  ElementFigures all;
  for (const ElementFigures& element : elements_) all.Join(element);
  return all;
}

void SeriesFigures::Band::Add(const Band& other) {
  end = other.end;
  quantiles.front() = std::fmin(quantiles.front(), other.quantiles.front());
  quantiles.back() = std::fmax(quantiles.back(), other.quantiles.back());
  if (other.sampled == 0) return;
  for (std::size_t q = 1; q + 1 < quantiles.size(); ++q) {
    quantiles[q] = sampled > 0 ? quantiles[q] + other.quantiles[q] : other.quantiles[q];
  }
  sampled += other.sampled;
}

SeriesFigures::Band SeriesFigures::BandOf(double begin, double end, std::span<const double> row) {
  Band band{.begin = begin, .end = end};
  band.quantiles.fill(kNotANumber);
  numbers_.clear();
  std::ranges::copy_if(row, std::back_inserter(numbers_), [](double value) { return std::isfinite(value); });
  if (numbers_.empty()) return band;
  const bool are_many = numbers_.size() > kManyElements;
  if (are_many) {
    const auto [low, high] = std::ranges::minmax(numbers_);
    band.quantiles.front() = low;
    band.quantiles.back() = high;
    if (rows_in_last_ > 0 && bands_.back().sampled > 0) return band;  // the band has its sample
  } else {
    std::ranges::sort(numbers_);
    band.quantiles.front() = numbers_.front();
    band.quantiles.back() = numbers_.back();
  }
  band.sampled = 1;
  auto from = numbers_.begin();
  for (std::size_t q = 1; q + 1 < band.quantiles.size(); ++q) {
    const double place = FigureBand::kShares[q] * static_cast<double>(numbers_.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    if (are_many) {
      const auto at = numbers_.begin() + static_cast<std::ptrdiff_t>(std::lround(place));
      std::nth_element(from, at, numbers_.end());
      band.quantiles[q] = *at;
      from = at;
    } else {
      const double next = numbers_[std::min(below + 1, numbers_.size() - 1)];
      band.quantiles[q] = numbers_[below] + (place - static_cast<double>(below)) * (next - numbers_[below]);
    }
  }
  return band;
}

std::vector<SeriesFigures::Band> SeriesFigures::Joined(std::span<const Band> bands, std::size_t each) {
  std::vector<Band> joined;
  joined.reserve(kMostBands);
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (i % each == 0) {
      joined.push_back(bands[i]);
    } else {
      joined.back().Add(bands[i]);
    }
  }
  return joined;
}

void SeriesFigures::Add(double begin, double end, std::span<const double> row) {
  const std::size_t count = std::min(row.size(), elements_.size());
  for (std::size_t i = 0; i < count; ++i) {
    elements_[i].Add(end, row[i]);
  }
  ++rows_;
  if (rows_in_last_ == rows_each_ && bands_.size() == kMostBands) {
    bands_ = Joined(bands_, 2);
    rows_each_ *= 2;
  }
  if (bands_.empty() || rows_in_last_ == rows_each_) {
    rows_in_last_ = 0;
    bands_.push_back(BandOf(begin, end, row));
  } else {
    bands_.back().Add(BandOf(begin, end, row));
  }
  ++rows_in_last_;
}

SeriesFigures SeriesFigures::Of(std::size_t elements, std::span<const double> begins, std::span<const double> ends,
                                std::span<const double> values) {
  SeriesFigures figures(elements);
  for (std::size_t row = 0; row < ends.size(); ++row) {
    figures.Add(begins.empty() ? ends[row] : begins[row], ends[row], values.subspan(row * elements, elements));
  }
  return figures;
}

std::vector<FigureBand> SeriesFigures::Bands(std::size_t most) const {
  const std::size_t each = std::max<std::size_t>(1, (bands_.size() + most - 1) / std::max<std::size_t>(1, most));
  std::vector<FigureBand> shown;
  for (const Band& band : Joined(bands_, each)) {
    FigureBand& one = shown.emplace_back(FigureBand{band.begin, band.end, band.quantiles});
    if (band.sampled == 0) continue;
    for (std::size_t q = 1; q + 1 < one.quantiles.size(); ++q) one.quantiles[q] /= static_cast<double>(band.sampled);
  }
  return shown;
}

}  // namespace openmi
