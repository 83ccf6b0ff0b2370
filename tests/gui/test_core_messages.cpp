// Messages that core composes, in the window's language: patterns, and the answers of docs/bad-files.md,
// which are those of the real program.

#include <QtTest>

#include <stdexcept>

#include <QFile>
#include <QListWidget>
#include <QRegularExpression>

#include "config/experiment.h"
#include "data/reader.h"
#include "gui/language.h"
#include "language_fixture.h"
#include "panels/experiment/toml_view.h"
#include "state/experiment_model.h"
#include "test_program.h"
#include "util/error.h"
#include "verify_text.h"
#include "words/core_message.h"
#include "words/plain_text.h"

using namespace casp;
using widgets::translated_message;

namespace {

QStringList answers() {
    QFile file(QStringLiteral(CASP_SOURCE_DIR) + "/docs/bad-files.md");
    if (!file.open(QIODevice::ReadOnly)) qFatal("docs/bad-files.md is not readable");
    QStringList found;
    for (const auto& line : QString::fromUtf8(file.readAll()).split('\n')) {
        const auto cells = line.split(" | ");
        if (cells.size() == 4 && cells[2] == "2") found << cells[3].chopped(2);
    }
    return found;
}

/// Three English words in a row that are not quoted: a sentence without translation.
bool has_english(const QString& text) {
    static const QRegularExpression quoted(QStringLiteral("\"[^\"]*\"")),
        sentence(QStringLiteral("(?<![\\w./-])[A-Za-z]{2,}( [a-z]{2,}){2,}"));
    return QString(text).remove(quoted).contains(sentence);
}

/// Names and values: what is in quotes or brackets.
QStringList values_of(const QString& text) {
    static const QRegularExpression value(QStringLiteral("\"[^\" ]+\"|\\[[^\\] ]+\\]"));
    QStringList values;
    for (auto found = value.globalMatch(text); found.hasNext();) values << found.next().captured();
    return values;
}

}  // namespace

class TestCoreMessages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { test::remove_translations(); }

    void a_pattern_is_found_data() {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QStringList>("inserted");
        QTest::newRow("none") << "the disk is full" << QString() << QStringList{};
        QTest::newRow("one") << "only 3 GB are free"
                             << "only %1 are free" << QStringList{"3 GB"};
        QTest::newRow("most letters") << "only 3 GB are free on this disk"
                                      << "only %1 are free on this %2" << QStringList{"3 GB", "disk"};
        QTest::newRow("order") << "a before b in time"
                               << "%2 before %1 in time" << QStringList{"b", "a"};
        QTest::newRow("no empty place") << "only  are free" << QString() << QStringList{};
        QTest::newRow("a place before it") << "a.csv: 3 GB before 2 GB in time" << QString() << QStringList{};
        QTest::newRow("brackets") << "only 3 (of 4 are free" << QString() << QStringList{};
        QTest::newRow("not over sentences") << "only 3. Then 4 are free" << QString() << QStringList{};
        QTest::newRow("few letters, a word") << "12 rows"
                                             << "%1 rows" << QStringList{"12"};
        QTest::newRow("few letters, words") << "the last of all rows" << QString() << QStringList{};
    }

    void a_pattern_is_found() {
        QFETCH(const QString, sentence);
        QFETCH(const QString, pattern);
        QFETCH(const QStringList, inserted);
        const widgets::MessagePatterns patterns({"only %1 are free", "only %1 are free on this %2",
                                                 "%2 before %1 in time", "%1 rows", "%1: %2",
                                                 "no file \"%1\" there"});
        const auto match = patterns.match(sentence, [](const QString&) { return false; });
        QCOMPARE(match.pattern, pattern);
        QCOMPARE(QStringList(match.inserted.begin(), match.inserted.end()), inserted);
    }

    void english_stays_as_it_is() {
        const auto error =
            input_error("a.csv", "the file is empty", "a table of numbers", "Export it again.");
        QCOMPARE(widgets::plain_text(error), QString::fromUtf8(error.what()));
        for (const auto& answer : answers()) QCOMPARE(translated_message(answer), answer);
    }

    void errors_are_translated_part_by_part() {
        QVERIFY(gui::install_language(*qApp, "zh_CN"));
        QCOMPARE(
            widgets::plain_text(input_error("/data/a. B/c: d.csv", "the file is empty", "a table of numbers",
                                            "Give another file, or save this table as CSV.")),
            QStringLiteral(
                "/data/a. B/c: d.csv：文件为空；应为：数字表格。请指定其他文件，或将此表格保存为 CSV。"));
        QCOMPARE(widgets::plain_text(input_error({}, "some words of nobody")),
                 QStringLiteral("some words of nobody。"));
        QCOMPARE(widgets::plain_text(std::runtime_error("some words")), QStringLiteral("some words"));
        // Several problems, each on its line.
        try {
            (void)config::load_text("[train]\nepochs = 0\nbatch_sise = 4\n", "e.toml", {});
            QFAIL("this experiment is wrong");
        } catch (const Error& error) {
            const auto text = widgets::plain_text(error);
            VERIFY_HAS(text, "train.epochs = 0", "train.batch_size");
            QVERIFY2(!has_english(text), qPrintable(text));
            QCOMPARE(text.count('\n'), QString::fromUtf8(error.what()).count('\n'));
        }
    }

    void sentences_put_together_are_translated() {
        QVERIFY(gui::install_language(*qApp, "zh_CN"));
        for (const char* sentence :
             {"λ_cov 0.1 against 0 (sample · H 48, test MSE) – 3 pairs: too few for p < 0.05 (at least 6); p "
              "= "
              "0.5. With "
              "this spread, detecting a difference of 1 % with power 80 % at p < 0.05 takes about 6 pairs.",
              "λ_cov 0.1 against 0 (over all tasks, test MSE) – 12 tasks: lower by 2.1 % (p = 0.001), but p "
              "= "
              "0.07 after "
              "Holm's correction over 4 tests.",
              "49 of 433 test windows are missing: the last 49, the remainder of 433 by 64 or 96 or 128 (a "
              "dropped last "
              "batch)",
              "the mean and standard deviation of the training rows",
              "Slurm job 12: 3 pending (Priority), 2 running",
              "5 of 8 pairs lower (p = 0.01), but the mean is higher",
              "data.path is not given; expected a path or \"catalog:NAME\""}) {
            const auto text = translated_message(QString::fromUtf8(sentence));
            QVERIFY2(text != QString::fromUtf8(sentence) && !has_english(text), qPrintable(text));
        }
    }

    void names_and_values_stay() {
        QVERIFY(gui::install_language(*qApp, "zh_CN"));
        // "data", "Time", "val" and "test" are labels of the window, too.
        for (const auto& [sentence, kept] :
             {std::pair{"Start a run with run.store_forecasts = [\"val\"].", "[\"val\"]"},
              {"Nearest valid table: [data].", "[data]"},
              {"there is no numeric column \"Time\"", "\"Time\""},
              {"the labels data and Data are too alike for names of folders", "data"}}) {
            const auto text = translated_message(QString(sentence));
            QVERIFY2(text != sentence && text.contains(kept), qPrintable(text));
        }
        // What nobody knows stays. (Without remembered parts, this would take years.)
        QString unknown;
        for (int i = 0; i < 40; ++i) unknown += QStringLiteral("qqq%1: zzz%1; ").arg(i);
        QCOMPARE(translated_message(unknown), unknown);
    }

    void problems_of_a_toml_text_lead_to_their_places() {
        QVERIFY(gui::install_language(*qApp, "zh_CN"));
        widgets::ExperimentModel model;
        widgets::TomlView view(model);
        for (const char* text : {"[train]\nepochs = 0\n", "[train]\nepochs = 0\nbatch_sise = 4\n"}) {
            view.set_draft(QString(text));
            QVERIFY(!view.apply());
            const auto* list = view.problem_list();
            QCOMPARE(list->count(), QString(text).count('\n') - 1);
            for (int row = 0; row < list->count(); ++row) {
                const auto* item = list->item(row);
                QVERIFY2(item->data(Qt::UserRole).toInt() > 1 && item->data(Qt::UserRole + 1).toInt() > 0 &&
                             !item->text().contains("TOML") && !has_english(item->text()),
                         qPrintable(item->text()));
            }
            view.discard();
        }
    }

    void answers_to_bad_files_are_translated() {
        QVERIFY(gui::install_language(*qApp, "zh_CN"));
        const auto all = answers();
        QVERIFY(all.size() > 150);
        // The parsers' own words stay English, and what only the command line says.
        static const QRegularExpression others(QStringLiteral(
            "json\\.exception|Error while parsing|eof = |metadata checksum|gzip input|block type|archive "
            "format|an unfinished run|NAME/RUN"));
        QStringList english;
        for (const auto& answer : all) {
            const auto text = translated_message(answer);
            if (!answer.contains(others) && has_english(text)) english << text;
            for (const auto& value : values_of(answer)) VERIFY_HAS(text, value);
        }
        constexpr qsizetype most = 5;  // lines of the table that hold several messages
        QVERIFY2(english.size() <= most, qPrintable(english.join('\n')));
    }
};

TEST_MAIN(TestCoreMessages)
#include "test_core_messages.moc"
