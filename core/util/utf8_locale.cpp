#include "util/utf8_locale.h"

#include <langinfo.h>

#include <string_view>

namespace casp {

namespace {

/// Never freed: threads may use it until the program ends. Null: there is none.
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

Utf8Locale::Utf8Locale() : before_(::uselocale(utf8_locale())) {}

Utf8Locale::~Utf8Locale() { ::uselocale(before_); }

}  // namespace casp
