#include "words/plain_text.h"

#include <QRegularExpression>
#include <QStringList>

#include "util/error.h"
#include "util/out_of_memory.h"
#include "words/core_message.h"

namespace casp::widgets {

namespace {

/// Advice without the sentences about options of the command line, but for places where the window has the
/// same (another --out folder, the catalogue).
QString without_options(const std::string& advice) {
    static const QRegularExpression end(QStringLiteral("(?<=[.?!]) (?=[A-Z])")),
        option(QStringLiteral("--(?!out |out$|list-)"));
    QStringList kept;
    for (const auto& sentence : QString::fromStdString(advice).split(end))
        if (!sentence.contains(option)) kept << sentence;
    return kept.join(u' ');
}

}  // namespace

QString plain_text(const std::exception& failure) {
    if (const auto* error = dynamic_cast<const Error*>(&failure)) {
        const auto& parts = error->parts();
        return translated_message(QString::fromStdString(parts.where), QString::fromStdString(parts.found),
                                  QString::fromStdString(parts.expected), without_options(parts.advice));
    }
    return translated_message(casp::plain_message(failure));
}

}  // namespace casp::widgets
