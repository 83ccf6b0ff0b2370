// The Data page: files, how they are read, warnings, state, keyboard and names.

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStyle>
#include <QStyleFactory>
#include <QTest>

#include "data/csv_import.h"
#include "data/csv_settings.h"
#include "data/reader.h"
#include "data_files.h"
#include "data_page.h"
#include "panel_test.h"
#include "panels/data/data_filter.h"
#include "panels/data/data_text.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using test::choose;
using Page = test::DataPage;

namespace {

/// Answers a question of "How it was read" by hand.
void correct(const DataReadings& readings, const QString& key, const QString& answer) {
    auto* editor = readings.editor("data.csv." + key);
    QVERIFY2(editor != nullptr, qPrintable(key));
    if (auto* combo = editor->findChild<QComboBox*>()) return choose(combo, answer);
    editor->type({answer});
    Q_EMIT editor->finished();
}

}  // namespace

class TestDataPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        setlocale(LC_NUMERIC, "C");
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    }
    void begins_empty() {
        Page page;
        QSignalSpy sample(&page.panel, &DataPanel::sample_requested);
        QSignalSpy fetch(&page.panel, &DataPanel::fetch_requested);
        for (auto* button : page.panel.findChildren<QPushButton*>()) {
            if (button->accessibleName() == "Sample data set") button->click();
            if (button->menu() == nullptr) continue;
            for (auto* action : button->menu()->actions())
                if (action->text().startsWith("ETTh1")) action->trigger();
        }
        QCOMPARE(sample.count(), 1);
        QCOMPARE(fetch.count(), 1);
        QCOMPARE(fetch[0][0].toString(), QString("ETTh1"));
        QVERIFY(page.panel.current_path().isEmpty());
        QVERIFY(page.panel.is_settled());
    }

    void preview_is_the_table() {
        Page page;
        const QString path = QStringLiteral(CASP_SOURCE_DIR "/datasets/sample.csv");
        QSignalSpy opened(&page.panel, &DataPanel::opened);
        READ(page, path);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened[0][0].toString(), QFileInfo(path).absoluteFilePath());
        const auto table = data::import_csv(path.toStdString());
        auto& model = page.panel.preview().preview();
        QCOMPARE(model.rowCount(), static_cast<int>(table.rows()));
        QCOMPARE(model.columnCount(), static_cast<int>(table.columns.size()) + 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto lines = file.readAll().split('\n');
        for (const int row : {0, 1, 777, 17'000, model.rowCount() - 1}) {
            QCOMPARE(model.headerData(row, Qt::Vertical, Qt::DisplayRole).toInt(), row + 2);
            const auto cells = lines.at(row + 1).split(',');
            QCOMPARE(model.index(row, 0).data().toString(), QString(cells[0]).left(16));
            for (int c = 1; c < model.columnCount(); ++c) {
                const double value = model.index(row, c).data(Qt::EditRole).toDouble();
                QCOMPARE(
                    value,
                    table.columns[static_cast<std::size_t>(c - 1)].values[static_cast<std::size_t>(row)]);
                QCOMPARE(model.index(row, c).data().toString().toDouble(), cells[c].toDouble());
            }
        }
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QString("HVAL"));
        QVERIFY(model.index(0, 1).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    }

    void preview_of_millions_is_quick() {
        auto table = std::make_shared<data::Table>();
        table->columns.push_back({"x", std::vector<double>(5'000'000, 1.5), 0});
        table->line_anchors = {{0, 2}};
        TablePreview view;
        view.resize(600, 400);
        view.show();
        QElapsedTimer clock;
        clock.start();
        view.set_table(table);
        QVERIFY(view.show_line(4'000'000, "x"));
        view.grab();
        const auto ms = clock.elapsed();
        qInfo("5,000,000 rows shown in %lld ms", static_cast<long long>(ms));
        QVERIFY(ms < 1500);
        QCOMPARE(view.currentIndex().row(), 3'999'998);
    }

    void a_channel_of_a_wide_table_is_found_by_its_name() {
        Page page;
        QSignalSpy said(&page.panel, &DataPanel::message);
        page.panel.go_to_channel();
        QCOMPARE(said.count(), 1);
        QVERIFY(said.takeFirst()[0].toString().contains("Open a CSV file"));
        // 300 channels whose names differ at the end alone.
        const QByteArray name = "A long name of a sensor on the roof of the northern building number ";
        QByteArray text = "date";
        for (int c = 0; c < 300; ++c) text += "," + name + QByteArray::number(c);
        text += "\n";
        for (int r = 0; r < 60; ++r) {
            text += "2020-01-01 " + QByteArray::number(10 + r / 60) + ":" + (r < 10 ? "0" : "") +
                    QByteArray::number(r) + ":00";
            for (int c = 0; c < 300; ++c) text += "," + QByteArray::number(r + c);
            text += "\n";
        }
        READ(page, folder_.write("wide.csv", text));
        auto& preview = page.panel.preview();
        auto* field = page.panel.jump().field();
        page.panel.show_page(DataPanel::channels_page);
        page.panel.activateWindow();
        QApplication::setActiveWindow(&page.panel);
        page.panel.go_to_channel();
        QCOMPARE(page.panel.findChild<QTabWidget*>()->currentIndex(), int(DataPanel::table_page));
        QTRY_VERIFY(field->hasFocus());
        preview.setCurrentIndex(preview.model()->index(7, 1));
        const auto type = [&](const QString& typed) {
            field->selectAll();
            QTest::keyClicks(field, typed);
            QTest::keyClick(field, Qt::Key_Return);
            return preview.currentIndex().column() - 1;
        };
        // The whole name, whatever its case; then a part of it, once more and around the end.
        QCOMPARE(type(QString::fromLatin1(name).toUpper() + "5"), 5);
        QCOMPARE(type("number 29"), 29);
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(preview.currentIndex().column() - 1, 290);
        for (int i = 0; i < 10; ++i) QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(preview.currentIndex().column() - 1, 29);
        QCOMPARE(preview.currentIndex().row(), 7);  // the row that was looked at
        QVERIFY(preview.viewport()->rect().contains(preview.visualRect(preview.currentIndex()).center()));
        QCOMPARE(said.count(), 0);
        QCOMPARE(type("cellar"), 29);
        QCOMPARE(said.count(), 1);
        QVERIFY2(said[0][0].toString().contains("“cellar”"), qPrintable(said[0][0].toString()));
        // Scrolled away: the column in rows that are seen.
        preview.scrollToBottom();
        QCOMPARE(type("number 150"), 150);
        QVERIFY(preview.currentIndex().row() > 20);
        // A name of this length is shortened in its middle and told in full.
        QVERIFY(preview.columnWidth(3) < preview.viewport()->width() / 2);
        const auto* header = dynamic_cast<ChannelNamesHeader*>(preview.horizontalHeader());
        QVERIFY(header != nullptr);
        for (const int column : {3, 150}) {  // of a fitted column, and of one of the many others
            const auto seen = header->shown_name(column);
            QVERIFY2(
                seen.startsWith("A") && seen.contains(u'…') && seen.endsWith(QString::number(column - 1)),
                qPrintable(seen));
            QVERIFY(preview.fontMetrics().horizontalAdvance(seen) < preview.columnWidth(column));
        }
        QCOMPARE(header->shown_name(0), QString("date"));
        QVERIFY(
            preview.model()->headerData(3, Qt::Horizontal, Qt::ToolTipRole).toString().contains("number 2”"));
        // Another table has others.
        READ(page, folder_.write("narrow.csv", test::hourly(50)));
        QCOMPARE(field->text(), QString());
        QCOMPARE(type("b"), 1);
    }

    void lines_of_the_file() {
        Page page;
        // An empty line and a cell with a line break: lines do not follow rows one by one.
        READ(page, folder_.write("lines.csv", "name,a\nx,1\n\ny,2\n\"z\nz\",3\nw,4\nv,5\n"));
        auto& model = page.panel.preview().preview();
        QCOMPARE(model.rowCount(), 5);
        const std::vector<int> lines{2, 4, 5, 7, 8};
        for (int r = 0; r < 5; ++r) {
            QCOMPARE(model.headerData(r, Qt::Vertical, Qt::DisplayRole).toInt(),
                     lines[static_cast<std::size_t>(r)]);
            QCOMPARE(model.row_of_line(lines[static_cast<std::size_t>(r)]), r);
        }
        QCOMPARE(model.row_of_line(1), -1);
        QCOMPARE(model.row_of_line(6), 2);  // inside the cell
        QCOMPARE(model.row_of_line(3), 0);  // the empty line
        QVERIFY(!page.panel.preview().show_line(1, {}));
    }

    void every_decision_has_its_reason_and_a_field() {
        Page page;
        QByteArray text = "# station 260\ndate;load\n;MW\n";
        for (int day = 1; day <= 28; ++day)
            text += QString("%1.01.2020;%2\n")
                        .arg(day, 2, 10, QChar('0'))
                        .arg(day % 3 == 0 ? QString::number(980 + day % 7)
                                          : QString("1.%1").arg(day % 7, 3, 10, QChar('0')))
                        .toUtf8();
        READ(page, folder_.write("grid.csv", text + "Total;30.000\n"));
        auto& readings = page.panel.readings();
        for (const auto& [key, part] :
             {std::pair("data.csv.comment", "1 line"), std::pair("data.csv.unit_lines", "line 3"),
              std::pair("data.csv.thousands", "point"), std::pair("data.csv.footer_lines", "Total"),
              std::pair("data.csv.time_column", "date")})
            QVERIFY2(readings.text_of(key).contains(part), qPrintable(key + (": " + readings.text_of(key))));
        QVERIFY(readings.text_of("data.csv.time_zone").contains("nothing"));
        const auto table = page.panel.preview().preview().table();
        QCOMPARE(table->rows(), 28);
        QCOMPARE(table->columns.at(0).values.at(0), 1001.0);
        // A number that is detected is no -1.
        QCOMPARE(readings.editor("data.csv.footer_lines")->texts(), QStringList{"auto"});
        QVERIFY(readings.text_of("data.csv.header_lines").contains("nothing"));
        // A change reads the file again.
        auto* field = readings.editor("data.csv.footer_lines");
        QVERIFY(field != nullptr);
        field->type({"0"});
        Q_EMIT field->finished();
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(page.panel.preview().preview().table() != table);
        for (const auto& option : config::options())
            QCOMPARE(readings.editor(QString::fromStdString(option.key)) != nullptr,
                     option.section == "data.csv");
    }

    void dates_by_hand() {
        Page page;
        READ(page,
             folder_.write("two.csv",
                           "tag,uhr,wert\n2020-01-01,00:00,1\n2020-01-01,01:00,2\n2020-01-01,02:00,3\n"));
        auto& readings = page.panel.readings();
        correct(readings, "time_column", "none");
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(page.panel.preview().preview().table()->time.empty());
        correct(readings, "time_column", "tag");
        QTRY_VERIFY(page.panel.is_settled());
        correct(readings, "clock_column", "uhr");
        QTRY_VERIFY(page.panel.is_settled());
        const auto table = page.panel.preview().preview().table();
        QCOMPARE(table->time.size(), std::size_t{3});
        QCOMPARE(table->time[2] - table->time[0], 7200.0);
    }

    void warning_goes_to_its_line() {
        Page page;
        QByteArray text = test::hourly(200);
        text.replace(",120,0\n", ",oops,0\n");  // line 122
        READ(page, folder_.write("warn.csv", text));
        auto* view = page.panel.warnings().view();
        int row = -1;
        for (int r = 0; r < view->model()->rowCount(); ++r)
            if (view->model()->index(r, WarningModel::text_column).data().toString().contains("oops"))
                row = r;
        QVERIFY(row >= 0);
        page.panel.show_page(DataPanel::preparation_page);
        page.panel.show_page(DataPanel::table_page);
        const auto index = view->model()->index(row, WarningModel::text_column);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
        auto& preview = page.panel.preview();
        QCOMPARE(preview.currentIndex().row(), 120);
        QCOMPARE(preview.currentIndex().column(), 1);
        QCOMPARE(preview.currentIndex().data().toString(), QString("missing"));
        QCOMPARE(preview.preview().headerData(120, Qt::Vertical, Qt::DisplayRole).toString(), QString("122"));
        QVERIFY(preview.viewport()->rect().contains(preview.visualRect(preview.currentIndex()).center()));
        // The same with the keyboard.
        preview.setCurrentIndex(preview.model()->index(0, 0));
        view->setFocus();
        view->setCurrentIndex(index);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(preview.currentIndex().row(), 120);
    }

    void a_warning_leads_to_its_first_place() {
        Page page;
        QByteArray text = test::hourly(300);
        for (const auto* row : {"20,0", "70,0", "150,0"}) text.replace("," + QByteArray(row) + "\n", ",,0\n");
        READ(page, folder_.write("places.csv", text));
        auto& warnings = page.panel.warnings();
        auto* view = warnings.view();
        int row = -1;
        for (int r = 0; r < view->model()->rowCount(); ++r)
            if (view->model()->index(r, WarningModel::count_column).data().toString() == "3") row = r;
        QVERIFY(row >= 0);
        const auto index = view->model()->index(row, WarningModel::text_column);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
        QCOMPARE(page.panel.preview().currentIndex().row(), 20);
        // Numbers that stand beside each other count the same things; the other pages say that there are any.
        const auto lines = QString::number(view->model()->rowCount());
        QVERIFY(warnings.count_text().contains('(' + lines + ')'));
        const auto* pages = page.panel.findChild<QTabWidget*>();
        QVERIFY2(pages->tabText(DataPanel::table_page).contains(lines + " warning"),
                 qPrintable(pages->tabText(DataPanel::table_page)));
        // A warning about the header goes to the top.
        Q_EMIT warnings.line_requested(1, "b");
        QCOMPARE(page.panel.preview().currentIndex().row(), 0);
        QCOMPARE(page.panel.preview().currentIndex().column(), 2);
    }

    void warnings_filter_and_sort() {
        Page page;
        QByteArray text = test::hourly(200);
        text.replace(",150,0\n", ",oops,0\n");
        text.replace(",20,0\n", ",,0\n");
        text.replace(",33,3\n", ",33\n");
        READ(page, folder_.write("kinds.csv", text));
        auto& warnings = page.panel.warnings();
        auto* model = warnings.view()->model();
        const int all = model->rowCount();
        QVERIFY(all >= 4);
        warnings.search()->setText("ragged");
        QCOMPARE(model->rowCount(), 1);
        QCOMPARE(model->index(0, WarningModel::line_column).data().toString(), QString("35"));
        warnings.search()->setText("OOPS");
        QCOMPARE(model->rowCount(), 1);
        warnings.search()->clear();
        QCOMPARE(model->rowCount(), all);
        warnings.view()->sortByColumn(WarningModel::line_column, Qt::DescendingOrder);
        QCOMPARE(model->index(0, WarningModel::line_column).data().toString(), QString("152"));
    }

    /// A warning about the split is in the list beside those about the file, and leaves with its split.
    void warnings_of_the_split() {
        Page page;
        page.experiment.set("data.lookback", std::int64_t{48});
        page.experiment.set("data.horizon", std::int64_t{12});
        QByteArray text = "date,a,b\n";
        for (int i = 0; i < 300; ++i)
            text += QByteArray("2020-01-") + QByteArray::number(i / 24 % 28 + 1).rightJustified(2, '0') +
                    ' ' + QByteArray::number(i % 24).rightJustified(2, '0') + ":00," +
                    QByteArray::number(i * 7 % 11) + ".5," +
                    (i < 250 ? "20.5" : QByteArray::number(i * 5 % 13)) + '\n';
        READ(page, folder_.write("asleep.csv", text));
        auto& warnings = page.panel.warnings();
        QTRY_COMPARE(warnings.count_text(), QString("Warnings (1)"));
        QVERIFY(warnings.view()
                    ->model()
                    ->index(0, WarningModel::text_column)
                    .data()
                    .toString()
                    .contains("constant in the 210 training rows"));
        page.experiment.set("data.split", config::SplitSetting{.rule = "rows", .rows = {270, 10, 20}});
        page.experiment.set("data.lookback", std::int64_t{24});
        page.experiment.set("data.horizon", std::int64_t{6});
        QTRY_COMPARE(warnings.count_text(), QString("No warnings"));
    }

    void cancel_keeps_the_former_file() {
        Page page;
        const QString small = folder_.write("former.csv", test::hourly(100));
        READ(page, small);
        const auto before = page.panel.preview().preview().table();
        page.panel.open({folder_.write("huge.csv", test::large(1'000'000))});
        QVERIFY(page.panel.model().at(1).busy);
        QSignalSpy message(&page.panel, &DataPanel::message);
        auto* cancel = control<QPushButton>(page.panel, "Cancel reading");
        QVERIFY(cancel != nullptr && cancel->isVisible());
        cancel->click();
        QCOMPARE(page.panel.paths(), QStringList{small});
        QCOMPARE(page.panel.current_path(), small);
        QCOMPARE(page.panel.preview().preview().table(), before);
        QCOMPARE(message.count(), 1);
        QVERIFY(message[0][0].toString().contains("huge.csv"));
        QTest::qWait(800);
        QCOMPARE(page.panel.paths(), QStringList{small});
        QVERIFY(!cancel->isVisible());
    }

    void bad_file_is_shown_and_others_stay() {
        Page page;
        const QString good = folder_.write("fine.csv", test::hourly(100));
        const QString bad = folder_.write("broken.csv", "a,b\n\"1,2\n3,4\n");
        QSignalSpy message(&page.panel, &DataPanel::message);
        READ(page, good, bad);
        QCOMPARE(page.panel.current_path(), bad);
        QVERIFY(page.panel.problem().isVisible());
        QVERIFY(page.panel.problem().problem().found.contains("quote"));
        QCOMPARE(message.count(), 1);
        QVERIFY(message[0][1].toBool());
        QCOMPARE(page.panel.preview().preview().rowCount(), 0);
        // Quotes mean nothing: the control that repairs it works although there is no table yet.
        page.panel.set_current(good);
        QVERIFY(!page.panel.problem().isVisible());
        QTRY_VERIFY(page.panel.is_settled());
        QCOMPARE(page.panel.preview().preview().rowCount(), 100);
        page.panel.set_current(bad);
        folder_.write("broken.csv", "a,b\n1,2\n3,4\n");
        control<QPushButton>(page.panel.problem(), "Read again")->click();
        QTRY_VERIFY(page.panel.is_settled());
        QVERIFY(!page.panel.problem().isVisible());
        QCOMPARE(page.panel.preview().preview().rowCount(), 2);
    }

    void a_corrected_file_is_used_as_it_is() {
        Page page;
        const QString path = folder_.write("odd.csv", "t;x;y\n03/04/2020;1,5;2\n04/04/2020;-2,25;1e-7\n");
        READ(page, path);
        QSignalSpy use(&page.panel, &DataPanel::use_requested);
        auto* button = page.panel.findChild<QPushButton*>(QStringLiteral("data.use"));
        QVERIFY(button != nullptr);
        auto& experiment = page.experiment;
        button->click();  // as detected: day first
        QVERIFY(experiment.config().data_csv == config::Config::DataCsv{});
        QCOMPARE(button->accessibleName(), QString("This file is in use"));
        auto& readings = page.panel.readings();
        correct(readings, "date_format", "month-first");
        correct(readings, "delimiter", ";");
        QTRY_VERIFY(page.panel.is_settled());
        // The experiment reads its file with the corrections, too.
        QCOMPARE(button->accessibleName(), QString("This file is in use"));
        QCOMPARE(use.count(), 1);
        QCOMPARE(QString::fromStdString(experiment.config().data.path), path);
        QCOMPARE(experiment.config().data_csv.date_format, std::string("month-first"));
        QCOMPARE(experiment.config().data_csv.delimiter, std::string(";"));
        QCOMPARE(experiment.config().data_csv.decimal, std::string("auto"));
        QVERIFY(!button->isEnabled());
        QCOMPARE(page.panel.usable_path(), QString());
        QVERIFY(experiment.to_toml().contains("[data.csv]\ndelimiter = \";\"\n"));
        QCOMPARE(QDir(QFileInfo(path).path()).entryList({"odd*"}, QDir::Files), QStringList{"odd.csv"});
        // A run reads what is shown.
        const auto shown = page.panel.preview().preview().table();
        const auto read = *data::read_table(path.toStdString(), data::csv_options(experiment.config()));
        QCOMPARE(read.time, shown->time);
        QVERIFY(read.time[1] - read.time[0] > 20 * 86400.0);  // 4 March to 4 April
        QCOMPARE(read.columns.size(), shown->columns.size());
        for (std::size_t c = 0; c < read.columns.size(); ++c)
            QCOMPARE(read.columns[c].values, shown->columns[c].values);
        // One step of undo for each correction.
        experiment.undo_stack()->undo();
        experiment.undo_stack()->undo();
        QVERIFY(experiment.config().data_csv == config::Config::DataCsv{});
        QVERIFY(button->isEnabled());
        experiment.undo_stack()->redo();
        experiment.undo_stack()->redo();
        QVERIFY(!button->isEnabled());
        // The same file in another window of this experiment is read in the same way.
        Page later;
        later.experiment.replace(experiment.config(), {}, "test");
        READ(later, path);
        QVERIFY(later.panel.model().at(0).is_corrected());
        QCOMPARE(later.panel.preview().preview().table()->time, shown->time);
        QCOMPARE(later.panel.usable_path(), QString());
        // Without corrections, the experiment's are removed.
        later.panel.readings().as_detected()->click();
        QTRY_VERIFY(later.panel.is_settled());
        QVERIFY(!later.panel.readings().as_detected()->isEnabled());
        QCOMPARE(later.panel.usable_path(), QString());
        const auto session = later.panel.save_readings();
        QVERIFY(later.experiment.config().data_csv == config::Config::DataCsv{});
        // A session keeps how the file is read, whatever the experiment says.
        Page restored;
        restored.experiment.replace(experiment.config(), {}, "test");
        restored.panel.restore_readings(session);
        READ(restored, path);
        QVERIFY(!restored.panel.model().at(0).is_corrected());
    }

    void filters_name_the_readers() {
        QCOMPARE(data_file_patterns(), QString("*.tsf *.jsonl *.json *.ndjson *.csv *.tsv *.txt *.dat "
                                               "*.gz *.zip *.bz2 *.xz *.zst"));
        QCOMPARE(data_file_filters(),
                 QString("Data files (*.tsf *.jsonl *.json *.ndjson *.csv *.tsv *.txt *.dat *.gz *.zip *.bz2 "
                         "*.xz *.zst);;"
                         "Monash .tsf files (*.tsf);;JSON lines files (*.jsonl *.json *.ndjson);;"
                         "CSV files (*.csv *.tsv *.txt *.dat);;All files (*)"));
    }

    void state_comes_back() {
        QByteArray state;
        {
            Page page;
            READ(page, folder_.write("state.csv", test::hourly(100)));
            page.panel.show_page(DataPanel::preparation_page);
            page.panel.warnings().view()->setColumnWidth(WarningModel::kind_column, 222);
            page.panel.channels().units()->setCurrentIndex(1);
            state = page.panel.save_state();
        }
        Page page;
        QVERIFY(!page.panel.restore_state("nonsense"));
        QVERIFY(!page.panel.restore_state({}));
        QVERIFY(page.panel.restore_state(state));
        QCOMPARE(page.panel.warnings().view()->columnWidth(WarningModel::kind_column), 222);
        QCOMPARE(page.panel.channels().units()->currentIndex(), 1);
        QCOMPARE(page.panel.findChild<QTabWidget*>()->currentIndex(), int(DataPanel::preparation_page));
    }

    void copies_cells() {
        Page page;
        READ(page, folder_.write("copy.csv", "a,b\n1,2.5\n,4\n"));
        auto& preview = page.panel.preview();
        preview.selectAll();
        preview.setFocus();
        QTest::keyClick(&preview, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QString("1\t2.5\n\t4\n"));
    }

    void keyboard_reaches_everything() {
        Page page;
        READ(page, folder_.write("keys.csv", test::hourly(100) + "bad,row\n"));
        page.panel.activateWindow();
        QApplication::setActiveWindow(&page.panel);
        page.panel.findChild<QTabBar*>()->setFocus();
        std::set<QWidget*> reached;
        for (int i = 0; i < 40; ++i) {
            reached.insert(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QVERIFY(reached.count(&page.panel.preview()) == 1);
        QVERIFY(reached.count(page.panel.warnings().view()) == 1);
        QVERIFY(reached.count(page.panel.warnings().search()) == 1);
        page.panel.show_page(DataPanel::reading_page);
        for (int i = 0; i < 60; ++i) {
            reached.insert(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        for (const auto& option : config::options())
            if (option.section == "data.csv")
                for (auto* control :
                     page.panel.readings().editor(QString::fromStdString(option.key))->controls())
                    QVERIFY2(reached.count(control) == 1, option.key.c_str());
    }

    void rereading_does_not_block_the_window() {
        Page page;
        page.panel.open({folder_.write("slow.csv", test::large(600'000))});
        // The longest time between two turns of the event loop while the file is read and reviewed.
        QElapsedTimer clock;
        qint64 longest = 0;
        clock.start();
        QElapsedTimer all;
        all.start();
        while (!page.panel.is_settled() && all.elapsed() < 20000) {
            QApplication::processEvents(QEventLoop::AllEvents, 5);
            longest = std::max(longest, clock.restart());
        }
        QVERIFY(page.panel.is_settled());
        qInfo("read and reviewed in %lld ms, longest turn %lld ms", static_cast<long long>(all.elapsed()),
              static_cast<long long>(longest));
        QVERIFY(longest < 400);
    }

private:
    test::DataFolder folder_;
};

TEST_MAIN(TestDataPanel)
#include "test_data_panel.moc"
