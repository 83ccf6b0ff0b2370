// Where file dialogs begin, and the question before large exports.
#include <QtTest>

#include <QCheckBox>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include "charts/export_dialog.h"
#include "charts/file_dialog.h"
#include "figures/numbers.h"
#include "sample_figures.h"
#include "test_program.h"

using namespace casp::widgets;

class TestFileDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("casp-test"));
        QCoreApplication::setApplicationName(QStringLiteral("file-dialog"));
        QSettings().clear();
    }

    void begins_in_the_last_folder() {
        const auto data = folder("data"), exports = folder("exports");
        QCOMPARE(last_folder(FileKind::data), QString());
        chosen(file_dialog(nullptr, FileKind::data, "Open", QFileDialog::ExistingFiles), data + "/a.csv");
        QCOMPARE(last_folder(FileKind::data), data);
        QCOMPARE(last_folder(FileKind::exports), QString());
        chosen(save_dialog(nullptr, FileKind::exports, "Save", {"CSV (*.csv)"}, "csv", "a"),
               exports + "/b.csv");
        // A folder that is chosen is the next one.
        chosen(file_dialog(nullptr, FileKind::runs, "Runs", QFileDialog::Directory), place_.path());
        const std::unique_ptr<QFileDialog> again(
            file_dialog(nullptr, FileKind::data, "Open", QFileDialog::ExistingFiles));
        QCOMPARE(again->directory().absolutePath(), data);
        const std::unique_ptr<QFileDialog> save(
            save_dialog(nullptr, FileKind::exports, "Save", {"CSV (*.csv)"}, "csv", "c"));
        QCOMPARE(save->directory().absolutePath(), exports);
        QCOMPARE(QFileInfo(save->selectedFiles().value(0)).fileName(), QString("c.csv"));
        QCOMPARE(last_folder(FileKind::runs), place_.path());
        QVERIFY(QDir(exports).removeRecursively());
        QCOMPARE(last_folder(FileKind::exports), QString());
    }

    void small_exports_need_no_confirmation() {
        QVERIFY(may_export(nullptr, large_export_bytes, 1));
        QVERIFY(text_.isEmpty());
    }

    void large_exports_need_confirmation() {
        answer(QMessageBox::RejectRole);
        QVERIFY(!may_export(nullptr, 320'000'000, 10e6));
        QVERIFY2(text_.contains("320 MB") && text_.contains("about 32 s"), qPrintable(text_));
        answer(QMessageBox::AcceptRole);
        QVERIFY(may_export(nullptr, 320'000'000, 10e6));
    }

    void figures() {
        auto figure = samples::losses();
        auto& numbers = figure.numbers.emplace();
        numbers.columns = {QStringLiteral("x")};
        numbers.each = [&numbers](const casp::figures::TakeRow& take) {
            for (std::int64_t i = 0; i < numbers.count; ++i)
                if (!take({QStringLiteral("1234567890")})) return;
        };
        numbers.count = 3;
        QCOMPARE(casp::figures::csv_size(figure), casp::figures::csv_of(figure).size());
        numbers.count = 100'000;
        const auto size = static_cast<double>(casp::figures::csv_of(figure).size());
        QVERIFY(std::abs(static_cast<double>(casp::figures::csv_size(figure)) / size - 1) < 0.01);
        numbers.count = 10'000'000;  // 120 MB
        ExportDialog dialog(figure);
        for (auto* box : dialog.findChildren<QCheckBox*>())
            if (box->accessibleName().startsWith(QStringLiteral("Format")))
                box->setChecked(box->accessibleName().endsWith(QStringLiteral("CSV")));
        dialog.set_base_path(place_.filePath("figure"));
        answer(QMessageBox::RejectRole);
        QVERIFY(!dialog.export_now());
        QVERIFY2(text_.contains("120 MB"), qPrintable(text_));
        QVERIFY(!QFileInfo::exists(place_.filePath("figure.csv")));
        numbers.count = 3;
        text_.clear();
        ExportDialog small(figure);
        small.set_base_path(place_.filePath("figure"));
        QVERIFY(small.export_now());
        QCOMPARE(text_, QString());
    }

private:
    QTemporaryDir place_;
    QString text_;

    QString folder(const char* name) {
        QDir(place_.path()).mkdir(name);
        return place_.filePath(name);
    }
    static void chosen(QFileDialog* dialog, const QString& path) {
        Q_EMIT dialog->filesSelected({path});
        delete dialog;
    }
    /// Of the question that comes.
    void answer(QMessageBox::ButtonRole role) {
        QTimer::singleShot(0, this, [this, role] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box != nullptr);
            text_ = box->text() + ' ' + box->informativeText();
            for (auto* button : box->buttons())
                if (box->buttonRole(button) == role) return button->click();
        });
    }
};

TEST_MAIN(TestFileDialog)
#include "test_file_dialog.moc"
