#include "gui/language_actions.h"

#include <utility>

#include <QAction>
#include <QLocale>

#include "gui/actions.h"
#include "gui/info_bar.h"
#include "gui/language.h"
#include "gui/notices.h"

namespace casp::gui {

namespace {

const auto language_id = QStringLiteral("view.language-");
const auto system_choice = QStringLiteral("system");
const auto notice_key = QStringLiteral("language");

}  // namespace

LanguageActions::LanguageActions(ActionList& actions, Notices& notices, std::function<void()> restart,
                                 std::function<QString()> why_not_restart, QObject* parent)
    : QObject(parent),
      actions_(actions),
      notices_(notices),
      restart_(std::move(restart)),
      why_not_restart_(std::move(why_not_restart)) {
    int key = 0;
    const auto add = [&](const QString& code, const QString& text) {
        ActionSpec spec{language_id + code,
                        tr("&View") + QLatin1Char('/') + tr("Lan&guage"),
                        text,
                        tr("Language of the window, from the next start on"),
                        QKeySequence(QStringLiteral("Ctrl+Alt+L, %1").arg(key++)),
                        QStringLiteral("language Chinese English 语言 中文 ") + tr("language")};
        spec.checkable = true;
        actions_.add(spec, [this, code] { choose(code); });
    };
    add(system_choice, tr("&System language"));
    for (const auto& language : languages()) add(language.code, language.name);
    show_choice();
}

void LanguageActions::show_choice() {
    const auto chosen = chosen_language();
    actions_.find(language_id + system_choice)->setChecked(chosen == system_choice);
    for (const auto& language : languages())
        actions_.find(language_id + language.code)->setChecked(chosen == language.code);
}

void LanguageActions::choose(const QString& choice) {
    choose_language(choice);
    show_choice();
    notices_.bar().remove(notice_key);
    if (qEnvironmentVariableIsSet("CASP_LANGUAGE")) {
        notices_.bar().show_message(
            notice_key, tr("The environment variable CASP_LANGUAGE overrides the language chosen here."));
        return;
    }
    if (language_for(choice, QLocale::system().uiLanguages()) == language_in_use()) return;
    offer_restart(false);
}

void LanguageActions::offer_restart(bool now) {
    // A run may have been started since the offer.
    const auto why_not = why_not_restart_();
    if (!why_not.isEmpty()) {
        notices_.bar().show_message(notice_key,
                                    tr("The new language is used from the next start on. %1").arg(why_not));
        return;
    }
    if (now) return restart_();
    notices_.bar().show_message(notice_key, tr("The new language is used from the next start on."), false,
                                {{tr("Restart now"), tr("Closes the window and opens it again as it is"),
                                  [this] { offer_restart(true); }}});
}

}  // namespace casp::gui
