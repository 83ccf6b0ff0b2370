#pragma once
// Turns of threads that share the processors or memory.

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace casp {

/// Lets at most `at_once` threads work at a time, in the order in which they asked. Thread-safe.
class Turns {
public:
    explicit Turns(int at_once) : at_once_(at_once) {}

    /// Waits for a turn.
    void take();
    void give_back();
    /// Whether a thread waits for a turn.
    [[nodiscard]] bool wanted() const;

private:
    const std::int64_t at_once_;
    mutable std::mutex mutex_;
    std::condition_variable next_;
    std::int64_t asked_ = 0;
    std::int64_t given_back_ = 0;
};

/// A turn, from construction to destruction.
class Turn {
public:
    explicit Turn(Turns& turns) : turns_(turns) { turns_.take(); }
    ~Turn() { turns_.give_back(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    Turns& turns_;
};

}  // namespace casp
