#include "bmi-bridge/model/SolveFunctions.hpp"

#include <fmt/format.h>

namespace openmi::bmi {
namespace {

constexpr int kMostParts = 10'000;

void Require(const Model& model, int status, const char* function) {
  if (status == BMI_SUCCESS) return;
  throw ModelError(model.Place(function),
                   fmt::format("expected {} of the library to succeed, found status {}", function, status),
                   "look at what the library prints and writes");
}

}  // namespace

std::unique_ptr<SolveFunctions> SolveFunctions::Find(const Library& library) {
  if (library.Flavour() != Flavour::Flat) return nullptr;
  std::unique_ptr<SolveFunctions> found(new SolveFunctions);
  const auto find = [&library](auto*& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.Find(name));
    return function != nullptr;
  };
  find(found->get_subcomponent_count_, "get_subcomponent_count");
  const bool has_all = find(found->prepare_time_step_, "prepare_time_step") &&
                       find(found->prepare_solve_, "prepare_solve") && find(found->solve_, "solve") &&
                       find(found->finalize_solve_, "finalize_solve") &&
                       find(found->finalize_time_step_, "finalize_time_step");
  return has_all ? std::move(found) : nullptr;
}

void SolveFunctions::Begin(const Model& model, double step) {
  Require(model, prepare_time_step_(&step), "prepare_time_step");
  parts_ = 1;
  if (get_subcomponent_count_ != nullptr) Require(model, get_subcomponent_count_(&parts_), "get_subcomponent_count");
  if (parts_ < 1 || parts_ > kMostParts) {
    throw ModelError(model.Place("get_subcomponent_count"),
                     fmt::format("expected a number from 1 to {}, found {}", kMostParts, parts_));
  }
  for (int part = 1; part <= parts_; ++part) Require(model, prepare_solve_(&part), "prepare_solve");
}

bool SolveFunctions::Iterate(const Model& model) {
  bool all = true;
  for (int part = 1; part <= parts_; ++part) {
    int has_converged = 0;
    Require(model, solve_(&part, &has_converged), "solve");
    all = all && has_converged == 1;
  }
  return all;
}

void SolveFunctions::End(const Model& model) {
  for (int part = 1; part <= parts_; ++part) Require(model, finalize_solve_(&part), "finalize_solve");
  Require(model, finalize_time_step_(), "finalize_time_step");
}

}  // namespace openmi::bmi
