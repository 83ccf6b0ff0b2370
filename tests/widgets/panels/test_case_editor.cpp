// Cases of a sweep in the window: the editor, undo, the TOML text and the session.

#include <QComboBox>
#include <QCoreApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QUndoStack>

#include "config/experiment.h"
#include "experiment_fixture.h"
#include "panels/experiment/sweep_editor.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;

class TestCaseEditor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void cases_become_runs();
    void cases_are_renamed_moved_and_removed();
    void undo_brings_cases_back();
    void wrong_values_are_marked();
    void a_sweep_over_presets_needs_no_data_in_the_form();
    void the_text_and_the_session_have_the_cases();

private:
    /// A case with one setting, as a person makes it.
    void add(const QString& label, const QString& key, const QString& value);
    [[nodiscard]] QStringList labels() const;
    [[nodiscard]] QAbstractButton* button(const QString& accessible_name) const;

    std::unique_ptr<ExperimentModel> model_;
    std::unique_ptr<SweepEditor> editor_;
};

void TestCaseEditor::init() {
    model_ = std::make_unique<ExperimentModel>();
    model_->set("data.path", std::string("/x.csv"));
    editor_ = std::make_unique<SweepEditor>(*model_);
    editor_->show();
}

void TestCaseEditor::cleanup() {
    editor_.reset();
    model_.reset();
}

void TestCaseEditor::add(const QString& label, const QString& key, const QString& value) {
    auto* cases = editor_->cases();
    button("Add a case to the sweep")->click();
    const int last = cases->case_count() - 1;
    cases->label_field(last)->selectAll();
    QTest::keyClicks(cases->label_field(last), label);
    auto* box = cases->key_box(last, 0);
    box->setCurrentIndex(box->findData(key));
    Q_EMIT box->activated(box->currentIndex());
    QTest::keyClicks(cases->value_field(last, 0), value);
}

QStringList TestCaseEditor::labels() const {
    QStringList labels;
    for (const auto& one : model_->cases()) labels << QString::fromStdString(one.label);
    return labels;
}

QAbstractButton* TestCaseEditor::button(const QString& accessible_name) const {
    QCoreApplication::processEvents();  // new rows are shown with the next event
    for (auto* found : editor_->findChildren<QAbstractButton*>())
        if (found->accessibleName() == accessible_name && found->parentWidget()->isVisible()) return found;
    qFatal("no button %s", qPrintable(accessible_name));
}

void TestCaseEditor::cases_become_runs() {
    add("without coverage", "coverage.enabled", "off");
    add("coverage", "loss.lambda_cov", "");
    QTRY_COMPARE(editor_->queue_button()->text(), QString("Queue 2 runs"));
    QTest::keyClicks(editor_->values_field(1), "1, 2");
    QTRY_COMPARE(editor_->queue_button()->text(), QString("Queue 4 runs"));
    QCOMPARE(editor_->run_names(), (QStringList{"seed-1_case-without-coverage", "seed-1_case-coverage",
                                                "seed-2_case-without-coverage", "seed-2_case-coverage"}));
    const auto runs = config::expand(model_->experiment());
    QVERIFY(!runs[0].config.coverage.enabled && runs[1].config.coverage.enabled);
    QCOMPARE(model_->cases()[1].given.size(), std::size_t{0});  // without a value
    QCOMPARE(editor_->notes(), QString());
    QTest::keyClicks(editor_->values_field(0), "0, 0.5");
    QTRY_COMPARE(editor_->queue_button()->text(),
                 QString("Queue 6 runs"));  // without coverage, λ_cov is none
    QVERIFY2(editor_->notes().contains("2 of 8 combinations of the sweep are left out"),
             qPrintable(editor_->notes()));
}

void TestCaseEditor::cases_are_renamed_moved_and_removed() {
    add("a", "model.top_k", "2");
    add("b", "data.columns", "HUFL, OT");
    add("c", "backbone.path", "untrained");
    QCOMPARE(labels(), (QStringList{"a", "b", "c"}));
    QVERIFY(!button("Move case 1 up")->isEnabled() && !button("Move case 3 down")->isEnabled());
    button("Move case 2 up")->click();
    QCOMPARE(labels(), (QStringList{"b", "a", "c"}));
    auto* cases = editor_->cases();
    QCOMPARE(cases->label_field(0)->text(), QString("b"));
    QCOMPARE(cases->key_box(0, 0)->currentData().toString(), QString("data.columns"));
    QCOMPARE(cases->value_field(0, 0)->text(), QString("HUFL, OT"));
    QTest::keyClicks(cases->label_field(1), "bc");
    QCOMPARE(labels(), (QStringList{"b", "abc", "c"}));
    button("Remove case 2")->click();
    QCOMPARE(labels(), (QStringList{"b", "c"}));
    QCOMPARE(cases->case_count(), 2);
    QCOMPARE(cases->value_field(1, 0)->text(), QString("untrained"));
    // A second setting, and none.
    button("Add a setting to case 2")->click();
    QCOMPARE(cases->key_box(1, 1)->currentData().toString(), QString("loss.lambda_cov"));
    QTest::keyClicks(cases->value_field(1, 1), "0.5");
    QCOMPARE(model_->cases()[1].given.size(), std::size_t{2});
    QCOMPARE(std::get<double>(model_->cases()[1].given[1].value), 0.5);
    cases->value_field(1, 1)->selectAll();
    QTest::keyClick(cases->value_field(1, 1), Qt::Key_Delete);
    QCOMPARE(model_->cases()[1].given.size(), std::size_t{1});
}

void TestCaseEditor::undo_brings_cases_back() {
    add("a", "model.top_k", "25");
    const auto* cases = editor_->cases();
    auto* undo = model_->undo_stack();
    undo->undo();  // typing is one step
    QCOMPARE(model_->cases()[0].given.size(), std::size_t{0});
    undo->redo();
    QCOMPARE(cases->value_field(0, 0)->text(), QString("25"));
    button("Remove case 1")->click();
    QCOMPARE(cases->case_count(), 0);
    undo->undo();
    QCOMPARE(cases->case_count(), 1);
    QCOMPARE(cases->label_field(0)->text(), QString("a"));
    QCOMPARE(cases->key_box(0, 0)->currentData().toString(), QString("model.top_k"));
    QCOMPARE(cases->value_field(0, 0)->text(), QString("25"));
}

void TestCaseEditor::wrong_values_are_marked() {
    add("a", "model.top_k", "x");
    QTRY_VERIFY(!editor_->is_pending());
    QVERIFY(!editor_->queue_button()->isEnabled());
    QVERIFY2(editor_->cases()->problem().startsWith("a, "), qPrintable(editor_->cases()->problem()));
    QVERIFY(editor_->queue_button()->toolTip().contains("“x” is not a whole number"));
    QVERIFY(model_->cases()[0].given.empty());
    test::type(editor_->cases()->value_field(0, 0), "3");
    QCOMPARE(editor_->cases()->problem(), QString());
    QTRY_VERIFY(editor_->queue_button()->isEnabled());
    // What single fields cannot see: equal labels, and a key that is also swept.
    add("a", "train.seed", "");
    QTRY_VERIFY(editor_->queue_button()->toolTip().contains("two cases have the label"));
    test::type(editor_->cases()->label_field(1), "b");
    test::type(editor_->cases()->value_field(1, 0), "7");
    QTRY_VERIFY(editor_->queue_button()->isEnabled());
    QTest::keyClicks(editor_->values_field(1), "1, 2");
    QTRY_VERIFY(editor_->queue_button()->toolTip().contains("train.seed is in a case and in [sweep]"));
}

void TestCaseEditor::a_sweep_over_presets_needs_no_data_in_the_form() {
    QCOMPARE(model_->replace_from_toml("[sweep]\npreset = [\"etth1-96\", \"etth1-192\"]\n[[sweep.case]]\n"
                                       "label = \"without\"\nloss.lambda_cov = 0\n[[sweep.case]]\n"
                                       "label = \"preset\"\n",
                                       "cases.toml", {}, "Open"),
             QString());
    QTRY_COMPARE(editor_->queue_button()->text(), QString("Queue 4 runs"));
    QVERIFY(editor_->queue_button()->isEnabled());
    QCOMPARE(editor_->cases()->value_field(0, 0)->text(), QString("0"));
    QCOMPARE(editor_->cases()->setting_count(1), 0);
}

void TestCaseEditor::the_text_and_the_session_have_the_cases() {
    add("without \"coverage\"", "coverage.enabled", "off");
    add("rows", "data.split", "[100, 20, 20]");
    const auto toml = model_->to_toml();
    QVERIFY2(toml.contains("[[sweep.case]]\nlabel = \"rows\"\n\"data.split\" = [100, 20, 20]\n"),
             qPrintable(toml));
    ExperimentModel edited;
    QCOMPARE(edited.edit_from_toml(toml, "TOML", {}), QString());
    QCOMPARE(edited.cases().size(), std::size_t{2});
    QCOMPARE(edited.to_toml(), toml);
    ExperimentModel restored;
    SweepEditor other(restored);
    QVERIFY(restored.restore_state(model_->save_state()));
    QCOMPARE(restored.to_toml(), toml);
    QCOMPARE(other.cases()->label_field(0)->text(), QString("without \"coverage\""));
    QCOMPARE(other.cases()->value_field(0, 0)->text(), QString("off"));
    QCOMPARE(other.cases()->value_field(1, 0)->text(), QString("[100, 20, 20]"));
    QCOMPARE(other.cases()->problem(), QString());
}

TEST_MAIN(TestCaseEditor)
#include "test_case_editor.moc"
