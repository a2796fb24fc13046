#pragma once

#include <cmath>
#include <cstddef>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/LoopProblems.hpp"

/// The peer of the benchmark: the algorithms that the coupling library preCICE documents, for two participants with a
/// value each, written out without anything of the product. Implicit coupling, serial (the second participant takes
/// what the first has just given) and parallel; Aitken's relaxation; the interface quasi-Newton method with an inverse
/// Jacobian from least squares (IQN-ILS), four time windows reused, filter QR2 with its limit of 0.01; relaxation 0.5
/// at first; constant guesses. Where the documents leave something open, the choice is the one with fewer iterations:
/// the differences of a window's last iteration are kept, too.
///
/// Source: [Degroote2009] (IQN-ILS); [Haelterman2016] (filter); [Kuttler2008] (Aitken).
namespace openmi::loops {

using Vector = std::vector<double>;

inline double Dot(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline double Norm(const Vector& a) {
  return std::sqrt(Dot(a, a));
}
inline Vector Minus(const Vector& a, const Vector& b) {
  Vector difference(a);
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] -= b[i];
  return difference;
}
inline void AddTo(Vector& a, double factor, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}

/// A participant: what it keeps from window to window, and its step.
struct Participant {
  const Problem2* problem;
  std::size_t side;
  double x, v = 0.0, in_before;

  Participant(const Problem2& of, std::size_t which)
      : problem(&of), side(which), x(of.Argument(which, "initial")), in_before(of.Argument(which, "neighbour")) {}
  /// \returns what it would give at the end of the window; `next`: what it would be then
  double Step(double in, Participant& next) const {
    const auto arg = [this](const char* key) { return problem->Argument(side, key); };
    next = *this;
    if (problem->type == "first-order") {  // implicit Euler
      const double share = problem->hours / arg("T");
      return next.x = (x + share * (arg("bias") + arg("gain") * in)) / (1.0 + share);
    }
    const double k = arg("stiffness"), c = arg("coupling"), m = arg("mass"), h = problem->hours;
    const auto force = [&](double at, double neighbour) { return -k * at - c * (at - neighbour); };
    const double a = h * h / (4.0 * m);  // trapezoidal rule
    next.x = (x + h * v + a * (force(x, in_before) + c * in)) / (1.0 + a * (k + c));
    next.v = v + 0.5 * h / m * (force(x, in_before) + force(next.x, in));
    next.in_before = in;
    return next.x;
  }
};

/// What makes the next iterate of the last one and its residual.
class Acceleration {
 public:
  virtual ~Acceleration() = default;
  virtual void Next(Vector& iterate, const Vector& answer, const Vector& residual) = 0;
  /// The window's last residual was small enough.
  virtual void Converged(const Vector& answer, const Vector& residual) = 0;
};

class Aitken final : public Acceleration {
 public:
  void Next(Vector& iterate, const Vector&, const Vector& residual) override {
    if (before_.empty()) {
      factor_ = std::copysign(std::fmin(0.5, std::fabs(factor_)), factor_);
    } else {
      const Vector change = Minus(residual, before_);
      factor_ *= -Dot(before_, change) / Dot(change, change);
    }
    before_ = residual;
    AddTo(iterate, factor_, residual);
  }
  void Converged(const Vector&, const Vector&) override { before_.clear(); }

 private:
  double factor_ = 0.5;
  Vector before_;
};

class InterfaceQuasiNewton final : public Acceleration {
 public:
  void Next(Vector& iterate, const Vector& answer, const Vector& residual) override {
    Learn(answer, residual);
    Filter();
    if (columns_.empty()) {
      AddTo(iterate, 0.5, residual);
      return;
    }
    // c = argmin |V c + r| by V = Q R; the next iterate is the answer and W c.
    const std::size_t count = columns_.size();
    Vector c(count);
    for (std::size_t j = count; j-- > 0;) {
      c[j] = -Dot(q_[j], residual);
      for (std::size_t k = j + 1; k < count; ++k) c[j] -= r_[k][j] * c[k];
      c[j] /= r_[j][j];
    }
    iterate = answer;
    for (std::size_t j = 0; j < count; ++j) AddTo(iterate, c[j], columns_[j].of_answer);
  }
  void Converged(const Vector& answer, const Vector& residual) override {
    Learn(answer, residual);
    Filter();
    has_before_ = false;
    ++window_;
    while (!columns_.empty() && columns_.back().window + kReused < window_) columns_.pop_back();
  }

 private:
  static constexpr std::size_t kReused = 4;
  static constexpr double kLimit = 1e-2;
  struct Column {
    Vector of_residual, of_answer;
    std::size_t window;
  };
  void Learn(const Vector& answer, const Vector& residual) {
    if (has_before_) {
      columns_.push_front({Minus(residual, residual_before_), Minus(answer, answer_before_), window_});
    }
    answer_before_ = answer;
    residual_before_ = residual;
    has_before_ = true;
  }
  /// QR2: newest first; a column of which less than kLimit is new is dropped.
  void Filter() {
    q_.clear();
    r_.clear();
    for (std::size_t j = 0; j < columns_.size();) {
      Vector rest = columns_[j].of_residual;
      Vector shares;
      for (const Vector& q : q_) {
        shares.push_back(Dot(q, rest));
        AddTo(rest, -shares.back(), q);
      }
      const double length = Norm(rest);
      if (length == 0.0 || length < kLimit * Norm(columns_[j].of_residual)) {
        columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(j));
        continue;
      }
      shares.push_back(length);
      r_.push_back(shares);
      for (double& value : rest) value /= length;
      q_.push_back(rest);
      ++j;
    }
  }

  std::deque<Column> columns_;  // newest first
  std::vector<Vector> q_;       // a unit vector a column
  std::vector<Vector> r_;       // the column's shares of them; the last is its own length
  Vector answer_before_, residual_before_;
  bool has_before_ = false;
  std::size_t window_ = 0;
};

/// \returns the iterations of all windows
/// \throws std::runtime_error  a window does not converge in 200 iterations
inline int PeerIterations(const Problem2& problem, bool is_serial, const std::string& method, double relative,
                          double absolute) {
  std::unique_ptr<Acceleration> acceleration;
  if (method == "aitken") acceleration = std::make_unique<Aitken>();
  if (method == "quasi-newton") acceleration = std::make_unique<InterfaceQuasiNewton>();
  Participant a(problem, 0), b(problem, 1);
  // Serial: what the second one gives. Parallel: what both give.
  Vector iterate = is_serial ? Vector{b.x} : Vector{a.x, b.x};
  int iterations = 0;
  for (int window = 0; window < problem.steps; ++window) {
    for (int here = 1;; ++here) {
      if (here > 200)
        throw std::runtime_error("expected the peer to converge in 200 iterations, found that it does not");
      ++iterations;
      Participant next_a(a), next_b(b);
      const double of_a = a.Step(iterate.back(), next_a);
      const double of_b = b.Step(is_serial ? of_a : iterate[0], next_b);
      const Vector answer = is_serial ? Vector{of_b} : Vector{of_a, of_b};
      const Vector residual = Minus(answer, iterate);
      if (Norm(residual) <= relative * Norm(answer) || Norm(residual) <= absolute) {
        acceleration->Converged(answer, residual);
        iterate = answer;
        a = next_a;
        b = next_b;
        break;
      }
      acceleration->Next(iterate, answer, residual);
    }
  }
  return iterations;
}

}  // namespace openmi::loops
