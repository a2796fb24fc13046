#include "examples/river-basin/runoff/TmSolver.hpp"

#include <array>
#include <mutex>
#include <utility>

#include "examples/river-basin/runoff/TmLibrary.hpp"
#include "openmi/sdk/Error.hpp"

namespace riverbasin {

namespace {

std::mutex library_lock;               // the library's globals, and the two below
const TmSolver* holder = nullptr;      // whose states the globals are
std::vector<double>* aside = nullptr;  // where they go when its turn ends

std::string Trimmed(std::string text) {
  const std::size_t last = text.find_last_not_of(' ');
  text.resize(last == std::string::npos ? 0 : last + 1);
  return text;
}

std::vector<double> GetStates() {
  int count = 0;
  tmnsta_(&count);
  std::vector<double> states(static_cast<std::size_t>(count));
  tmgets_(states.data());
  return states;
}

void EndTurn() {
  if (holder != nullptr) *aside = GetStates();
  holder = nullptr;
}

}  // namespace

void TmSolver::ReadFiles() const {
  int error = 0;
  const std::string class_file = classes_.empty() ? " " : classes_;
  tminit_(file_.c_str(), class_file.c_str(), &error, file_.size(), class_file.size());
  if (error == 0) return;
  std::string text(132, ' ');
  tmerr_(text.data(), text.size());
  const std::string problem = "expected an input file of the runoff solver, it answers: " + Trimmed(text);
  if (error == 1) throw openmi::FileError({.file = file_}, problem, "correct the arguments 'parameters' and 'classes'");
  throw openmi::FormatError({.file = file_}, problem, "examples/river-basin/legacy/tminit.f90 describes the file");
}

void TmSolver::TakeTurn() const {
  if (holder == this) return;
  EndTurn();
  ReadFiles();
  tmputs_(aside_.data());
  holder = this;
  aside = &aside_;
}

void TmSolver::Open(const std::string& file, const std::string& classes) {
  Close();
  const std::lock_guard lock(library_lock);
  EndTurn();
  file_ = file;
  classes_ = classes;
  ReadFiles();
  open_ = true;
  holder = this;
  aside = &aside_;
  int count = 0;
  tmsize_(&count, &step_hours_);
  catchments_.clear();
  for (int i = 1; i <= count; ++i) {
    std::string name(16, ' ');
    double area = 0.0;
    tmname_(&i, name.data(), &area, name.size());
    catchments_.push_back({Trimmed(name), area});
  }
}

void TmSolver::Close() {
  if (!std::exchange(open_, false)) return;
  const std::lock_guard lock(library_lock);
  if (holder != this) return;
  tmfin_();
  holder = nullptr;
}

void TmSolver::Step(std::span<const double> rain, std::span<const double> evaporation, std::span<double> discharge) {
  const std::lock_guard lock(library_lock);
  TakeTurn();
  tmstep_(rain.data(), evaporation.data(), discharge.data());
}

double TmSolver::Storage(std::size_t catchment) const {
  const std::lock_guard lock(library_lock);
  TakeTurn();
  const int number = static_cast<int>(catchment) + 1;
  std::array<double, 5> store{};
  tmstor_(&number, store.data());
  double sum = 0.0;
  for (const double part : store) sum += part;
  return sum;
}

TmSolver::Totals TmSolver::TotalsOf(std::size_t catchment) const {
  const std::lock_guard lock(library_lock);
  TakeTurn();
  const int number = static_cast<int>(catchment) + 1;
  std::array<double, 3> total{};
  tmtotl_(&number, total.data());
  return {total[0], total[1], total[2]};
}

std::vector<double> TmSolver::States() const {
  const std::lock_guard lock(library_lock);
  TakeTurn();
  return GetStates();
}

void TmSolver::SetStates(std::span<const double> states) {
  const std::lock_guard lock(library_lock);
  TakeTurn();
  tmputs_(states.data());
}

}  // namespace riverbasin
