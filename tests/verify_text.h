#pragma once
// VERIFY_HAS(text, parts…): a text contains each of the parts; else the test fails and shows it.

#include <QtTest>

namespace casp::test {

/// Empty: nothing.
inline QByteArray lacking(const QString& text, const QStringList& parts) {
    for (const auto& part : parts)
        if (!text.contains(part)) return ('"' + part + "\" is not in: " + text).toUtf8();
    return {};
}

}  // namespace casp::test

#define VERIFY_HAS(text, ...)                                                \
    do {                                                                     \
        const auto lacking_parts = casp::test::lacking(text, {__VA_ARGS__}); \
        QVERIFY2(lacking_parts.isEmpty(), lacking_parts.constData());        \
    } while (false)
