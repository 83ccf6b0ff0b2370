#include "words/plain_text.h"

#include <array>

#include <QRegularExpression>
#include <QStringList>

#include "util/error.h"
#include "util/out_of_memory.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

/// Advice without the sentences about options of the command line, but for places where the window has the
/// same (another --out folder, the catalogue).
QString without_options(const QString& advice) {
    static const QRegularExpression end(QStringLiteral("(?<=[.?!] )(?=[A-Z])|(?<=[。？！])(?=.)")),
        option(QStringLiteral("--(?!out\\b|list-)"));
    QString kept;
    for (const auto& sentence : advice.split(end))
        if (!sentence.contains(option)) kept += sentence;
    return kept.trimmed();
}

/// How messages are put together, here and in core (util/error.cpp).
[[maybe_unused]] constexpr std::array frames{
    QT_TRANSLATE_NOOP("core", "%1: %2"), QT_TRANSLATE_NOOP("core", "%1; expected %2"),
    QT_TRANSLATE_NOOP("core", "%1."), QT_TRANSLATE_NOOP("core", "%1 %2")};

QString framed(const char* frame, const QString& first, const QString& second) {
    return translated(Phrase(frame, first.toStdString(), second.toStdString()));
}

}  // namespace

QString plain_text(const std::exception& failure) {
    const auto* error = dynamic_cast<const Error*>(&failure);
    if (error == nullptr) return translated(casp::plain_message(failure));
    const auto& [where, found, expected, advice] = error->parts();
    return joined_message(
        where.arguments().empty() ? QString::fromStdString(where.text()) : translated(where),
        translated(found), translated(expected), without_options(translated(advice)));
}

QString joined_message(const QString& where, const QString& found, const QString& expected,
                       const QString& advice) {
    auto text = expected.isEmpty() ? found : framed("%1; expected %2", found, expected);
    if (!where.isEmpty()) text = framed("%1: %2", where, text);
    if (!text.endsWith(u'.') && !text.endsWith(u'。')) text = framed("%1.", text, {});
    return advice.isEmpty() ? text : framed("%1 %2", text, advice);
}

}  // namespace casp::widgets
