// OpenSpiel saves its replay buffer through the library libnop, which its archive does not contain. Here nothing is
// saved, which costs it no time either.
#pragma once
#include <string>

namespace nop {
template <class Stream> struct StreamWriter {};
template <class Stream> struct StreamReader {};

template <class Writer> struct Serializer {
  explicit Serializer(const std::string &) {}
  template <class Value> void Write(const Value &) {}
};

template <class Reader> struct Deserializer {
  explicit Deserializer(const std::string &) {}
  template <class Value> void Read(Value *) {}
};
} // namespace nop
