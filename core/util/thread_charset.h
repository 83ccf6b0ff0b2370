#pragma once
// The character encoding that the C library assumes in one thread, whatever the locale of the process.

#include <locale.h>

namespace casp {

/// While it lives, functions of the C library take text in this thread as of this encoding (LC_CTYPE; numbers
/// and dates are those of "C"). libarchive converts the names in archives by it: to write UTF-8, it must be
/// UTF-8, which a program without setlocale(), or with LC_ALL=C, does not have; and to read the bytes of a
/// name as they are, ASCII, since it composes accents otherwise.
class ThreadCharset {
public:
    enum class Name {
        ascii,
        utf8  ///< changes nothing where the system has no UTF-8 locale
    };
    explicit ThreadCharset(Name name);
    ~ThreadCharset();
    ThreadCharset(const ThreadCharset&) = delete;
    ThreadCharset& operator=(const ThreadCharset&) = delete;

private:
    locale_t before_;
};

}  // namespace casp
