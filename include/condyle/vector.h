// vector.h: the strings and growable arrays that the structs of mjspec.h point to.
//
// In C they are small structs: pointer, number of items, capacity. Read them directly or through
// mjs_getString and mjs_getDouble, write them only through mjs_setString, mjs_setDouble,
// mjs_appendString, ... In C++ the same bytes are classes that behave like std::string and
// std::vector and convert from and to them, so that code written for those containers compiles:
// `*spec->modelname = "arm"`, `mesh->uservert->push_back(x)`, `for (double x : *key->qpos)`. Memory
// always comes from cnd_resizeBuffer inside the library. So both languages, and programs with
// another C run-time library, may grow and free the same object.

#ifndef CONDYLE_VECTOR_H_
#define CONDYLE_VECTOR_H_

#include <mujoco/mjexport.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Resizes a buffer of the containers below and keeps its contents. 0 bytes free it and return NULL.
// If memory runs out it returns NULL and keeps the buffer; the C++ containers then throw
// std::bad_alloc.
MJAPI void* cnd_resizeBuffer(void* buffer, size_t bytes);

#ifdef __cplusplus
}

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace condyle {

inline void* resized(void* buffer, size_t bytes) {
  void* moved = cnd_resizeBuffer(buffer, bytes);
  if (!moved) {
    throw std::bad_alloc();
  }
  return moved;
}

// Text with a terminating 0 that `num` does not count; ptr is nullptr while empty.
struct String {
  char* ptr = nullptr;
  size_t num = 0;
  size_t cap = 0;

  String() = default;
  String(const String& other) {
    assign(other.data(), other.num);
  }
  String(String&& other) noexcept {
    swap(other);
  }
  String(const char* text) {
    assign(text, std::strlen(text));
  }
  String(const std::string& text) {
    assign(text.data(), text.size());
  }
  ~String() {
    cnd_resizeBuffer(ptr, 0);
  }

  String& operator=(const String& other) {
    return this == &other ? *this : assign(other.data(), other.num);
  }
  String& operator=(String&& other) noexcept {
    swap(other);
    return *this;
  }
  String& operator=(const char* text) {
    return *this = String(text);
  }
  String& operator=(const std::string& text) {
    return assign(text.data(), text.size());
  }
  String& operator+=(const std::string& text) {
    return *this = str() + text;
  }
  String& operator+=(char letter) {
    return *this = str() + letter;
  }
  String& append(const std::string& text) {
    return *this += text;
  }
  void push_back(char letter) {
    *this += letter;
  }
  String& assign(const char* text, size_t count) {
    if (count + 1 > cap) {
      ptr = static_cast<char*>(resized(ptr, count + 1));
      cap = count + 1;
    }
    if (count) {
      std::memcpy(ptr, text, count);
    }
    ptr[count] = 0;
    num = count;
    return *this;
  }
  void clear() {
    assign("", 0);
  }
  void swap(String& other) noexcept {
    std::swap(ptr, other.ptr);
    std::swap(num, other.num);
    std::swap(cap, other.cap);
  }

  const char* c_str() const {
    return ptr ? ptr : "";
  }
  const char* data() const {
    return c_str();
  }
  size_t size() const {
    return num;
  }
  size_t length() const {
    return num;
  }
  bool empty() const {
    return num == 0;
  }
  char operator[](size_t i) const {
    return c_str()[i];
  }
  char& operator[](size_t i) {
    return ptr[i];
  }
  char front() const {
    return c_str()[0];
  }
  char back() const {
    return c_str()[num - 1];
  }
  const char* begin() const {
    return c_str();
  }
  const char* end() const {
    return c_str() + num;
  }
  std::string str() const {
    return std::string(c_str(), num);
  }
  operator std::string() const {
    return str();
  }

  static constexpr size_t npos = std::string::npos;
  size_t find(const std::string& part, size_t from = 0) const {
    return str().find(part, from);
  }
  size_t rfind(const std::string& part, size_t from = npos) const {
    return str().rfind(part, from);
  }
  std::string substr(size_t from = 0, size_t count = npos) const {
    return str().substr(from, count);
  }
  int compare(const std::string& other) const {
    return str().compare(other);
  }
};

inline bool operator==(const String& a, const String& b) {
  return a.num == b.num && std::memcmp(a.c_str(), b.c_str(), a.num) == 0;
}
inline bool operator==(const String& a, const std::string& b) {
  return a.str() == b;
}
inline bool operator==(const std::string& a, const String& b) {
  return b.str() == a;
}
inline bool operator==(const String& a, const char* b) {
  return std::strcmp(a.c_str(), b) == 0;
}
inline bool operator==(const char* a, const String& b) {
  return b == a;
}
inline bool operator!=(const String& a, const String& b) {
  return !(a == b);
}
inline bool operator!=(const String& a, const std::string& b) {
  return !(a == b);
}
inline bool operator!=(const std::string& a, const String& b) {
  return !(a == b);
}
inline bool operator!=(const String& a, const char* b) {
  return !(a == b);
}
inline bool operator!=(const char* a, const String& b) {
  return !(a == b);
}
inline bool operator<(const String& a, const String& b) {
  return a.str() < b.str();
}
inline std::string operator+(const String& a, const String& b) {
  return a.str() + b.str();
}
inline std::string operator+(const String& a, const char* b) {
  return a.str() + b;
}
inline std::string operator+(const char* a, const String& b) {
  return a + b.str();
}
inline std::string operator+(const String& a, const std::string& b) {
  return a.str() + b;
}
inline std::string operator+(const std::string& a, const String& b) {
  return a + b.str();
}
inline std::ostream& operator<<(std::ostream& stream, const String& text) {
  return stream << text.c_str();
}

// Array of items that may be moved as bytes: numbers, and strings and arrays of this file. An array
// of zeros is empty.
template <typename T>
struct Vector {
  T* ptr = nullptr;
  size_t num = 0;
  size_t cap = 0;

  using value_type = T;
  using size_type = size_t;
  using iterator = T*;
  using const_iterator = const T*;

  Vector() = default;
  Vector(const Vector& other) {
    assign(other.begin(), other.end());
  }
  Vector(Vector&& other) noexcept {
    swap(other);
  }
  Vector(std::initializer_list<T> items) {
    assign(items.begin(), items.end());
  }
  template <typename U>
  Vector(const std::vector<U>& items) {
    assign(items.begin(), items.end());
  }
  ~Vector() {
    clear();
    cnd_resizeBuffer(ptr, 0);
  }

  Vector& operator=(const Vector& other) {
    if (this != &other) {
      assign(other.begin(), other.end());
    }
    return *this;
  }
  Vector& operator=(Vector&& other) noexcept {
    swap(other);
    return *this;
  }
  Vector& operator=(std::initializer_list<T> items) {
    assign(items.begin(), items.end());
    return *this;
  }
  template <typename U>
  Vector& operator=(const std::vector<U>& items) {
    assign(items.begin(), items.end());
    return *this;
  }

  template <typename Iterator>
  void assign(Iterator first, Iterator last) {
    Vector items;
    for (; first != last; ++first) {
      items.emplace_back(*first);
    }
    swap(items);
  }
  void assign(size_t count, const T& value) {
    Vector items;
    items.resize(count, value);
    swap(items);
  }
  void reserve(size_t count) {
    if (count > cap) {
      ptr = static_cast<T*>(resized(static_cast<void*>(ptr), count * sizeof(T)));
      cap = count;
    }
  }
  template <typename... Args>
  T& emplace_back(Args&&... args) {
    T item(std::forward<Args>(args)...);
    if (num == cap) {
      reserve(cap ? 2 * cap : 4);
    }
    new (static_cast<void*>(ptr + num)) T(std::move(item));
    return ptr[num++];
  }
  void push_back(const T& value) {
    emplace_back(value);
  }
  void pop_back() {
    ptr[--num].~T();
  }
  void resize(size_t count, const T& value = T()) {
    while (num > count) {
      pop_back();
    }
    reserve(count);
    while (num < count) {
      emplace_back(value);
    }
  }
  void clear() {
    while (num) {
      pop_back();
    }
  }
  template <typename Iterator>
  iterator insert(const_iterator place, Iterator first, Iterator last) {
    size_t at = static_cast<size_t>(place - ptr), before = num;
    Vector items;
    items.assign(first, last);
    for (const T& item : items) {
      push_back(item);
    }
    std::rotate(begin() + at, begin() + before, end());
    return begin() + at;
  }
  iterator insert(const_iterator place, const T& value) {
    return insert(place, &value, &value + 1);
  }
  iterator erase(const_iterator first, const_iterator last) {
    size_t at = static_cast<size_t>(first - ptr), count = static_cast<size_t>(last - first);
    std::rotate(begin() + at, begin() + at + count, end());
    while (count--) {
      pop_back();
    }
    return begin() + at;
  }
  iterator erase(const_iterator place) {
    return erase(place, place + 1);
  }
  void swap(Vector& other) noexcept {
    std::swap(ptr, other.ptr);
    std::swap(num, other.num);
    std::swap(cap, other.cap);
  }

  T* data() {
    return ptr;
  }
  const T* data() const {
    return ptr;
  }
  size_t size() const {
    return num;
  }
  size_t capacity() const {
    return cap;
  }
  bool empty() const {
    return num == 0;
  }
  T& operator[](size_t i) {
    return ptr[i];
  }
  const T& operator[](size_t i) const {
    return ptr[i];
  }
  T& at(size_t i) {
    return i < num ? ptr[i] : throw std::out_of_range("index of a condyle::Vector");
  }
  const T& at(size_t i) const {
    return i < num ? ptr[i] : throw std::out_of_range("index of a condyle::Vector");
  }
  T& front() {
    return ptr[0];
  }
  const T& front() const {
    return ptr[0];
  }
  T& back() {
    return ptr[num - 1];
  }
  const T& back() const {
    return ptr[num - 1];
  }
  T* begin() {
    return ptr;
  }
  T* end() {
    return num ? ptr + num : ptr;
  }
  const T* begin() const {
    return ptr;
  }
  const T* end() const {
    return num ? ptr + num : ptr;
  }
  template <typename U>
  operator std::vector<U>() const {
    return std::vector<U>(begin(), end());
  }
};

template <typename T>
bool operator==(const Vector<T>& a, const Vector<T>& b) {
  if (a.num != b.num) {
    return false;
  }
  for (size_t i = 0; i < a.num; i++) {
    if (!(a.ptr[i] == b.ptr[i])) {
      return false;
    }
  }
  return true;
}
template <typename T, typename U>
bool operator==(const Vector<T>& a, const std::vector<U>& b) {
  return a == Vector<T>(b);
}
template <typename T, typename U>
bool operator==(const std::vector<U>& a, const Vector<T>& b) {
  return b == a;
}
template <typename T>
bool operator!=(const Vector<T>& a, const Vector<T>& b) {
  return !(a == b);
}
template <typename T, typename U>
bool operator!=(const Vector<T>& a, const std::vector<U>& b) {
  return !(a == b);
}
template <typename T, typename U>
bool operator!=(const std::vector<U>& a, const Vector<T>& b) {
  return !(b == a);
}

}  // namespace condyle

using mjString = condyle::String;
using mjStringVec = condyle::Vector<condyle::String>;
using mjIntVec = condyle::Vector<int>;
using mjIntVecVec = condyle::Vector<condyle::Vector<int>>;
using mjFloatVec = condyle::Vector<float>;
using mjFloatVecVec = condyle::Vector<condyle::Vector<float>>;
using mjDoubleVec = condyle::Vector<double>;
using mjByteVec = condyle::Vector<std::byte>;

#else

typedef struct mjString_ {  // text, followed by a 0 byte that num does not count
  char* ptr;                // NULL while empty
  size_t num;               // number of characters
  size_t cap;               // bytes allocated
} mjString;

typedef struct mjStringVec_ {  // texts
  mjString* ptr;
  size_t num;
  size_t cap;
} mjStringVec;

typedef struct mjIntVec_ {  // integers
  int* ptr;
  size_t num;
  size_t cap;
} mjIntVec;

typedef struct mjIntVecVec_ {  // lists of integers
  mjIntVec* ptr;
  size_t num;
  size_t cap;
} mjIntVecVec;

typedef struct mjFloatVec_ {  // single precision numbers
  float* ptr;
  size_t num;
  size_t cap;
} mjFloatVec;

typedef struct mjFloatVecVec_ {  // lists of single precision numbers
  mjFloatVec* ptr;
  size_t num;
  size_t cap;
} mjFloatVecVec;

typedef struct mjDoubleVec_ {  // double precision numbers
  double* ptr;
  size_t num;
  size_t cap;
} mjDoubleVec;

typedef struct mjByteVec_ {  // raw bytes
  unsigned char* ptr;
  size_t num;
  size_t cap;
} mjByteVec;

#endif

#endif  // CONDYLE_VECTOR_H_
