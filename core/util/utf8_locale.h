#pragma once
// UTF-8 as the character encoding of one thread, whatever the locale of the process.

#include <locale.h>

namespace casp {

/// While it lives, functions of the C library take text in this thread as UTF-8 (LC_CTYPE; numbers and dates
/// are those of "C"). libarchive needs it: it converts the names in archives by the thread's locale, and a
/// program without setlocale(), or with LC_ALL=C, has one that knows ASCII only.
///
/// Without any UTF-8 locale on the system it changes nothing.
class Utf8Locale {
public:
    Utf8Locale();
    ~Utf8Locale();
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;

private:
    locale_t before_;
};

}  // namespace casp
