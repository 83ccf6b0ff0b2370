#include "util/thread_charset.h"

#include <langinfo.h>

#include <string_view>

namespace casp {

namespace {

// Locales are never freed: threads may use them until the program ends. A null one changes nothing.

locale_t ascii_locale() {
    static const locale_t found = ::newlocale(LC_ALL_MASK, "C", locale_t{});
    return found;
}

locale_t utf8_locale() {
    static const locale_t found = [] {
        // The last one is the user's own, for systems without C.UTF-8 (glibc before 2.35).
        for (const char* name : {"C.UTF-8", "en_US.UTF-8", ""}) {
            const locale_t locale = ::newlocale(LC_CTYPE_MASK, name, locale_t{});
            if (locale == locale_t{}) continue;
            if (std::string_view(::nl_langinfo_l(CODESET, locale)) == "UTF-8") return locale;
            ::freelocale(locale);
        }
        return locale_t{};
    }();
    return found;
}

}  // namespace

ThreadCharset::ThreadCharset(Name name)
    : before_(::uselocale(name == Name::ascii ? ascii_locale() : utf8_locale())) {}

ThreadCharset::~ThreadCharset() { ::uselocale(before_); }

}  // namespace casp
