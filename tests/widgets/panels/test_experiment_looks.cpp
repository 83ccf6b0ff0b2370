// Nothing is cut off, too small or without a name: panel, toolbar knob, sweep editor and fork, light and
// dark. CTest runs it at scale 1 and 2. With CASP_PICTURES=FOLDER it leaves pictures there to look at.

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QStyleFactory>
#include <QStyleOptionComboBox>
#include <QTest>

#include "figures/style.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/experiment/fork_popover.h"
#include "panels/experiment/option_text.h"
#include "panels/experiment/sweep_editor.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;

namespace {

QPalette dark() {
    QPalette palette;
    palette.setColor(QPalette::Window, QColor(37, 38, 41));
    palette.setColor(QPalette::WindowText, QColor(230, 230, 230));
    palette.setColor(QPalette::Base, QColor(27, 28, 30));
    palette.setColor(QPalette::AlternateBase, QColor(45, 46, 50));
    palette.setColor(QPalette::Text, QColor(230, 230, 230));
    palette.setColor(QPalette::PlaceholderText, QColor(150, 150, 155));
    palette.setColor(QPalette::Button, QColor(53, 54, 58));
    palette.setColor(QPalette::ButtonText, QColor(230, 230, 230));
    palette.setColor(QPalette::ToolTipBase, QColor(53, 54, 58));
    palette.setColor(QPalette::ToolTipText, QColor(230, 230, 230));
    palette.setColor(QPalette::Highlight, QColor(66, 133, 201));
    palette.setColor(QPalette::HighlightedText, QColor(255, 255, 255));
    palette.setColor(QPalette::Mid, QColor(80, 80, 84));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor(125, 125, 128));
    return palette;
}

QString described(const QWidget* widget, const QString& text) {
    return QStringLiteral("%1 “%2” %3x%4, wants %5x%6")
        .arg(widget->metaObject()->className(), text)
        .arg(widget->width())
        .arg(widget->height())
        .arg(widget->sizeHint().width())
        .arg(widget->sizeHint().height());
}

/// Texts in `root` that do not fit, or are smaller than 11 px, or cannot be read.
QStringList faults(QWidget* root) {
    QStringList found;
    for (auto* widget : root->findChildren<QWidget*>()) {
        if (!widget->isVisible()) continue;
        QString text;
        bool cut = false;
        if (const auto* label = qobject_cast<QLabel*>(widget)) {
            text = label->text();
            if (text.isEmpty()) continue;
            cut = label->wordWrap() ? label->heightForWidth(label->width()) > label->height()
                                    : label->sizeHint().width() > label->width() ||
                                          label->sizeHint().height() > label->height();
            const auto contrast = figures::contrast(label->palette().color(label->foregroundRole()),
                                                    root->palette().color(QPalette::Window));
            if (contrast < 3) found.append("too faint: " + described(widget, text));
        } else if (const auto* button = qobject_cast<QAbstractButton*>(widget)) {
            text = button->text();
            if (text.isEmpty()) continue;
            cut = button->sizeHint().width() > button->width() ||
                  button->sizeHint().height() > button->height();
        } else if (auto* combo = qobject_cast<QComboBox*>(widget)) {
            // What was typed may be longer than the field.
            if (combo->isEditable()) continue;
            text = combo->currentText();
            QStyleOptionComboBox option;
            option.initFrom(combo);
            option.editable = combo->isEditable();
            const auto field = combo->style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                              QStyle::SC_ComboBoxEditField, combo);
            cut = combo->fontMetrics().horizontalAdvance(text) > field.width();
        } else if (auto* edit = qobject_cast<QLineEdit*>(widget)) {
            // What was typed may be longer than the field; what the field itself says may not.
            text = edit->text().isEmpty() ? edit->placeholderText() : edit->text();
            const auto margins = edit->textMargins();
            const bool number = qobject_cast<QAbstractSpinBox*>(edit->parentWidget()) != nullptr;
            if (!number && !edit->text().isEmpty()) continue;
            cut = edit->fontMetrics().horizontalAdvance(text) + margins.left() + margins.right() >
                  edit->width();
        } else {
            continue;
        }
        if (cut) found.append("cut off: " + described(widget, text));
        if (QFontInfo(widget->font()).pixelSize() < 11) found.append("too small: " + described(widget, text));
    }
    return found;
}

QStringList nameless(QWidget* root) {
    QStringList found;
    for (auto* widget : root->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
        if (qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) ||
            qobject_cast<QComboBox*>(widget->parentWidget()))
            continue;
        if (widget->inherits("QSplitterHandle")) continue;
        if (widget->accessibleName().isEmpty())
            found.append("no name: " + described(widget, widget->objectName()));
        if (widget->toolTip().isEmpty())
            found.append("no tooltip: " + described(widget, widget->accessibleName()));
    }
    return found;
}

ExperimentPreview large_preview(const config::Config& config, const std::stop_token&) {
    ExperimentPreview preview;
    preview.device = "cuda:0";
    preview.parameters_total = 143'000'000;
    preview.parameters_trainable = 61'200'000;
    preview.step_bytes = 360'000'000 * config.train.batch_size;
    preview.backbone_problem = "GPT-2 is not on this computer yet";
    preview.free_bytes = 8'000'000'000;
    preview.largest_batch = 22;
    preview.steps_per_epoch = 1260;
    preview.epoch_seconds = 95;
    preview.longest_seconds = 95 * 100;
    preview.shorter_in = {{"bf16", 2400}, {"tf32", 3200}};
    return preview;
}

void picture(QWidget& widget, const QString& name) {
    const auto folder = qEnvironmentVariable("CASP_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    const auto scale = widget.devicePixelRatioF() > 1 ? QStringLiteral("_2x") : QString();
    QVERIFY(widget.grab().save(folder + '/' + name + scale + ".png"));
}

}  // namespace

class TestExperimentLooks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void panel_data();
    void panel();
    void the_theme_changes_while_it_shows();
};

void TestExperimentLooks::panel_data() {
    QTest::addColumn<bool>("in_dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestExperimentLooks::panel() {
    QFETCH(bool, in_dark);
    const auto theme = in_dark ? QStringLiteral("dark") : QStringLiteral("light");
    QApplication::setPalette(in_dark ? dark() : QApplication::style()->standardPalette());
    ExperimentModel model;
    ExperimentPanel empty(model);
    empty.resize(360, 900);
    empty.show();
    QVERIFY(QTest::qWaitForWindowExposed(&empty));
    QCOMPARE(faults(&empty).join('\n'), QString());
    picture(empty, "empty_" + theme);

    model.apply_preset("etth1-96");
    model.set("loss.lambda_cov", 0.3);
    model.set("train.epochs", std::int64_t{12});
    model.set("data.path", std::string("/home/anna/projects/energy/datasets/ETT-small/ETTh1.csv"));
    model.set("model.top_k", std::int64_t{2000});
    model.set_axis("train.seed", {"2021", "2022", "2023"});
    for (const int width : {300, 340, 420, 900}) {
        ExperimentPanel panel(model);
        panel.set_preview_function(large_preview);
        panel.set_toml_visible(width > 400);
        panel.resize(width, 1000);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QTRY_VERIFY(!panel.reason().isEmpty() && !panel.estimate()->is_pending());
        QVERIFY2(panel.width() == width, "the panel fits into a narrow dock");
        QCOMPARE((faults(&panel) + nameless(&panel)).join('\n'), QString());
        picture(panel, QStringLiteral("problems_%1_%2").arg(width).arg(theme));
        panel.form()->show_option("train.epochs");
        QTest::qWait(20);
        QCOMPARE(faults(&panel).join('\n'), QString());
        picture(panel, QStringLiteral("scrolled_%1_%2").arg(width).arg(theme));
        model.reset("model.top_k");
        QTRY_VERIFY(panel.reason().isEmpty() && !panel.estimate()->warning().isEmpty());
        for (const char* precision : {"with the precision bf16", "with the precision tf32"})
            QVERIFY2(panel.estimate()->text().contains(precision), qPrintable(panel.estimate()->text()));
        QTest::qWait(20);
        QCOMPARE(faults(&panel).join('\n'), QString());
        picture(panel, QStringLiteral("estimate_%1_%2").arg(width).arg(theme));
        panel.form()->search_box()->setText("no such thing");
        QTest::qWait(20);
        QCOMPARE(faults(&panel).join('\n'), QString());
        picture(panel, QStringLiteral("search_%1_%2").arg(width).arg(theme));
        model.undo_stack()->undo();
    }
    model.reset("model.top_k");

    LambdaCovEdit toolbar(model);
    toolbar.show();
    QCOMPARE((faults(&toolbar) + nameless(&toolbar)).join('\n'), QString());
    picture(toolbar, "toolbar_" + theme);

    SweepEditor sweep(model);
    sweep.set_preview_function(large_preview);
    sweep.resize(460, 460);
    sweep.show();
    QTest::keyClicks(sweep.values_field(0),
                     sweep.key_box(0)->currentData() == "train.seed" ? "" : "0, 0.05, 0.1");
    sweep.add_row("loss.lambda_cov");
    QTest::keyClicks(sweep.values_field(sweep.row_count() - 1), "0, 0.001:1:4 log");
    QTRY_VERIFY(!sweep.is_pending());
    QTest::qWait(20);
    QCOMPARE((faults(&sweep) + nameless(&sweep)).join('\n'), QString());
    picture(sweep, "sweep_" + theme);
    sweep.cases()->add_case();
    sweep.cases()->add_case();
    QTest::keyClicks(sweep.cases()->value_field(0, 0), "x");
    sweep.resize(460, 760);
    QTRY_VERIFY(!sweep.is_pending());
    QTest::qWait(20);
    QCOMPARE((faults(&sweep) + nameless(&sweep)).join('\n'), QString());
    picture(sweep, "sweep_cases_" + theme);
    sweep.cases()->remove_case(1);
    sweep.cases()->remove_case(0);
    QTest::keyClicks(sweep.values_field(0), ", x");
    QTRY_VERIFY(!sweep.is_pending());
    QTest::qWait(20);
    QCOMPARE(faults(&sweep).join('\n'), QString());
    picture(sweep, "sweep_wrong_" + theme);

    ForkParent parent;
    parent.folder = "/runs/etth1/lambda_cov-0.1_seed-2021";
    parent.name = "lambda_cov-0.1_seed-2021";
    parent.label = "etth1 · λ_cov 0.1 · seed 2021";
    parent.step = 1312;
    parent.epoch = 3;
    ForkPopover fork;
    fork.set_parent_run(parent);
    fork.popup({0, 0});
    QTest::qWait(20);
    QCOMPARE((faults(&fork) + nameless(&fork)).join('\n'), QString());
    picture(fork, "fork_" + theme);
}

void TestExperimentLooks::the_theme_changes_while_it_shows() {
    const auto light = QApplication::style()->standardPalette();
    QApplication::setPalette(light);
    ExperimentModel model;
    model.set("loss.lambda_cov", 0.3);
    ExperimentPanel panel(model);
    panel.resize(360, 700);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QApplication::setPalette(dark());
    QTest::qWait(30);
    QCOMPARE(faults(&panel).join('\n'), QString());
    const auto* reason = panel.findChild<QLabel*>("reason");
    QVERIFY(reason != nullptr);
    QCOMPARE(reason->palette().color(QPalette::WindowText), tone_colour(dark(), Tone::warning));
    QApplication::setPalette(light);
    QTest::qWait(30);
    QCOMPARE(faults(&panel).join('\n'), QString());
}

TEST_PROGRAM(TestExperimentLooks)(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setStyle(QStyleFactory::create("Fusion"));
    TestExperimentLooks test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_experiment_looks.moc"
