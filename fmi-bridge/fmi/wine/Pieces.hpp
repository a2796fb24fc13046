#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "fmi-bridge/fmi/abi/Fmi1.h"
#include "fmi-bridge/fmi/abi/Fmi2.h"
#include "fmi-bridge/fmi/abi/Fmi3.h"
#include "fmi-bridge/fmi/wine/Letter.hpp"

// How a parameter of a function of FMI travels: both halves of each kind, side by side.
//
// The runner calls Ask for each parameter in order, sends the letter, and calls Take for each with the reply. In the
// host a `Held` keeps the parameter: Open reads what Ask wrote, Reserve makes room for results in the reply, Argument
// is what the FMU gets, and Close writes what Take reads. Numbers K and S are places of parameters, from 0.
namespace openmi::fmi::wine {

/// The callbacks that an instance of any version is made with. The runner keeps those of the caller here; the FMU gets
/// those of the host, which send letters.
struct Callbacks {
  fmiCallbackFunctions functions1{};
  const fmi2CallbackFunctions* functions2 = nullptr;
  void* environment3 = nullptr;
  fmi3LogMessageCallback log3 = nullptr;
  fmi3IntermediateUpdateCallback moment3 = nullptr;
  fmi3ClockUpdateCallback clocks3 = nullptr;
  fmi3LockPreemptionCallback lock3 = nullptr;
  fmi3UnlockPreemptionCallback unlock3 = nullptr;
};

/// What the host can do for a piece.
struct Frame {
  LetterWriter reply;
  LetterWriter room;  ///< for what is not sent
  std::string path;
};

/// What most pieces leave out.
struct HeldPart {
  template <class All>
  void Reserve(Frame&, const All&) {}
  template <class All>
  void Close(Frame&, const All&) {}
};
struct AsksOnly {
  template <class P, class All>
  static void Take(LetterReader&, P, const All&) {}
};

/// A value.
struct Value : AsksOnly {
  template <class P, class All>
  static void Ask(LetterWriter& letter, P value, const All&, Callbacks&) {
    letter.Put(value);
  }
  template <class P>
  struct Held : HeldPart {
    void Open(LetterReader& letter, Frame&) { value = letter.Get<P>(); }
    P Argument(Frame&, void*, const Callbacks&) { return value; }
    P value;
  };
};

/// The instance: the host has only one.
struct Self : AsksOnly {
  template <class P, class All>
  static void Ask(LetterWriter&, P, const All&, Callbacks&) {}
  template <class P>
  struct Held : HeldPart {
    void Open(LetterReader&, Frame&) {}
    P Argument(Frame&, void* instance, const Callbacks&) { return instance; }
  };
};

/// An array to the FMU, of the length of parameter K.
template <std::size_t K>
struct In : AsksOnly {
  template <class T, class All>
  static void Ask(LetterWriter& letter, const T* values, const All& all, Callbacks&) {
    letter.PutArray(values, std::get<K>(all));
  }
  template <class P>
  struct Held : HeldPart {
    void Open(LetterReader& letter, Frame&) {
      std::size_t count = 0;
      values = letter.GetArray<std::remove_cv_t<std::remove_pointer_t<P>>>(count);
    }
    P Argument(Frame&, void*, const Callbacks&) { return values; }
    P values;
  };
};

/// An array from the FMU, of the length of parameter K.
template <std::size_t K>
struct Out {
  template <class T, class All>
  static void Ask(LetterWriter&, T*, const All&, Callbacks&) {}
  template <class T, class All>
  static void Take(LetterReader& reply, T* values, const All& all) {
    reply.CopyTo(values, std::get<K>(all));
  }
  template <class P>
  struct Held : HeldPart {
    using T = std::remove_pointer_t<P>;
    void Open(LetterReader&, Frame&) {}
    template <class All>
    void Reserve(Frame& frame, const All& all) {
      place = frame.reply.Extend(std::get<K>(all).value * sizeof(T));
    }
    P Argument(Frame& frame, void*, const Callbacks&) { return reinterpret_cast<P>(frame.reply.At(place)); }
    std::size_t place = 0;
  };
};

/// One value by its address, there and back.
struct Both {
  template <class T, class All>
  static void Ask(LetterWriter& letter, T* value, const All&, Callbacks&) {
    letter.Put(*value);
  }
  template <class T, class All>
  static void Take(LetterReader& reply, T* value, const All&) {
    *value = reply.Get<T>();
  }
  template <class P>
  struct Held : HeldPart {
    using T = std::remove_pointer_t<P>;
    void Open(LetterReader& letter, Frame&) { value = letter.Get<T>(); }
    template <class All>
    void Reserve(Frame& frame, const All&) {
      place = frame.reply.Extend(sizeof value);
      std::memcpy(frame.reply.At(place), &value, sizeof value);
    }
    P Argument(Frame& frame, void*, const Callbacks&) { return reinterpret_cast<P>(frame.reply.At(place)); }
    T value;
    std::size_t place = 0;
  };
};

/// A text, or null.
struct Text : AsksOnly {
  template <class All>
  static void Ask(LetterWriter& letter, const char* text, const All&, Callbacks&) {
    letter.PutText(text);
  }
  template <class P>
  struct Held : HeldPart {
    void Open(LetterReader& letter, Frame&) { text = letter.GetText(); }
    P Argument(Frame&, void*, const Callbacks&) { return text; }
    P text;
  };
};

/// The text that the FMU gets for a path or a file URI of this machine. Defined for each kind of host.
std::string LocalPath(const std::string& path);

/// A path or a file URI, or null.
struct Path : Text {
  template <class P>
  struct Held : HeldPart {
    void Open(LetterReader& letter, Frame& frame) {
      const char* const text = letter.GetText();
      is_there = text != nullptr;
      if (is_there) frame.path = LocalPath(text);
    }
    P Argument(Frame& frame, void*, const Callbacks&) { return is_there ? frame.path.c_str() : nullptr; }
    bool is_there = false;
  };
};

/// The list of pointers that Texts and Blobs hold, in the room of the host.
struct Pointers : HeldPart {
  void Make(Frame& frame, std::size_t length) {
    count = length;
    place = frame.room.Extend(count * sizeof(void*));
  }
  template <class P>
  P Array(Frame& frame) {
    return reinterpret_cast<P>(frame.room.At(place));
  }
  std::size_t place = 0;
  std::size_t count = 0;
};

/// Texts to the FMU, as many as parameter K says.
template <std::size_t K>
struct Texts : AsksOnly {
  template <class All>
  static void Ask(LetterWriter& letter, const char* const* texts, const All& all, Callbacks&) {
    letter.Put(std::uint64_t{std::get<K>(all)});
    for (std::size_t i = 0; i < std::get<K>(all); ++i) letter.PutText(texts[i]);
  }
  template <class P>
  struct Held : Pointers {
    void Open(LetterReader& letter, Frame& frame) {
      Make(frame, letter.Get<std::uint64_t>());
      for (std::size_t i = 0; i < count; ++i) Array<const char**>(frame)[i] = letter.GetText();
    }
    P Argument(Frame& frame, void*, const Callbacks&) { return Array<P>(frame); }
  };
};

/// Pointers that the FMU fills, as many as parameter K says.
template <class P, std::size_t K>
struct Filled : Pointers {
  void Open(LetterReader&, Frame&) {}
  template <class All>
  void Reserve(Frame& frame, const All& all) {
    Make(frame, std::get<K>(all).value);
  }
  P Argument(Frame& frame, void*, const Callbacks&) { return Array<P>(frame); }
};

/// Texts from the FMU, as many as parameter K says. They stay until the next call of the instance.
template <std::size_t K>
struct TextsOut {
  template <class All>
  static void Ask(LetterWriter&, const char**, const All&, Callbacks&) {}
  template <class All>
  static void Take(LetterReader& reply, const char** texts, const All& all) {
    for (std::size_t i = 0; i < std::get<K>(all); ++i) texts[i] = reply.GetText();
  }
  template <class P>
  struct Held : Filled<P, K> {
    template <class All>
    void Close(Frame& frame, const All&) {
      for (std::size_t i = 0; i < this->count; ++i) frame.reply.PutText(this->template Array<P>(frame)[i]);
    }
  };
};

/// Binaries to the FMU: parameter S has their sizes, parameter K their number.
template <std::size_t S, std::size_t K>
struct Blobs : AsksOnly {
  template <class P, class All>
  static void Ask(LetterWriter& letter, P blobs, const All& all, Callbacks&) {
    letter.Put(std::uint64_t{std::get<K>(all)});
    for (std::size_t i = 0; i < std::get<K>(all); ++i) letter.PutArray(blobs[i], std::get<S>(all)[i]);
  }
  template <class P>
  struct Held : Pointers {
    void Open(LetterReader& letter, Frame& frame) {
      Make(frame, letter.Get<std::uint64_t>());
      std::size_t size = 0;
      for (std::size_t i = 0; i < count; ++i) {
        Array<const std::uint8_t**>(frame)[i] = letter.GetArray<std::uint8_t>(size);
      }
    }
    P Argument(Frame& frame, void*, const Callbacks&) { return Array<P>(frame); }
  };
};

/// Binaries from the FMU: parameter S, before this one, has their sizes, parameter K their number. They stay until the
/// next call of the instance.
template <std::size_t S, std::size_t K>
struct BlobsOut {
  template <class P, class All>
  static void Ask(LetterWriter&, P, const All&, Callbacks&) {}
  template <class P, class All>
  static void Take(LetterReader& reply, P blobs, const All& all) {
    for (std::size_t i = 0; i < std::get<K>(all); ++i) {
      std::size_t size = 0;
      blobs[i] = reply.GetArray<std::uint8_t>(size);
      std::get<S>(all)[i] = size;
    }
  }
  template <class P>
  struct Held : Filled<P, K> {
    template <class All>
    void Close(Frame& frame, const All& all) {
      for (std::size_t i = 0; i < this->count; ++i) {  // the sizes move while the reply grows
        const auto* const sizes = reinterpret_cast<const std::size_t*>(frame.reply.At(std::get<S>(all).place));
        frame.reply.PutArray(this->template Array<P>(frame)[i], sizes[i]);
      }
    }
  };
};

/// A callback that the caller passes: the FMU gets the host's own, or null where it is null.
template <auto kMember>
struct Callback : AsksOnly {
  template <class P, class All>
  static void Ask(LetterWriter& letter, P value, const All&, Callbacks& callbacks) {
    callbacks.*kMember = value;
    if constexpr (std::is_pointer_v<P>) letter.Put(value != nullptr);
  }
  template <class P>
  struct Held : HeldPart {
    void Open(LetterReader& letter, Frame&) {
      if constexpr (std::is_pointer_v<P>) is_there = letter.Get<bool>();
    }
    P Argument(Frame&, void*, const Callbacks& callbacks) { return is_there ? callbacks.*kMember : P{}; }
    bool is_there = true;
  };
};

}  // namespace openmi::fmi::wine
