// The page Log: the highlighted run's log.txt, followed, filtered, and what of it is not there.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "panel_test.h"
#include "panels/log/log_page.h"
#include "test_program.h"
#include "test_runs_memory.h"

using namespace casp::widgets;
using casp::widgets::testing::MemoryLibrary;
using casp::widgets::testing::MemoryRun;

namespace {

struct ShownLog {
    QTemporaryDir folder;
    MemoryLibrary library;
    Selection selection;
    LogPage page{library, selection};

    ShownLog() {
        for (const auto* name : {"first", "second"}) {
            auto run = std::make_shared<MemoryRun>();
            run->its_summary.folder = folder.filePath(QString::fromLatin1(name));
            run->its_summary.batch = QString::fromLatin1(name);
            QVERIFY(QDir().mkpath(run->its_summary.folder));
            library.runs.push_back(run);
        }
        page.resize(700, 300);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
    }
    void append(int run, const QByteArray& text) const {
        QFile file(library.at(run).folder + QStringLiteral("/log.txt"));
        QVERIFY(file.open(QIODevice::Append) && file.write(text) == text.size());
    }
    void highlight(int run) { selection.highlight({library.at(run).folder}); }
};

}  // namespace

class TestLogPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void follows_the_highlighted_run_and_its_file() {
        ShownLog shown;
        QVERIFY(shown.page.caption().contains(QStringLiteral("Highlight one run")));
        shown.append(0, "2026-03-01 12:00:00  begins\n");
        shown.highlight(0);
        QTRY_COMPARE_WITH_TIMEOUT(shown.page.text(), QStringLiteral("2026-03-01 12:00:00  begins\n"),
                                  patience);
        QVERIFY(shown.page.caption().contains(QStringLiteral("first")));
        shown.append(0, "2026-03-01 12:00:01  warning: λ\n");
        QTRY_VERIFY_WITH_TIMEOUT(shown.page.text().endsWith(QStringLiteral("warning: λ\n")), patience);
        shown.highlight(1);
        QCOMPARE(shown.page.text(), QString());  // never another run's lines
        QTRY_VERIFY_WITH_TIMEOUT(shown.page.caption().contains(QStringLiteral("second")), patience);
        QVERIFY(shown.page.caption().contains(QStringLiteral("no log yet")));
    }

    void filter_keeps_lines_with_all_words() {
        ShownLog shown;
        shown.append(0, "epoch 1/2: val MSE 0.5\nwarning: gaps\nepoch 2/2: val MSE 0.4\n");
        shown.highlight(0);
        QTRY_VERIFY_WITH_TIMEOUT(!shown.page.text().isEmpty(), patience);
        auto* filter = control<QLineEdit>(shown.page, QStringLiteral("Filter lines"));
        filter->setText(QStringLiteral("EPOCH 0.4"));
        QCOMPARE(shown.page.text(), QStringLiteral("epoch 2/2: val MSE 0.4\n"));
        filter->clear();
        QCOMPARE(shown.page.text().count(u'\n'), 3);
    }

    void long_log_is_read_from_a_whole_line_near_its_end() {
        ShownLog shown;
        const QByteArray line(99, 'x');
        QByteArray text;
        for (int i = 0; i < 20000; ++i) text += line + '\n';
        shown.append(0, text + "the end\n");
        shown.highlight(0);
        QTRY_VERIFY_WITH_TIMEOUT(shown.page.text().endsWith(QStringLiteral("x\nthe end\n")), patience);
        QVERIFY(shown.page.text().size() <= LogPage::max_bytes);
        QCOMPARE(shown.page.text().section(u'\n', 0, 0).size(), qsizetype{99});
        QVERIFY2(shown.page.caption().contains(QStringLiteral("the end of its log")),
                 qPrintable(shown.page.caption()));
    }

    void link_out_of_the_folder_is_not_followed() {
        ShownLog shown;
        shown.append(1, "elsewhere\n");
        QVERIFY(QFile::link(shown.library.at(1).folder + QStringLiteral("/log.txt"),
                            shown.library.at(0).folder + QStringLiteral("/log.txt")));
        shown.highlight(0);
        QTRY_VERIFY_WITH_TIMEOUT(shown.page.caption().contains(QStringLiteral("no log yet")), patience);
        QTest::qWait(1500);  // beyond the next look
        QCOMPARE(shown.page.text(), QString());
    }
};

TEST_MAIN(TestLogPage)
#include "test_log_page.moc"
