#include "gui/language.h"

#include <algorithm>
#include <memory>

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QSettings>
#include <QTranslator>

#include "util/embedded.h"
#include "words/core_text.h"

/// The resources are in a static library. Not in a namespace: the macro declares a function.
static void make_translations_available() { Q_INIT_RESOURCE(translations); }

namespace casp::gui {

namespace {

const auto english = QStringLiteral("en");

QString& code_in_use() {
    static QString code = english;
    return code;
}

bool is_known(const QString& code) {
    return std::any_of(languages().begin(), languages().end(),
                       [&](const Language& language) { return language.code == code; });
}

/// "zh-Hans-CN" → "zh_CN", "en-GB" → "en"; empty: the window does not have it.
QString language_of_locale(const QString& locale) {
    const auto parts = QString(locale).replace(QLatin1Char('_'), QLatin1Char('-')).split(QLatin1Char('-'));
    if (parts.front() == QLatin1String("zh")) {
        if (parts.contains(QLatin1String("Hans"))) return QStringLiteral("zh_CN");
        for (const auto* traditional : {"Hant", "TW", "HK", "MO"})
            if (parts.contains(QLatin1String(traditional))) return {};
        return QStringLiteral("zh_CN");
    }
    return is_known(parts.front()) ? parts.front() : QString();
}

QString embedded_page(const QString& path) {
    for (const auto& file : embedded_files())
        if (file.path == path.toStdString())
            return QString::fromUtf8(file.text.data(), static_cast<qsizetype>(file.text.size()));
    return {};
}

}  // namespace

const std::vector<Language>& languages() {
    static const std::vector<Language> all{
        {english, QStringLiteral("English")},
        {QStringLiteral("zh_CN"), QStringLiteral("简体中文 (Chinese, simplified)")}};
    return all;
}

QString chosen_language() {
    const auto wanted = qEnvironmentVariable("CASP_LANGUAGE");
    if (!wanted.isEmpty()) return wanted;
    return QSettings().value(QStringLiteral("language"), QStringLiteral("system")).toString();
}

void choose_language(const QString& choice) { QSettings().setValue(QStringLiteral("language"), choice); }

QString language_for(const QString& choice, const QStringList& preferred) {
    if (is_known(choice)) return choice;
    for (const auto& locale : preferred)
        if (const auto code = language_of_locale(locale); !code.isEmpty()) return code;
    return english;
}

bool install_language(QCoreApplication& application, const QString& code) {
    make_translations_available();
    if (code == english) {
        code_in_use() = code;
        return true;
    }
    auto ours = std::make_unique<QTranslator>(&application);
    if (!ours->load(QStringLiteral(":/translations/caspstudio_%1.qm").arg(code))) return false;
    // Ours last: it is searched first.
    auto qts = std::make_unique<QTranslator>(&application);
    if (qts->load(QStringLiteral("qtbase_") + code, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(qts.release());
    QCoreApplication::installTranslator(ours.release());
    code_in_use() = code;
    return true;
}

QString language_in_use() { return code_in_use(); }

QString help_page(const QString& topic) {
    const auto translated =
        embedded_page(QStringLiteral("resources/help/%1/%2.md").arg(language_in_use(), topic));
    return translated.isEmpty() ? embedded_page(QStringLiteral("resources/help/%1.md").arg(topic))
                                : translated;
}

}  // namespace casp::gui
