#include <QAction>
#include <QLocale>

#include "gui/actions.h"
#include "gui/info_bar.h"
#include "gui/language.h"
#include "gui/menus.h"
#include "gui/notices.h"

namespace casp::gui {

namespace {

const auto language_id = QStringLiteral("view.language-");
const auto system_choice = QStringLiteral("system");
const auto notice_key = QStringLiteral("language");

void show_choice(const ActionList& actions) {
    const auto chosen = chosen_language();
    actions.find(language_id + system_choice)->setChecked(chosen == system_choice);
    for (const auto& language : languages())
        actions.find(language_id + language.code)->setChecked(chosen == language.code);
}

void choose(const ActionList& actions, const Notices& notices, const QString& choice) {
    choose_language(choice);
    show_choice(actions);
    notices.bar().remove(notice_key);
    if (qEnvironmentVariableIsSet("CASP_LANGUAGE"))
        notices.bar().show_message(
            notice_key,
            QObject::tr("The environment variable CASP_LANGUAGE overrides the language chosen here."));
    else if (language_for(choice, QLocale::system().uiLanguages()) != language_in_use())
        notices.bar().show_message(notice_key,
                                   QObject::tr("The new language is used from the next start on."));
}

}  // namespace

void add_language_actions(ActionList& actions, Notices& notices) {
    int key = 0;
    const auto add = [&](const QString& code, const QString& text) {
        ActionSpec spec{language_id + code,
                        QObject::tr("&View") + QLatin1Char('/') + QObject::tr("Lan&guage"),
                        text,
                        QObject::tr("Language of the window, from the next start on"),
                        QKeySequence(QStringLiteral("Ctrl+Alt+L, %1").arg(key++)),
                        QStringLiteral("language Chinese English 语言 中文 ") + QObject::tr("language")};
        spec.checkable = true;
        actions.add(spec, [&actions, &notices, code] { choose(actions, notices, code); });
    };
    add(system_choice, QObject::tr("&System language"));
    for (const auto& language : languages()) add(language.code, language.name);
    show_choice(actions);
}

}  // namespace casp::gui
