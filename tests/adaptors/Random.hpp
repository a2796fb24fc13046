#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

namespace openmi::testing {

/// A generator whose seed is fresh for each run and printed; OPENMI_TEST_SEED repeats a run.
class Random {
 public:
  Random() : seed_(Seed()), engine_(seed_) { std::cout << "seed " << seed_ << " (repeat with OPENMI_TEST_SEED)\n"; }

  double Uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  std::size_t Index(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(engine_); }
  bool Chance(double probability) { return Uniform(0.0, 1.0) < probability; }

 private:
  static std::uint32_t Seed() {
    const char* given = std::getenv("OPENMI_TEST_SEED");
    return given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
  }

  std::uint32_t seed_;
  std::mt19937 engine_;
};

}  // namespace openmi::testing
