// Small C++ objects by size: `new` and `delete` of the whole process.
//
// oneDNN knows compiled parts by their addresses, in each thread and for the process, and never forgets an address: half
// a kilobyte for each part that once lay somewhere. In a heap where other things come and go, the parts of each network
// lie elsewhere, and a run that publishes networks for months grows and grows, by more than that, since each such piece
// holds a page. Here an object takes the place of one of its size that is gone, so that there are only as many addresses
// as there were parts at once.
//
// What is larger than kLargest, and what the reserved addresses have no room for, comes from malloc.

#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

// Sizes are rounded up to it; it is the alignment that `new` owes.
constexpr size_t kGrain = 16;
constexpr size_t kLargest = 4096;
// All objects of a slab have one size.
constexpr size_t kSlab = 64 << 10;
// Addresses that are reserved; memory is taken slab by slab.
constexpr size_t kRegion = size_t{4} << 30;
constexpr size_t kSlabs = kRegion / kSlab;

struct Free {
  Free *next;
};

// The free places of one size.
struct Places {
  std::atomic_flag taken = ATOMIC_FLAG_INIT;
  Free *first = nullptr;
};

// Zero-initialised and never destroyed: objects come before and go after everything else.
Places all_places[kLargest / kGrain];
uint16_t index_of_slab[kSlabs];
std::atomic<size_t> slabs{0};

// Held for a few instructions; who holds it may have lost its core.
class Lock {
 public:
  explicit Lock(Places &places) : places(places) {
    for (int tries = 0; places.taken.test_and_set(std::memory_order_acquire); ++tries) {
      if (tries > 100) {
        sched_yield();
      }
    }
  }
  ~Lock() { places.taken.clear(std::memory_order_release); }

 private:
  Places &places;
};

// nullptr where the addresses are not to be had.
char *reserve() noexcept {
  void *region =
      mmap(nullptr, kRegion, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return region == MAP_FAILED ? nullptr : static_cast<char *>(region);
}

char *region() noexcept {
  static char *const reserved = reserve();
  return reserved;
}

// Cuts a new slab into places; false where there is none left.
bool add_slab(Places &places, size_t index) noexcept {
  char *const start = region();
  const size_t slab = start == nullptr ? kSlabs : slabs.fetch_add(1, std::memory_order_relaxed);
  if (slab >= kSlabs) {
    return false;
  }
  index_of_slab[slab] = static_cast<uint16_t>(index);
  const size_t size = (index + 1) * kGrain;
  // From the end, so that the lowest place is taken first.
  for (size_t place = kSlab / size; place-- > 0;) {
    places.first = new (start + slab * kSlab + place * size) Free{places.first};
  }
  return true;
}

void *take(size_t size) noexcept {
  const size_t index = size == 0 ? 0 : (size - 1) / kGrain;
  Places &places = all_places[index];
  const Lock lock(places);
  if (places.first == nullptr && !add_slab(places, index)) {
    return nullptr;
  }
  Free *const place = places.first;
  places.first = place->next;
  return place;
}

// false where the object is none of these.
bool give(void *object) noexcept {
  const auto offset = reinterpret_cast<uintptr_t>(object) - reinterpret_cast<uintptr_t>(region());
  if (region() == nullptr || offset >= kRegion) {
    return false;
  }
  Places &places = all_places[index_of_slab[offset / kSlab]];
  const Lock lock(places);
  places.first = new (object) Free{places.first};
  return true;
}

}  // namespace

// Bytes of all slabs.
extern "C" size_t garrison_pool_bytes() noexcept {
  const size_t taken = slabs.load(std::memory_order_relaxed);
  return (taken < kSlabs ? taken : kSlabs) * kSlab;
}

void *operator new(size_t size) {
  void *object = size <= kLargest ? take(size) : nullptr;
  while (object == nullptr) {
    object = std::malloc(size == 0 ? 1 : size);
    if (object != nullptr) {
      break;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) {
      throw std::bad_alloc();
    }
    handler();
  }
  return object;
}

void operator delete(void *object) noexcept {
  if (object != nullptr && !give(object)) {
    std::free(object);
  }
}

void operator delete(void *object, size_t) noexcept { operator delete(object); }
