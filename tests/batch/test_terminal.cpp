// What a person at a terminal sees of a batch: the progress bar, and how it goes away.
#include <algorithm>
#include <cmath>

#include <QtTest>

#include "terminal.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

namespace {

struct Bar {
    qsizetype row = 0, width = 0;  ///< width: of the whole line, with blanks
    int epoch = 0, step = 0, steps = 0, percent = 0;
    qsizetype full = 0, cells = 0;
    QString text;
};

const QRegularExpression bar_pattern(
    "^\\[(#*)(\\.*)\\] +(\\d+) % (?:epoch (\\d+) )?(?:step )?(\\d+)/(\\d+), "
    "(\\d+ min \\d+ s|[\\d.]+ s|\\?) left");

/// Rows that begin as a bar does, and were drawn while steps were made.
QList<Bar> bars_of(const test::Screen& screen) {
    QList<Bar> bars;
    for (const auto& drawn : screen.drawn()) {
        const auto match = bar_pattern.match(drawn.text);
        if (!match.hasMatch()) continue;
        Bar bar;
        bar.row = drawn.row;
        bar.width = drawn.reach;
        bar.full = match.capturedLength(1);
        bar.cells = bar.full + match.capturedLength(2);
        bar.percent = match.captured(3).toInt();
        bar.epoch = match.captured(4).toInt();
        bar.step = match.captured(5).toInt();
        bar.steps = match.captured(6).toInt();
        bar.text = drawn.text;
        bars.append(bar);
    }
    return bars;
}

/// What does not look as a line that nobody tore: a bar's rest, an echoed key; empty: nothing.
QString torn_row(const test::Screen& screen) {
    static const QRegularExpression rest("^\\[#*\\.*\\]|\\[#|\\.\\.\\.\\]|\\^C| % |s left");
    for (const auto& row : screen.rows())
        if (rest.match(row).hasMatch()) return row;
    return {};
}

bool has_row(const test::Screen& screen, const char* pattern) {
    const QRegularExpression wanted(pattern);
    return std::any_of(screen.rows().begin(), screen.rows().end(), [&](QString row) {
        while (row.endsWith(' ')) row.chop(1);  // what took a bar away
        return wanted.match(row).hasMatch();
    });
}

}  // namespace

class TestTerminal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        int master = -1, slave = -1;
        if (::openpty(&master, &slave, nullptr, nullptr, nullptr) != 0)
            QSKIP("there are no pseudo-terminals here");
        ::close(master);
        ::close(slave);
        place_.write("series.csv", test::small_csv());
        // Steps of some hundredths of a second, so that an epoch's line is redrawn several times.
        place_.write("small.toml", test::small_experiment()
                                       .replace("layers = 1", "layers = 6")
                                       .replace("width = 24", "width = 96")
                                       .replace("positions = 32", "positions = 128")
                                       .replace("[model]\n", "[model]\npatch_stride = 1\nhead_ways = 1\n")
                                       .replace("epochs = 3", "epochs = 2"));
    }

    void a_bar_is_redrawn_in_one_line_data() {
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("cells");
        QTest::newRow("usual") << 80 << 20;
        QTest::newRow("wide") << 200 << 20;
        QTest::newRow("narrow") << 40 << 8;
    }

    void a_bar_is_redrawn_in_one_line() {
        QFETCH(const int, columns);
        QFETCH(const int, cells);
        test::Terminal terminal(columns);
        QVERIFY(terminal.start(place_, {"--batch", "small.toml", "--out", QString("out-%1").arg(columns)}));
        QCOMPARE(terminal.finish(), 0);
        const auto& screen = terminal.screen;
        const auto bars = bars_of(screen);
        QVERIFY2(bars.size() >= 3, screen.text().constData());
        for (qsizetype i = 0; i < bars.size(); ++i) {
            const auto& bar = bars[i];
            QVERIFY2(bar.width < columns, qPrintable(bar.text));
            QVERIFY2(bar.cells == cells && bar.steps == 27, qPrintable(bar.text));
            QVERIFY2(bar.percent == std::lround(bar.step * 100 / 27.0), qPrintable(bar.text));
            QVERIFY2(bar.full == std::lround(bar.step * cells / 27.0), qPrintable(bar.text));
            // It goes on in the same row; a new row begins with an epoch.
            if (i > 0 && bar.step > bars[i - 1].step) QCOMPARE(bar.row, bars[i - 1].row);
            if (i > 0 && bar.step <= bars[i - 1].step) QVERIFY(bar.row > bars[i - 1].row);
            // More where there is room.
            QCOMPARE(bar.epoch > 0, columns >= 80);
            QCOMPARE(bar.text.contains(" MSE 0.") || bar.text.contains(" MSE 1."), columns >= 80);
            QCOMPARE(bar.text.contains("s/step") && bar.text.contains("iB"), columns >= 200);
            QVERIFY2(!bar.text.endsWith(',') && !bar.text.endsWith(';'), qPrintable(bar.text));
        }
        // No bar stays; what stays is what the plain output has.
        QVERIFY2(torn_row(screen).isEmpty(), screen.text().constData());
        for (const char* line : {"^run 1 of 1: single$", "^epoch 1/2: train MSE", "^epoch 2/2: train MSE",
                                 "^single: test MSE", "^Tables and runs: "})
            QVERIFY2(has_row(screen, line), line);
        QCOMPARE(screen.escapes(), 0);
    }

    /// Its line must not be longer than the terminal is now, not even by the blanks that take the old one
    /// away.
    void a_terminal_that_shrinks() {
        test::Terminal terminal(160);
        QVERIFY(terminal.start(place_, {"--batch", "small.toml", "--out", "shrinking"}));
        QVERIFY(terminal.show_until([&] { return !bars_of(terminal.screen).isEmpty(); }));
        const auto row = bars_of(terminal.screen).last().row;
        terminal.resize(50);
        QCOMPARE(terminal.finish(), 0);
        bool narrow = false;
        for (const auto& bar : bars_of(terminal.screen)) {
            if (bar.text.size() < 50) narrow = true;
            if (narrow) QVERIFY2(bar.width < 50, qPrintable(bar.text));
            if (bar.row == row) QCOMPARE(std::max(bar.epoch, 1), 1);
        }
        QVERIFY(narrow);
        QVERIFY2(terminal.screen.rows()[row].startsWith("epoch 1/2: train MSE"),
                 terminal.screen.text().constData());
    }

    void the_table_can_go_to_a_file() {
        test::Terminal terminal(80);
        QVERIFY(terminal.start(place_, {"--batch", "small.toml", "--out", "file", "--set", "train.epochs=1"},
                               1, place_.path("table.txt")));
        QCOMPARE(terminal.finish(), 0);
        QVERIFY2(!bars_of(terminal.screen).isEmpty(), terminal.screen.text().constData());
        QVERIFY(!has_row(terminal.screen, "Tables and runs"));
        const auto table = place_.read("table.txt");
        QVERIFY(table.contains("Tables and runs") && table.contains("test MSE"));
        QVERIFY2(!table.contains('\r') && !table.contains("[#"), table.constData());
    }

    void without_a_terminal_there_is_no_bar() {
        test::Terminal terminal(80);
        QVERIFY(terminal.start(place_, {"--batch", "small.toml", "--out", "pipe", "--set", "train.epochs=1"},
                               2, place_.path("log.txt")));
        QCOMPARE(terminal.finish(), 0);
        QVERIFY(has_row(terminal.screen, "Tables and runs"));
        QVERIFY2(torn_row(terminal.screen).isEmpty(), terminal.screen.text().constData());
        const auto log = place_.read("log.txt");
        VERIFY_HAS(log, "epoch 1/1: train MSE");
        QVERIFY2(!log.contains('\r') && !log.contains("[#") && !log.contains(".]"), log.constData());
    }

    /// Ctrl+C as it is typed: the terminal shows it in the bar's line and signals the program.
    void interrupting_leaves_a_clean_line() {
        for (const int columns : {80, 40}) {
            test::Terminal terminal(columns);
            const auto out = QString("interrupted-%1").arg(columns);
            QVERIFY(terminal.start(place_, {"--batch", "small.toml", "--out", out}));
            QVERIFY(terminal.show_until([&] { return bars_of(terminal.screen).size() >= 2; }));
            terminal.type('\x03');
            QCOMPARE(terminal.finish(), 130);
            const auto& screen = terminal.screen;
            QVERIFY2(std::any_of(screen.drawn().begin(), screen.drawn().end(),
                                 [](const auto& drawn) { return drawn.text.contains("^C"); }),
                     "the key was to be seen");
            QVERIFY2(torn_row(screen).isEmpty(), screen.text().constData());
            QVERIFY2(has_row(screen, "^single: interrupted after step \\d+$"), screen.text().constData());
            QVERIFY2(has_row(screen, "^stopped; resume with: "), screen.text().constData());
        }
    }

    /// The table comes at once then, at the place where the bar stood.
    void interrupting_the_reader_leaves_a_clean_line() {
        QByteArray text = "date,load\n";
        QFile file(place_.path("long.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        text.clear();
        while (text.size() < 400'000) text += "2020-01-01 00:00:00,1.25\n";
        for (int i = 0; i < 300; ++i) QVERIFY(file.write(text) == text.size());
        file.close();
        // Something is there already: without it there would be no table.
        QVERIFY(QDir().mkpath(place_.path("reading/small")));
        test::Terminal terminal(80);
        QVERIFY(terminal.start(place_, {"--batch", "small.toml", "--out", "reading", "--set",
                                        "data.path=long.csv", "--set", "data.columns=[\"load\"]"}));
        const auto seen = [&] {
            const auto& drawn = terminal.screen.drawn();
            return !drawn.isEmpty() && drawn.last().text.contains("] ");
        };
        QVERIFY2(terminal.show_until(seen), terminal.screen.text().constData());
        terminal.type('\x03');
        QCOMPARE(terminal.finish(), 130);
        file.remove();
        QVERIFY2(has_row(terminal.screen, "^Tables and runs: "), terminal.screen.text().constData());
        QVERIFY2(torn_row(terminal.screen).isEmpty(), terminal.screen.text().constData());
    }

private:
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestTerminal)
#include "test_terminal.moc"
