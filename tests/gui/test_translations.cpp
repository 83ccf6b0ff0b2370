// The files of translations: resources/translations/*.ts and resources/help/<language>/.
// CASP_TRANSLATIONS=DIR checks the folder resources/ of DIR instead of the source's.

#include <array>

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
    void rules_of_a_translation_data();
    void rules_of_a_translation();
    void rules_of_a_help_page_data();
    void rules_of_a_help_page();
    void every_file_is_a_language();
    void a_file_is_read();
    void every_message_is_finished_data() { add_languages(); }
    void every_message_is_finished();
    void placeholders_and_marks_data() { add_languages(); }
    void placeholders_and_marks();
    void equal_actions_are_translated_equally_data() { add_languages(); }
    void equal_actions_are_translated_equally();
    void help_pages_agree_data() { add_languages(); }
    void help_pages_agree();
};

void TestTranslations::rules_of_a_translation_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("translation");
    QTest::addColumn<QString>("problem");  // the beginning of the only one
    using Row = std::array<const char*, 4>;
    for (const auto& [name, source, translation, problem] :
         {Row{"right", "&Open %1 and %2…", "打开 %2 和 %1(&O)…", ""},
          Row{"plural", "%n run(s)", "%n 个运行", ""},
          Row{"colon", "Error:", "错误：", ""},
          Row{"tags", "<p>Default: <b>%1</b></p>", "<p>默认值：<b>%1</b></p>", ""},
          Row{"percent", "%1 % of all", "全部的 %1 %", ""},
          Row{"ampersand", "R&&D", "研&&发", ""},
          Row{"none", "Open", " ", "no translation"},
          Row{"no placeholder", "%1 of %2", "%1", "placeholders"},
          Row{"other placeholder", "%1 of %2", "%1 %3", "placeholders"},
          Row{"no number", "%n run(s)", "个运行", "placeholders"},
          Row{"no mnemonic", "&Open", "打开", "mnemonic"},
          Row{"other mnemonic", "&Open", "打开(&P)", "mnemonic: \"P\""},
          Row{"mnemonic too many", "Open", "打开(&O)", "mnemonic"},
          Row{"mnemonic without parentheses", "&Open", "打开&O", "mnemonic: not"},
          Row{"no tag", "<b>Open</b>", "<b>打开", "tags"},
          Row{"no ellipsis", "Open…", "打开", "ellipsis"},
          Row{"ellipsis too many", "Open", "打开…", "ellipsis"},
          Row{"no colon", "Error:", "错误", "colon"},
          Row{"colon too many", "Error", "错误：", "colon"},
          Row{"code", "key `data.path`", "键 `数据`", "code"},
          Row{"line break", "a\nb", "甲乙", "line breaks"},
          Row{"space before", " and %1", "和 %1", "space at the beginning"},
          Row{"space after", "%1: ", "%1:", "space at the end"}})
        QTest::newRow(name) << source << translation << problem;
}

void TestTranslations::rules_of_a_translation() {
    QFETCH(const QString, source);
    QFETCH(const QString, translation);
    QFETCH(const QString, problem);
    const auto problems = test::translation_problems(source, translation);
    if (problem.isEmpty())
        QVERIFY2(problems.isEmpty(), listed(problems).constData());
    else
        QVERIFY2(problems.size() == 1 && problems.front().startsWith(problem), listed(problems).constData());
}

void TestTranslations::rules_of_a_help_page_data() {
    QTest::addColumn<QString>("translated");
    QTest::addColumn<QString>("problem");
    const auto page = QStringLiteral(
        "# 数据\n\n`keep`，[更多](start)\n\n```\na = 1\n```\n\n[actions]\n\n| 键 | 动作 |\n|---|---|\n");
    QTest::newRow("right") << page << "";
    QTest::newRow("none") << ""
                          << "no page";
    QTest::newRow("code") << QString(page).replace("`keep`", "`保留`") << "code missing: `keep`";
    QTest::newRow("block") << QString(page).replace("a = 1", "a = 2") << "code block missing";
    QTest::newRow("link") << QString(page).replace("(start)", "(run)") << "link missing: start";
    QTest::newRow("tables") << QString(page).remove("[actions]") << "place of the tables missing";
    QTest::newRow("title") << page + "\n## 更多\n"
                           << "titles: 2 instead of 1";
    QTest::newRow("row") << page + "| a | b |\n"
                         << "rows of tables: 3 instead of 2";
}

void TestTranslations::rules_of_a_help_page() {
    QFETCH(const QString, translated);
    QFETCH(const QString, problem);
    const auto problems = test::help_page_problems(
        "# Data\n\n`keep`, [more](start)\n\n```\na = 1\n```\n\n[actions]\n\n| keys | action |\n|---|---|\n",
        translated);
    if (problem.isEmpty())
        QVERIFY2(problems.isEmpty(), listed(problems).constData());
    else
        QVERIFY2(problems.value(0).startsWith(problem), listed(problems).constData());
}

void TestTranslations::every_file_is_a_language() {
    std::set<QString> wanted;
    for (const auto& language : gui::languages())
        if (language.code != "en") wanted.insert("caspstudio_" + language.code + ".ts");
    const auto files = QDir(resources() + "/translations").entryList({"*.ts"});
    QCOMPARE(std::set<QString>(files.begin(), files.end()), wanted);
    for (const auto& folder : QDir(resources() + "/help").entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        QVERIFY2(wanted.count("caspstudio_" + folder + ".ts") > 0, qPrintable(folder));
}

void TestTranslations::a_file_is_read() {
    const QTemporaryDir folder;
    const auto path = folder.filePath("a.ts");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"(<TS><context><name>one</name>
<message><source>A &lt;b&gt;</source><translation>甲 &lt;b&gt;</translation></message>
<message numerus="yes"><source>%n</source><translation><numerusform>%n 个</numerusform></translation></message>
<message><source>B</source><translation type="unfinished"></translation></message></context></TS>)");
    file.close();
    QString problem;
    const auto messages = test::read_messages(path, problem);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    QCOMPARE(messages.size(), std::size_t{3});
    QCOMPARE(messages[0].context, QString("one"));
    QCOMPARE(messages[0].source, QString("A <b>"));
    QCOMPARE(messages[0].translations, QStringList("甲 <b>"));
    QCOMPARE(messages[1].translations, QStringList("%n 个"));
    QVERIFY(messages[0].finished && messages[1].finished && !messages[2].finished);
}

void TestTranslations::every_message_is_finished() {
    QFETCH(const QString, language);
    QString problem;
    QStringList unfinished;
    for (const auto& message :
         test::read_messages(resources() + "/translations/caspstudio_" + language + ".ts", problem))
        if (!message.finished) unfinished << message.context + ": \"" + message.source + '"';
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    QVERIFY2(unfinished.isEmpty(), listed(unfinished).constData());
}

void TestTranslations::placeholders_and_marks() {
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

/// Menus are put together from several classes by their titles, and the palette lists actions of all.
void TestTranslations::equal_actions_are_translated_equally() {
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

void TestTranslations::help_pages_agree() {
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

TEST_MAIN_WITHOUT_GUI(TestTranslations)
#include "test_translations.moc"
