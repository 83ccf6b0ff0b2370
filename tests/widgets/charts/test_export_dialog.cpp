// The export dialog: its settings, its files and its controls.
#include <QtTest>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressDialog>
#include <QSettings>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTimer>

#include "charts/export_dialog.h"
#include "figures/numbers.h"
#include "sample_figures.h"
#include "test_program.h"

using namespace casp::widgets;

class TestExportDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("casp-test"));
        QCoreApplication::setApplicationName(QStringLiteral("export-dialog"));
        QSettings().clear();
    }

    void dialog_remembers_and_writes() {
        QTemporaryDir folder;
        {
            ExportDialog dialog(samples::comparison());
            dialog.show();
            for (auto* box : dialog.findChildren<QCheckBox*>()) {
                if (box->accessibleName().startsWith(QStringLiteral("Format"))) box->setChecked(true);
            }
            for (auto* box : dialog.findChildren<QComboBox*>()) {
                if (box->accessibleName() != QStringLiteral("Size")) continue;
                box->setCurrentIndex(0);
                Q_EMIT box->activated(0);
            }
            QCOMPARE(dialog.options().width_mm, 84.0);
            dialog.set_base_path(folder.filePath(QStringLiteral("out.pdf")));
            QVERIFY(dialog.base_path().endsWith(QStringLiteral("out")));
            QVERIFY(dialog.export_now(false));
            QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 4);
            dialog.copy_to_clipboard();
            QCOMPARE(QApplication::clipboard()->image().width(), 992);
            // An impossible place is reported, not thrown.
            dialog.set_base_path(folder.filePath(QStringLiteral("out.csv/under/a")));
            QVERIFY(!dialog.export_now(false));
        }
        ExportDialog again(samples::usage());
        QCOMPARE(again.options().width_mm, 84.0);
        QCOMPARE(again.formats().size(), std::size_t(4));
        QVERIFY(again.base_path().endsWith(QStringLiteral("usage")));
    }

    void many_numbers_can_be_cancelled() {
        QTemporaryDir folder;
        auto figure = samples::losses();
        auto& numbers = figure.numbers.emplace();
        numbers.columns = {QStringLiteral("x")};
        numbers.count = 4000000000;  // more than anybody waits for
        numbers.each = [&numbers](const casp::figures::TakeRow& take) {
            for (std::int64_t i = 0; i < numbers.count; ++i)
                if (!take({QString::number(i)})) return;
        };
        ExportDialog dialog(figure);
        dialog.show();
        for (auto* box : dialog.findChildren<QCheckBox*>())
            if (box->accessibleName().startsWith(QStringLiteral("Format")))
                box->setChecked(box->accessibleName().endsWith(QStringLiteral("CSV")));
        dialog.set_base_path(folder.filePath(QStringLiteral("lr%1")));
        QTimer cancel;
        connect(&cancel, &QTimer::timeout, &dialog, [&] {
            if (auto* progress = dialog.findChild<QProgressDialog*>(); progress && progress->isVisible())
                progress->cancel();
        });
        cancel.start(20);
        QVERIFY(!dialog.export_now(false));
        const auto labels = dialog.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text() == QStringLiteral("Cancelled; lr%1.csv was not written.");
        }));
        QVERIFY(QDir(folder.path()).isEmpty(QDir::Files | QDir::Hidden | QDir::System));
    }

    void companions_are_replaced_only_after_confirmation() {
        QTemporaryDir folder;
        auto first = samples::usage(), second = samples::losses();
        first.caption = QStringLiteral("What it shows.");
        second.tables = {{QStringLiteral("tex"), QStringLiteral("\\begin{table}")}};
        ExportDialog dialog(std::vector<samples::Figure>{first, second});
        dialog.set_base_path(folder.path());
        dialog.show();
        QString asked;
        const auto answer_no = [&] {
            for (auto* widget : QApplication::topLevelWidgets())
                if (auto* box = qobject_cast<QMessageBox*>(widget); box != nullptr && box->isVisible()) {
                    asked = box->text();
                    box->reject();
                }
        };
        for (const auto& name : {first.id + QStringLiteral(".txt"), second.id + QStringLiteral(".tex")}) {
            QFile mine(folder.filePath(name));
            QVERIFY(mine.open(QIODevice::WriteOnly) && mine.write("mine") == 4);
            mine.close();
            asked.clear();
            QTimer::singleShot(0, &dialog, answer_no);
            QVERIFY(!dialog.export_now(true));
            QVERIFY2(asked.contains(name), qPrintable(asked));
            QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{name});
            QVERIFY(mine.remove());
        }
    }

    void dialog_goes_while_a_title_is_edited() {
        QString changed_of;
        {
            ExportDialog dialog(samples::losses());
            dialog.show();
            QApplication::setActiveWindow(&dialog);
            auto* titles = dialog.findChild<QTableWidget*>();
            // Still the dialog that its slot belongs to, not what its destructor leaves of it.
            connect(titles, &QTableWidget::itemChanged, titles,
                    [&] { changed_of = QString::fromLatin1(dialog.metaObject()->className()); });
            titles->setCurrentCell(0, 0);
            titles->editItem(titles->item(0, 0));
            auto* editor = titles->findChild<QLineEdit*>();
            QVERIFY(editor != nullptr);
            QTRY_COMPARE(QApplication::focusWidget(), editor);
            QTest::keyClicks(editor, QStringLiteral("abc"));
        }
        QCOMPARE(changed_of, QStringLiteral("casp::widgets::ExportDialog"));
    }

    void dialog_controls_have_names() {
        ExportDialog dialog(samples::losses());
        dialog.show();
        QTest::qWait(300);  // the preview
        int controls = 0;
        for (auto* widget : dialog.findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() ||
                widget->parentWidget() == nullptr)
                continue;
            if (qobject_cast<QLineEdit*>(widget) != nullptr &&
                (qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                 qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr))
                continue;
            QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
            QVERIFY2(!widget->toolTip().isEmpty(), widget->metaObject()->className());
            ++controls;
        }
        QVERIFY(controls > 14);
    }
};

TEST_MAIN(TestExportDialog)
#include "test_export_dialog.moc"
