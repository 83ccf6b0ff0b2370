// The files of translations: resources/translations/*.ts and resources/help/<language>/.
// CASP_TRANSLATIONS=DIR checks the folder resources/ of DIR instead of the source's.

#include <QtTest>

#include <set>

#include <QDir>

#include "gui/language.h"
#include "test_program.h"
#include "translation_checks.h"

using namespace casp;

namespace {

QString resources() {
    const auto other = qEnvironmentVariable("CASP_TRANSLATIONS");
    return (other.isEmpty() ? QStringLiteral(CASP_SOURCE_DIR) : other) + "/resources";
}

QString text_of_file(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Names of the languages that are not the source's.
void add_languages() {
    QTest::addColumn<QString>("language");
    for (const auto& language : gui::languages())
        if (language.code != "en") QTest::newRow(qPrintable(language.code)) << language.code;
}

QByteArray listed(const QStringList& problems) {
    constexpr int most = 60;
    auto shown = problems.mid(0, most);
    if (problems.size() > most) shown << QString("and %1 more").arg(problems.size() - most);
    return ("\n" + shown.join('\n')).toUtf8();
}

}  // namespace

class TestTranslations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_file_is_a_language() {
        std::set<QString> wanted;
        for (const auto& language : gui::languages())
            if (language.code != "en") wanted.insert("caspstudio_" + language.code + ".ts");
        const auto files = QDir(resources() + "/translations").entryList({"*.ts"});
        QCOMPARE(std::set<QString>(files.begin(), files.end()), wanted);
        for (const auto& folder : QDir(resources() + "/help").entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QVERIFY2(wanted.count("caspstudio_" + folder + ".ts") > 0, qPrintable(folder));
    }
    void every_message_is_finished_data() { add_languages(); }

    void every_message_is_finished() {
        QFETCH(const QString, language);
        QString problem;
        QStringList unfinished;
        for (const auto& message :
             test::read_messages(resources() + "/translations/caspstudio_" + language + ".ts", problem))
            if (!message.finished) unfinished << message.context + ": \"" + message.source + '"';
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        QVERIFY2(unfinished.isEmpty(), listed(unfinished).constData());
    }
    void placeholders_and_marks_data() { add_languages(); }

    void placeholders_and_marks() {
        QFETCH(const QString, language);
        QString problem;
        const auto messages =
            test::read_messages(resources() + "/translations/caspstudio_" + language + ".ts", problem);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        QVERIFY2(messages.size() > 2500, qPrintable(QString::number(messages.size())));
        QStringList problems;
        for (const auto& message : messages)
            for (const auto& translation : message.translations)
                for (const auto& one : test::translation_problems(message.source, translation))
                    problems << QString("%1: \"%2\" → \"%3\": %4")
                                    .arg(message.context, message.source, translation, one);
        QVERIFY2(problems.isEmpty(), listed(problems).constData());
    }
    void equal_actions_are_translated_equally_data() { add_languages(); }

    /// Menus are put together from several classes by their titles, and the palette lists actions of all.
    void equal_actions_are_translated_equally() {
        QFETCH(const QString, language);
        QString problem;
        QHash<QString, QStringList> translations;
        for (const auto& message :
             test::read_messages(resources() + "/translations/caspstudio_" + language + ".ts", problem))
            if (!test::mnemonics_of(message.source).isEmpty())
                translations[message.source] << message.translations;
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        QStringList different;
        for (auto it = translations.begin(); it != translations.end(); ++it) {
            it->removeDuplicates();
            if (it->size() > 1) different << it.key() + ": " + it->join(", ");
        }
        different.sort();
        QVERIFY2(different.isEmpty(), listed(different).constData());
    }
    void help_pages_agree_data() { add_languages(); }

    void help_pages_agree() {
        QFETCH(const QString, language);
        const QDir english(resources() + "/help");
        const QDir translated(english.filePath(language));
        QStringList problems;
        auto pages = english.entryList({"*.md"}) + translated.entryList({"*.md"});
        pages.removeDuplicates();
        QVERIFY2(pages.size() > 20, qPrintable(pages.join(", ")));
        for (const auto& name : std::as_const(pages))
            for (const auto& one : test::help_page_problems(text_of_file(english.filePath(name)),
                                                            text_of_file(translated.filePath(name))))
                problems << name + ": " + one;
        QVERIFY2(problems.isEmpty(), listed(problems).constData());
    }
};

TEST_MAIN_WITHOUT_GUI(TestTranslations)
#include "test_translations.moc"
