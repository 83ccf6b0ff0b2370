#pragma once
// The window's texts in another language, for tests of the window.

#include <cmath>
#include <mutex>
#include <set>
#include <utility>

#include <QRegularExpression>
#include <QTranslator>

#include "gui/language.h"

namespace casp::test {

/// A language that is 40 % longer than English: each text is followed by a part of itself. Notes what it is
/// asked for.
class LongerLanguage : public QTranslator {
public:
    using Message = std::pair<QString, QString>;  ///< context and source

    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* source, const char*,
                                    int) const override {
        const auto where = QString::fromUtf8(context);
        // Qt's own texts stay.
        if (where != "QObject" && where != "core" && !where.startsWith("casp::")) return {};
        const auto text = QString::fromUtf8(source);
        const std::lock_guard lock(mutex_);
        asked_.insert({where, text});
        return longer(text);
    }
    [[nodiscard]] static QString longer(const QString& text) {
        static const QRegularExpression kept("%L?[0-9n]+|</?[A-Za-z][^>]*>|`[^`]*`|[&\\n|]");
        auto letters = QString(text).remove(kept).simplified();
        // An address or a command is the same in every language.
        if (letters.isEmpty()) return text;
        letters.truncate(static_cast<qsizetype>(std::ceil(0.4 * static_cast<double>(letters.size()))));
        qsizetype end = text.size();
        while (end > 0 && text[end - 1].isSpace()) --end;
        return text.left(end) + (letters.size() > 2 ? ' ' + letters.chopped(1) : letters) + text.mid(end);
    }
    [[nodiscard]] std::set<Message> asked() const {
        const std::lock_guard lock(mutex_);
        return asked_;
    }

private:
    mutable std::mutex mutex_;  ///< texts are also translated on other threads
    mutable std::set<Message> asked_;
};

/// Removes the translations that install_language() has installed.
inline void remove_translations() {
    for (auto* translator : qApp->findChildren<QTranslator*>()) {
        QCoreApplication::removeTranslator(translator);
        delete translator;
    }
    (void)gui::install_language(*qApp, "en");
}

}  // namespace casp::test
