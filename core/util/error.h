#pragma once
// Error types with place, finding, expectation and advice.

#include <stdexcept>
#include <stop_token>
#include <string>

#include "util/phrase.h"

namespace casp {

/// Kind of failure; determines the exit status of `caspstudio`.
enum class ErrorKind {
    input,       ///< bad file, setting or argument; nothing was started (exit 2)
    run,         ///< a started run failed (exit 1)
    interrupted  ///< stopped on request; can be resumed (exit 130)
};

/// A failure, with what the user needs to correct it.
///
/// what() is "<where>: <found>; expected <expected>. <advice>"; empty parts are omitted.
class Error : public std::runtime_error {
public:
    struct Parts {
        Phrase where;     ///< file with line and column, or configuration key; may be empty
        Phrase found;     ///< what is wrong
        Phrase expected;  ///< what would be correct; may be empty
        Phrase advice;    ///< what to do; may be empty
    };

    Error(ErrorKind kind, Parts parts);

    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
    [[nodiscard]] const Parts& parts() const noexcept { return parts_; }
    /// what() as a phrase.
    [[nodiscard]] Phrase phrase() const;

private:
    ErrorKind kind_;
    Parts parts_;
};

/// The message of an exception.
[[nodiscard]] Phrase phrase_of(const std::exception& failure);

/// Creates an Error of kind `input`.
[[nodiscard]] Error input_error(Phrase where, Phrase found, Phrase expected = {}, Phrase advice = {});
/// Creates an Error of kind `run`.
[[nodiscard]] Error run_error(Phrase where, Phrase found, Phrase expected = {}, Phrase advice = {});

/// Thrown by work that a stop request ended.
class Cancelled : public Error {
public:
    Cancelled();
};

/// Throws Cancelled if a stop was requested.
inline void throw_if_stopped(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled();
}

}  // namespace casp
