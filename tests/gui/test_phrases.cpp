// Messages of core in the window's language.

#include <QtTest>

#include <fstream>
#include <stdexcept>

#include <QListWidget>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "config/experiment.h"
#include "config/options.h"
#include "data/reader.h"
#include "gui/language.h"
#include "language_fixture.h"
#include "panels/experiment/toml_view.h"
#include "state/experiment_model.h"
#include "test_program.h"
#include "util/error.h"
#include "verify_text.h"
#include "words/core_text.h"
#include "words/plain_text.h"

using namespace casp;
using widgets::translated;

namespace {

/// Three English words in a row that are not quoted: a sentence without translation.
bool has_english(const QString& text) {
    static const QRegularExpression quoted(QStringLiteral("\"[^\"]*\"")),
        sentence(QStringLiteral("(?<![\\w./-])[A-Za-z]{2,}( [a-z]{2,}){2,}"));
    return QString(text).remove(quoted).contains(sentence);
}

/// The message of what `call` throws.
template <class Call>
QString message_of(Call call) {
    try {
        call();
    } catch (const Error& error) {
        return widgets::plain_text(error);
    }
    return {};
}

}  // namespace

class TestPhrases : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { test::remove_translations(); }

    void english_stays_as_it_is() {
        const auto error =
            input_error("a.csv", "the file is empty", "a table of numbers", "Export it again.");
        QCOMPARE(widgets::plain_text(error), QString::fromUtf8(error.what()));
        // The window has no options of the command line.
        QCOMPARE(widgets::plain_text(input_error({}, "it is there", {}, "Add --resume. Or remove it.")),
                 QStringLiteral("it is there. Or remove it."));
    }

    void errors_are_translated_part_by_part() {
        QVERIFY(gui::install_language(*qApp, "zh_CN"));
        QCOMPARE(
            widgets::plain_text(input_error("/data/a. B/c: d.csv", "the file is empty", "a table of numbers",
                                            "Give another file, or save this table as CSV.")),
            QStringLiteral(
                "/data/a. B/c: d.csv：文件为空；应为：数字表格。请指定其他文件，或将此表格保存为 CSV。"));
        QCOMPARE(widgets::plain_text(input_error({}, std::string("some words of nobody"))),
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

    /// Names and values stay, whatever their words are.
    void values_that_read_as_messages_stay() {
        QVERIFY(gui::install_language(*qApp, "zh_CN"));
        for (const auto* value :
             {"the file is empty", "a; expected b", "%1", "%2 is %1", "training",
              "column \"a\" is constant. Leave it out: data.columns", "a.csv: not found"}) {
            const std::string name = value;
            const auto text = translated(Phrase("the file has %1 rows", Phrase("%1 bytes", name)));
            VERIFY_HAS(text, qPrintable(QString::fromStdString(name)));
            QCOMPARE(text, translated(Phrase("the file has %1 rows", Phrase("%1 bytes", std::string("\x01"))))
                               .replace(QChar(1), QString::fromStdString(name)));
            QVERIFY(!has_english(QString(text).remove(QString::fromStdString(name))));
            const auto error = input_error(name, "the file is empty");
            QCOMPARE(widgets::plain_text(error),
                     QString::fromStdString(name) + QStringLiteral("：文件为空。"));
        }
        QCOMPARE(translated(Phrase("training")), translated("training"));
        QVERIFY(translated(Phrase("training")) != QStringLiteral("training"));
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

    void wrong_values_of_all_settings_are_answered() {
        QVERIFY(gui::install_language(*qApp, "zh_CN"));
        int answered = 0;
        for (const auto& option : config::options())
            for (const char* value : {"[[1]]", "-7", "\"a/b: \\\"c\\\"\"", "{a = 1}"}) {
                const auto text = message_of(
                    [&] { (void)config::load_text("", "e.toml", {}, {option.key + "=" + value}); });
                if (text.isEmpty()) continue;
                ++answered;
                QVERIFY2(!has_english(text), qPrintable(text));
            }
        QVERIFY2(answered > 200, qPrintable(QString::number(answered)));
    }

    void files_that_are_no_tables_are_answered() {
        QVERIFY(gui::install_language(*qApp, "zh_CN"));
        const QTemporaryDir folder;
        const auto path = folder.filePath("the file is empty.csv").toStdString();
        int answered = 0;
        for (const char* content :
             {"", "a,b\n", "date,a\n2020-01-01,x\n2020-01-02,y\n", "PK\x03\x04zip", "<html><p>a</p></html>",
              "{\"a\": 1}", "\x89HDF\r\n\x1a\n", "a,b\n1,2,3\n4,5,6\n7,8,9\n",
              "date,a\n2020-01-01,1\nyes,2\n", "a\n1\n", "date,a,a\n1,2,3\n2,3,4\n", "%PDF-1.4",
              "version https://git-lfs.github.com/spec/v1\n"}) {
            std::ofstream(path, std::ios::binary) << content;
            const auto text = message_of([&] { (void)data::read_table(path, {}); });
            if (text.isEmpty()) continue;
            ++answered;
            VERIFY_HAS(text, "the file is empty.csv");
            // The words of libarchive stay, and a command.
            const auto ours = QString(text).remove("the file is empty.csv").remove("the file is empty");
            QVERIFY2(!has_english(QString(ours).remove("Truncated ZIP file header").remove("git lfs pull")),
                     qPrintable(text));
        }
        QVERIFY2(answered > 8, qPrintable(QString::number(answered)));
    }
};

TEST_MAIN(TestPhrases)
#include "test_phrases.moc"
