#pragma once
// File descriptors with an owner, pipes, and writing all of some bytes.

#include <cerrno>
#include <string_view>
#include <utility>

namespace casp {

/// A descriptor that is closed with its owner.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor();
    [[nodiscard]] int get() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }

private:
    int number_;
};

/// Both ends of a pipe; programs that are started do not inherit them. Throws a run Error if no pipe can be
/// made.
struct Pipe {
    Pipe();
    Descriptor reading, writing;
};

/// /dev/null, to read and to write. Throws a run Error if it cannot be opened.
[[nodiscard]] Descriptor open_nothing();

/// Repeats a system call that a signal interrupts: on network file systems Ctrl+C must not look like a disk
/// error.
template <class Call>
auto repeated(const Call& call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

/// Writes all bytes to a descriptor that blocks. Returns 0 or errno.
[[nodiscard]] int write_all(int descriptor, std::string_view bytes);

}  // namespace casp
