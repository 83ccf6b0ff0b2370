#pragma once
// Texts of actions and buttons without their mnemonics.

#include <QRegularExpression>
#include <QString>

namespace casp::widgets {

/// "&Open…" → "Open…", "打开(&O)…" → "打开…".
[[nodiscard]] inline QString without_mnemonic(QString text) {
    static const QRegularExpression appended(QStringLiteral("\\s*\\(&\\w\\)"));
    return text.remove(appended).remove(QLatin1Char('&'));
}

}  // namespace casp::widgets
