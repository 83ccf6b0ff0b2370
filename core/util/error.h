#pragma once
// Errors that a user can act on.

#include <stdexcept>
#include <string>

namespace casp {

/// What kind of failure it was; decides the exit status of `caspstudio`.
enum class ErrorKind {
    input,       ///< bad file, setting or argument; nothing was started (exit 2)
    run,         ///< a run failed while it was going on (exit 1)
    interrupted  ///< stopped on request; can be resumed (exit 130)
};

/// A failure with everything a person needs to repair it.
///
/// what() is one sentence or a few: "<where>: <found>; expected <expected>. <advice>".
class Error : public std::runtime_error {
public:
    struct Parts {
        std::string where;     ///< file with line and column, or configuration key; may be empty
        std::string found;     ///< what is wrong
        std::string expected;  ///< what would have been right; may be empty
        std::string advice;    ///< what to do; may be empty
    };

    Error(ErrorKind kind, Parts parts);

    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
    [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

private:
    ErrorKind kind_;
    Parts parts_;
};

/// Short form of an input error.
[[nodiscard]] Error input_error(std::string where, std::string found, std::string expected = {},
                                std::string advice = {});
/// Short form of a failure during a run.
[[nodiscard]] Error run_error(std::string where, std::string found, std::string expected = {},
                              std::string advice = {});

/// Thrown where work stopped because its stop token asked for it.
class Cancelled : public Error {
public:
    Cancelled();
};

}  // namespace casp
