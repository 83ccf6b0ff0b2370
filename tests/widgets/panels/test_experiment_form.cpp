// The form as a whole: what is changed and contradicts, undo, search, keyboard and wheel.

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

#include "experiment_fixture.h"
#include "panels/experiment/experiment_lambda_edit.h"
#include "panels/experiment/option_form.h"
#include "panels/experiment/option_text.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using casp::test::line_of;
using casp::test::type;

class TestExperimentForm : public QObject, private test::ShownForm {
    Q_OBJECT
private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }
    void contradictions_name_the_other_key() {
        type(control("backbone.heads"), "7");
        QTRY_VERIFY(form_->row("backbone.heads")->problem().contains("backbone.width = 768"));
        QVERIFY(form_->row("backbone.width")->problem().contains("backbone.heads = 7"));
        QCOMPARE(form_->row("train.epochs")->problem(), QString());
        type(control("backbone.heads"), "8");
        QTRY_COMPARE(form_->row("backbone.heads")->problem(), QString());
        QCOMPARE(form_->row("backbone.width")->problem(), QString());
    }

    void changes_are_marked_and_go_back() {
        auto* row = form_->row("train.learning_rate");
        QVERIFY(!row->is_marked_changed());
        QVERIFY(!row->reset_button()->isVisible());
        type(control("train.learning_rate"), "0.5");
        QVERIFY(row->is_marked_changed());
        QVERIFY(row->reset_button()->isVisible());
        QVERIFY2(row->reset_button()->toolTip().contains("Reset to 1e-4"),
                 qPrintable(row->reset_button()->toolTip()));
        const auto headers = form_->findChildren<QToolButton*>();
        QVERIFY(std::any_of(headers.begin(), headers.end(),
                            [](const QToolButton* one) { return one->text() == "Training · 1 changed"; }));
        row->reset_button()->click();
        QCOMPARE(model_->config(), config::Config());
        QVERIFY(!row->is_marked_changed());
        model_->set_axis("train.learning_rate", {"0.1", "1e-4"});
        QCOMPARE(row->findChild<QLabel*>("sweep")->text(), QString("Sweep: 0.1, 1e-4"));
    }

    void the_slider_lands_on_round_numbers_and_a_drag_is_one_step() {
        for (const auto value : {0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0})
            QCOMPARE(LambdaCovEdit::at(LambdaCovEdit::position_of(value)), value);
        QCOMPARE(LambdaCovEdit::position_of(1e9), LambdaCovEdit::position_of(10));
        LambdaCovEdit toolbar(*model_);
        auto* slider = toolbar.findChild<QSlider*>();
        toolbar.resize(230, toolbar.sizeHint().height());  // its width in the window
        toolbar.show();
        QVERIFY(!slider->geometry().intersects(toolbar.number()->parentWidget()->geometry()));
        slider->setSliderDown(true);
        for (int position = 45; position < 70; ++position) slider->setSliderPosition(position);
        slider->setSliderDown(false);
        QCOMPARE(model_->undo_stack()->count(), 1);
        QCOMPARE(model_->config().loss.lambda_cov, LambdaCovEdit::at(69));
        slider->setSliderDown(true);
        slider->setSliderPosition(0);
        slider->setSliderDown(false);
        QCOMPARE(model_->undo_stack()->count(), 2);
        QCOMPARE(model_->config().loss.lambda_cov, 0.0);
        // A value between two positions stays what it is.
        model_->set("loss.lambda_cov", 0.12345);
        QCOMPARE(model_->config().loss.lambda_cov, 0.12345);
        QCOMPARE(slider->value(), LambdaCovEdit::position_of(0.12));
    }

    void form_and_toolbar_stay_in_sync() {
        LambdaCovEdit toolbar(*model_);
        toolbar.show();
        auto* field = form_->row("loss.lambda_cov")->editor()->controls().back();
        type(field, "0.37");
        QCOMPARE(line_of(toolbar.number())->text(), QString("0.37"));
        toolbar.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&toolbar));
        type(toolbar.number(), "2");
        QCOMPARE(line_of(field)->text(), QString("2"));
        QCOMPARE(model_->undo_stack()->count(), 2);
        model_->undo_stack()->undo();
        QCOMPARE(line_of(field)->text(), QString("0.37"));
        model_->undo_stack()->undo();
        QCOMPARE(line_of(toolbar.number())->text(), QString("0.1"));
        model_->undo_stack()->redo();
        QCOMPARE(line_of(toolbar.number())->text(), QString("0.37"));
        QCOMPARE(line_of(field)->text(), QString("0.37"));
        // Text that is no number: the toolbar keeps it, the form says what is wrong.
        type(toolbar.number(), "x");
        QCOMPARE(line_of(toolbar.number())->text(), QString("x"));
        QVERIFY(form_->row("loss.lambda_cov")->problem().contains("not a number"));
        QCOMPARE(model_->config().loss.lambda_cov, 0.37);
        model_->reset("loss.lambda_cov");
        QCOMPARE(line_of(toolbar.number())->text(), QString("0.1"));
        QCOMPARE(form_->row("loss.lambda_cov")->problem(), QString());
    }

    void undo_keys_in_a_field_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("typed");
        QTest::newRow("number") << "train.epochs"
                                << "12";
        QTest::newRow("text") << "name"
                              << "abc";
        QTest::newRow("choice that can be typed") << "backbone.path"
                                                  << "untrained";
        QTest::newRow("device") << "run.device"
                                << "cpu";
    }

    /// The keys go where a keyboard's go: to the widget that has the focus, not to its line edit.
    void undo_keys_in_a_field() {
        QFETCH(QString, key);
        QFETCH(QString, typed);
        auto* field = control(key);
        const auto* option = config::find_option(key.toStdString());
        const auto before = option->get(model_->config());
        type(field, typed);
        const auto after = option->get(model_->config());
        QVERIFY(after != before);
        QCOMPARE(QApplication::focusWidget(), field);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(option->get(model_->config()) == before);
        QCOMPARE(line_of(field)->text(), value_text(before));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(option->get(model_->config()) == after);
        QCOMPARE(line_of(field)->text(), value_text(after));
    }

    void nothing_moves_when_a_value_changes() {
        const auto places = [this] {
            QList<QRect> all;
            for (auto* row : form_->rows()) all.append(row->geometry());
            return all;
        };
        const auto before = places();
        const auto field = control("train.epochs")->geometry();
        type(control("train.epochs"), "12");
        QTest::qWait(20);
        QVERIFY(form_->row("train.epochs")->reset_button()->isVisible());
        QCOMPARE(places(), before);
        QCOMPARE(control("train.epochs")->geometry(), field);
    }

    void nothing_moves_when_a_problem_appears() {
        const auto places = [this] {
            QList<QRect> all;
            for (auto* row : form_->rows()) all.append(row->geometry());
            return all;
        };
        const auto before = places();
        type(control("backbone.heads"), "7");  // contradicts the width, whose row is above
        QTRY_VERIFY(!form_->row("backbone.width")->problem().isEmpty());
        QTRY_VERIFY(form_->shown_problem().contains("backbone.width = 768"));
        QCOMPARE(places(), before);
        // It leaves with the focus, the mark stays.
        control("train.epochs")->setFocus();
        QTRY_COMPARE(form_->shown_problem(), QString());
        QCOMPARE(form_->row("backbone.heads")->reset_button()->text(), QString("⚠"));
        QVERIFY(!form_->row("backbone.width")->is_marked_changed());
        QTest::mouseClick(form_->row("backbone.width")->reset_button(), Qt::LeftButton);
        QVERIFY(form_->shown_problem().contains("backbone.heads = 7"));
        QCOMPARE(places(), before);
    }

    void essentials_come_first() {
        const auto shown = [this] {
            QStringList keys;
            for (const auto* row : form_->rows())
                if (row->isVisible()) keys.append(row->key());
            return keys;
        };
        QStringList essential;
        for (const auto& option : config::options())
            if (option.limits.is_essential && option.model.empty())
                essential.append(QString::fromStdString(option.key));
        QVERIFY2(essential.size() <= 30, qPrintable(QString::number(essential.size())));
        QVERIFY(shown().size() > essential.size());
        form_->all_settings()->setChecked(false);
        QCOMPARE(shown(), essential);  // CASP-LLM reads them all
        model_->set("model.name", std::string("dlinear"));
        QTRY_VERIFY(!shown().contains("model.top_k"));
        QVERIFY(shown().contains("train.epochs"));
        model_->undo_stack()->undo();
        // What was changed or swept is shown, too, and does not vanish when it is reset.
        model_->set("coverage.decay", 0.5);
        QTRY_VERIFY(shown().contains("coverage.decay"));
        form_->row("coverage.decay")->reset_button()->click();
        QVERIFY(!form_->row("coverage.decay")->is_marked_changed());
        QVERIFY(shown().contains("coverage.decay"));
        model_->set_axis("coverage.warmup", {"0", "100"});
        QTRY_VERIFY(shown().contains("coverage.warmup"));
        // A search and the palette find the others.
        form_->search_box()->setText("weight_decay");
        QCOMPARE(shown(), QStringList{"train.weight_decay"});
        form_->search_box()->clear();
        QVERIFY(!shown().contains("train.weight_decay"));
        form_->show_option("train.weight_decay");
        QTRY_VERIFY(control("train.weight_decay")->hasFocus());
        QVERIFY(shown().contains("train.weight_decay"));
        QVERIFY(!shown().contains("train.t_max"));
    }

    void a_narrow_form_cuts_nothing() {
        auto* area = form_->scroll_area();
        const auto* label = form_->row("train.learning_rate")->findChild<QLabel*>();
        const auto* field = form_->row("train.learning_rate")->editor();
        form_->resize(700, 600);
        QTRY_VERIFY2(label->geometry().right() < field->x(), "beside each other");
        form_->resize(10, 600);  // as narrow as it lets itself be made
        QTRY_VERIFY2(label->geometry().bottom() <= field->y(),
                     qPrintable(QString("one above the other: %1, %2 to %3")
                                    .arg(form_->width())
                                    .arg(label->geometry().bottom())
                                    .arg(field->y())));
        QVERIFY2(form_->width() < 320, qPrintable(QString::number(form_->width())));
        QTRY_VERIFY2(
            area->widget()->width() <= area->viewport()->width(),
            qPrintable(QString("%1 in %2").arg(area->widget()->width()).arg(area->viewport()->width())));
        for (const auto* row : form_->rows())
            for (const auto* one : row->findChildren<QWidget*>())
                if (one->isVisible() && one->parentWidget() == row)
                    QVERIFY2(one->geometry().right() < row->width(), qPrintable(row->key()));
    }

    void the_wheel_changes_nothing() {
        const auto before = model_->config();
        for (auto* row : form_->rows())
            for (auto* control : row->editor()->controls()) {
                control->setFocus();
                QWheelEvent wheel(QPointF(5, 5), control->mapToGlobal(QPointF(5, 5)), {}, {0, -240},
                                  Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
                QSpontaneKeyEvent::setSpontaneous(&wheel);
                qApp->notify(control, &wheel);  // sendEvent() would make it synthetic again
            }
        QCOMPARE(model_->config(), before);
        // It scrolls instead.
        form_->scroll_area()->verticalScrollBar()->setValue(0);
        auto* field = control("train.epochs");
        QWheelEvent wheel(QPointF(5, 5), field->mapToGlobal(QPointF(5, 5)), {}, {0, -240}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QSpontaneKeyEvent::setSpontaneous(&wheel);
        qApp->notify(field, &wheel);
        QVERIFY(form_->scroll_area()->verticalScrollBar()->value() > 0);
    }

    void search_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("keys");
        QTest::newRow("symbol λ_cov") << "λ_cov" << QStringList{"loss.lambda_cov"};
        QTest::newRow("symbol K") << "K" << QStringList{"model.top_k"};
        QTest::newRow("symbol V'") << "V'" << QStringList{"model.pool_size"};
        QTest::newRow("symbol L") << "L" << QStringList{"data.lookback"};
        QTest::newRow("the appendix's τ") << "τ" << QStringList{"data.lookback"};
        QTest::newRow("tau") << "tau" << QStringList{"data.lookback"};
        QTest::newRow("Greek in Latin")
            << "lambda" << QStringList{"coverage.term", "loss.lambda_sim", "loss.lambda_cov"};
        QTest::newRow("one letter λ")
            << "λ" << QStringList{"coverage.term", "loss.lambda_sim", "loss.lambda_cov"};
        QTest::newRow("key") << "train.batch_size" << QStringList{"train.batch_size"};
        QTest::newRow("help, two words") << "weight AdamW" << QStringList{"train.weight_decay"};
        QTest::newRow("nothing") << "zzz" << QStringList{};
    }

    void search() {
        QFETCH(QString, text);
        QFETCH(QStringList, keys);
        form_->set_folded_groups({"Loss", "Model"});
        QTest::keyClick(form_.get(), Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), form_->search_box());
        form_->search_box()->setText(text);
        QStringList found;
        for (const auto* row : form_->rows())
            if (row->isVisible()) found.append(row->key());
        QCOMPARE(found, keys);
        form_->search_box()->clear();
        QVERIFY(!form_->row("loss.lambda_cov")->isVisible());
        QVERIFY(form_->row("train.seed")->isVisible());
        QCOMPARE(form_->folded_groups(), (QStringList{"Model", "Loss"}));
    }

    void changed_only_filter() {
        model_->set("train.epochs", std::int64_t{3});
        form_->changed_only()->setChecked(true);
        QVERIFY(form_->row("train.epochs")->isVisible());
        QVERIFY(!form_->row("train.seed")->isVisible());
        model_->set("train.seed", std::int64_t{3});
        QVERIFY(form_->row("train.seed")->isVisible());
        model_->reset_all();
        QVERIFY(!form_->row("train.epochs")->isVisible());
        form_->changed_only()->setChecked(false);
        QVERIFY(form_->row("train.epochs")->isVisible());
    }

    void settings_without_effect_are_hidden() {
        QVERIFY(form_->row("selection.rule")->isVisible());
        QVERIFY(!form_->row("selection.alpha")->isVisible());
        model_->set("selection.rule", std::string("mmr"));
        QTRY_VERIFY(form_->row("selection.alpha")->isVisible());
        model_->undo_stack()->undo();
        QTRY_VERIFY(!form_->row("selection.alpha")->isVisible());
        QVERIFY(form_->row("coverage.term")->isVisible());
        model_->set("coverage.enabled", false);
        QTRY_VERIFY(!form_->row("coverage.term")->isVisible());
        QVERIFY(form_->row("coverage.enabled")->isVisible());
    }

    void the_keyboard_follows_the_picture() {
        model_->set("train.epochs", std::int64_t{3});
        form_->search_box()->setFocus();
        QSet<QWidget*> reached{form_->search_box()};
        auto last = QPoint(0, -1);
        for (int i = 0; i < 300; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            auto* now = QApplication::focusWidget();
            QVERIFY(now != nullptr);
            if (now == form_->search_box()) break;
            reached.insert(now);
            if (form_->scroll_area()->widget()->isAncestorOf(now)) {
                const auto place = now->mapTo(form_->scroll_area()->widget(), QPoint(0, now->height() / 2));
                const bool further =
                    place.y() > last.y() + 4 || (place.y() > last.y() - 12 && place.x() > last.x());
                QVERIFY2(further, qPrintable(now->accessibleName()));
                last = place;
            }
        }
        for (auto* row : form_->rows())
            for (auto* control : row->editor()->controls())
                if (control->isVisible())
                    QVERIFY2(reached.contains(control), qPrintable(row->key() + control->accessibleName()));
        QVERIFY(reached.contains(form_->row("train.epochs")->reset_button()));
    }

    void tooltips_explain_the_options() {
        for (const auto* row : form_->rows()) {
            const auto tooltip = row->editor()->controls().front()->toolTip();
            QVERIFY(tooltip.contains(QString::fromStdString(row->option().key)));
            QVERIFY(tooltip.contains(QString::fromStdString(row->option().help).toHtmlEscaped()));
            if (!row->option().symbol.empty())
                QVERIFY(tooltip.contains(QString::fromStdString(row->option().symbol).toHtmlEscaped()));
            QCOMPARE(row->property("help_topic").toString(), "options/" + row->key());
        }
    }

    void show_option_opens_and_scrolls() {
        const QStringList at_first{"Reading a CSV file"};
        QCOMPARE(casp::widgets::OptionForm(*model_).folded_groups(), at_first);
        form_->set_folded_groups(at_first);
        form_->show_option("data.csv.decimal");
        QTRY_VERIFY(!form_->row("data.csv.decimal")->visibleRegion().isEmpty());
        form_->set_folded_groups({"Run"});
        form_->search_box()->setText("epochs");
        form_->show_option("run.store_similarity");
        QTRY_VERIFY(!form_->row("run.store_similarity")->visibleRegion().isEmpty());
        QVERIFY(control("run.store_similarity")->hasFocus());
        QCOMPARE(form_->search_box()->text(), QString());
    }
};

TEST_MAIN(TestExperimentForm)
#include "test_experiment_form.moc"
