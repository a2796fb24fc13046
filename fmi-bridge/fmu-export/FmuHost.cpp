#include "fmi-bridge/fmu-export/FmuHost.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::fmu {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::chrono::milliseconds kSlice{200};  // the watcher rings when the other side goes

/// Waits until the other side is gone. A component may be in the middle of a long step then: it is given a moment, and
/// the process ends without it.
void WatchForEnd(int socket, Doorbell* bell) {
  pollfd state{socket, 0, 0};
  while (poll(&state, 1, -1) < 0 && errno == EINTR) {
  }
  bell->Ring();
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  _exit(1);
}

}  // namespace

FmuHost::FmuHost(std::filesystem::path resources, SharedMemory memory, int socket)
    : resources_(std::move(resources)),
      memory_(std::move(memory)),
      socket_(socket),
      page_(reinterpret_cast<SharedPage*>(memory_.Map(0, kValuesAt))) {
  std::thread(WatchForEnd, socket_, &page_->to_host).detach();
}

FmuHost::~FmuHost() {
  model_.reset();
}

bool FmuHost::IsConnected() const {
  pollfd state{socket_, 0, 0};
  return poll(&state, 1, 0) >= 0 && (state.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

bool FmuHost::ReadLetter() {
  const std::uint64_t size = page_->bytes;
  if (size > kLargestLetter) return false;
  letter_.resize(static_cast<std::size_t>(size));
  for (std::size_t got = 0; got < letter_.size();) {
    const ssize_t count = recv(socket_, letter_.data() + got, letter_.size() - got, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    got += static_cast<std::size_t>(count);
  }
  return true;
}

void FmuHost::Answer(Outcome outcome, std::string_view rest) {
  ParcelWriter head;
  head.Put(news_count_);
  const std::string letter =
      news_count_ == 0 && rest.empty() ? std::string() : head.Bytes() + news_.Bytes() + std::string(rest);
  news_.Clear();
  news_count_ = 0;
  page_->outcome = static_cast<std::uint32_t>(outcome);
  page_->bytes = letter.size();
  page_->to_library.Ring();
  std::string_view left = letter;
  while (!left.empty()) {
    const ssize_t sent = send(socket_, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;  // the other side is gone: Run sees it
    left.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void FmuHost::AddNews(const Problems& problems) {
  for (const Problem& problem : problems) {
    const Outcome outcome = problem.severity == Problem::Error     ? Outcome::Error
                            : problem.severity == Problem::Warning ? Outcome::Warning
                                                                   : Outcome::Ok;
    news_.Put(static_cast<std::uint32_t>(outcome));
    news_.Put(FormatProblem(problem));
    ++news_count_;
  }
}

bool FmuHost::Offer() {
  try {
    model_ = std::make_unique<outward::ExportedModel>(resources_);
    const outward::ExportInterface& interface = model_->Interface();
    const std::size_t bytes = interface.slots * sizeof(double);
    values_size_ = (bytes + kPage - 1) / kPage * kPage;
    memory_.Grow(kValuesAt + values_size_);
    if (values_size_ > 0) values_ = reinterpret_cast<double*>(memory_.Map(kValuesAt, values_size_));
    model_->UseValues(values_);
    model_->PutStartValues();
    page_->slots = interface.slots;
    ParcelWriter offer;
    offer.Put(std::string_view(interface.token));
    offer.Put((interface.keeps_state ? kKeepsState : 0U) | (interface.HasForm() ? kBeginsOnce : 0U));
    offer.Put(interface.texts);
    offer.Put(static_cast<std::uint32_t>(interface.variables.size()));
    for (const outward::ExportedVariable& variable : interface.variables) {
      offer.Put(variable.reference);
      offer.Put(variable.first);
      offer.Put(variable.count);
      offer.Put(static_cast<std::uint32_t>(variable.type));
      offer.Put(static_cast<std::uint32_t>(variable.role));
    }
    for (const std::string& text : model_->StartTexts()) offer.Put(std::string_view(text));
    Answer(Outcome::Ok, offer.Bytes());
    return true;
  } catch (const std::exception& error) {
    news_.Put(static_cast<std::uint32_t>(Outcome::Error));
    news_.Put(std::string_view(error.what()));
    ++news_count_;
    Answer(Outcome::Error, {});
    return false;
  }
}

std::string FmuHost::ChangedTexts() {
  ParcelWriter changed;
  for (const auto& [number, text] : model_->TakeChangedTexts()) {
    changed.Put(number);
    changed.Put(std::string_view(text));
  }
  return changed.Bytes();
}

Outcome FmuHost::Serve(Request request, std::string& rest) {
  switch (request) {
    case Request::Evaluate: {
      ParcelReader reader(letter_);
      std::vector<std::string> texts(model_->Interface().texts);
      for (std::string& text : texts) text = reader.TakeText();
      model_->Evaluate(page_->start, page_->has_stop != 0 ? std::optional(page_->stop) : std::nullopt,
                       std::move(texts));
      rest = ChangedTexts();
      return Outcome::Ok;
    }
    case Request::Step:
      model_->Step(page_->time, page_->step);
      rest = ChangedTexts();
      return Outcome::Ok;
    case Request::Terminate:
      model_->Terminate();
      return Outcome::Ok;
    case Request::Reset: {
      model_->Reset();
      ParcelWriter texts;
      for (const std::string& text : model_->StartTexts()) texts.Put(std::string_view(text));
      rest = texts.Bytes();
      return Outcome::Ok;
    }
    case Request::SaveState:
      page_->number = model_->SaveState(letter_);
      return Outcome::Ok;
    case Request::RestoreState:
      rest = model_->RestoreState(page_->number);
      return Outcome::Ok;
    case Request::FreeState:
      model_->FreeState(page_->number);
      return Outcome::Ok;
    case Request::StateToBytes:
      rest = model_->StateToBytes(page_->number);
      return Outcome::Ok;
    case Request::BytesToState:
      page_->number = model_->BytesToState(letter_);
      return Outcome::Ok;
    case Request::Hello:
      break;
  }
  throw RangeError({}, "expected a request that the runtime of an FMU knows, found another");
}

void FmuHost::Run() {
  const bool is_good = Offer();
  while (IsConnected()) {
    if (!page_->to_host.Wait(heard_, kSlice, 0)) continue;
    ++heard_;
    if (!IsConnected() || !ReadLetter()) return;
    std::string rest;
    Outcome outcome = Outcome::Error;
    try {
      if (is_good) outcome = Serve(static_cast<Request>(page_->request), rest);
    } catch (const std::exception& error) {
      news_.Put(static_cast<std::uint32_t>(Outcome::Error));
      news_.Put(std::string_view(error.what()));
      ++news_count_;
    } catch (...) {
      news_.Put(static_cast<std::uint32_t>(Outcome::Error));
      news_.Put("an exception that is not a std::exception");
      ++news_count_;
    }
    if (is_good) AddNews(model_->TakeNews());
    Answer(outcome, rest);
  }
}

}  // namespace openmi::fmu
