// Every setting's field: what it shows, accepts and refuses, and in which words.

#include <array>

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QTest>

#include "config/experiment.h"
#include "experiment_fixture.h"
#include "model/descriptor.h"
#include "panels/experiment/option_form.h"
#include "panels/experiment/option_number_edit.h"
#include "panels/experiment/option_text.h"
#include "test_program.h"

using namespace casp;
using namespace casp::widgets;
using casp::test::line_of;
using casp::test::type;
using config::OptionType;
using config::Value;

namespace {

/// Values at the ends of what a setting may be, and one outside.
std::vector<Value> good_values(const config::OptionSpec& option) {
    std::vector<Value> values{option.default_value};
    const auto& limits = option.limits;
    const auto add = [&](double number) {
        const Value value =
            option.type == OptionType::integer ? Value(static_cast<std::int64_t>(number)) : Value(number);
        if (config::problem_with(option, value).empty()) values.push_back(value);
    };
    switch (option.type) {
        case OptionType::integer:
        case OptionType::number:
            if (limits.min) add(*limits.min);
            if (limits.max) add(*limits.max);
            if (option.type == OptionType::number) {
                add(1e-4);
                add(0.30000000000000004);
                add(1.0 / 3.0);
            }
            break;
        case OptionType::boolean:
            values.emplace_back(true);
            values.emplace_back(false);
            break;
        case OptionType::string:
            for (const auto& choice : limits.choices) values.emplace_back(choice);
            if (limits.is_preset_name) values.emplace_back(std::string("weather-96"));
            if (limits.is_device) values.emplace_back(std::string("cuda:3"));
            if (limits.is_path) values.emplace_back(std::string("/data/a b, ü.csv"));
            break;
        case OptionType::numbers:
            values.emplace_back(std::vector<double>{-9999, 0.1, 1e-9});
            break;
        case OptionType::strings:
            if (limits.is_device)
                values.emplace_back(std::vector<std::string>{"cuda:1", "cpu", "cpu"});
            else if (limits.choices.empty())
                values.emplace_back(std::vector<std::string>{"OT", "a, b", "say \"x\"", " y "});
            else
                values.emplace_back(limits.choices);
            break;
        case OptionType::table:
            values.emplace_back(
                config::OptionTable{{"d_model", std::int64_t{256}}, {"name", std::string("x, y")}});
            break;
        case OptionType::any:
            break;
        case OptionType::split:
            for (const auto& choice : limits.choices) values.emplace_back(config::SplitSetting{choice, {}});
            values.emplace_back(config::SplitSetting{"rows", {700, 100, 200}});
            values.emplace_back(config::SplitSetting{"fractions", {}, {0.7, 0.1, 0.2}});
            values.emplace_back(config::SplitSetting{"dates", {}, {}, {"2018-01-01", "2018-07-01 12:00"}});
            break;
    }
    return values;
}

void choose(QComboBox* box, const char* rule) {
    box->setCurrentIndex(box->findData(QString::fromLatin1(rule)));
    Q_EMIT box->activated(box->currentIndex());
}

}  // namespace

class TestExperimentFields : public QObject, private test::ShownForm {
    Q_OBJECT
private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }
    void every_option_has_a_field_data() {
        QTest::addColumn<QString>("key");
        for (const auto& option : config::options())
            if (!option.limits.is_preset_name && !option.limits.is_planned)  // above the form; none
                QTest::newRow(option.key.c_str()) << QString::fromStdString(option.key);
    }

    void every_option_has_a_field() {
        QFETCH(QString, key);
        const auto* row = form_->row(key);
        QVERIFY(row != nullptr);
        form_->set_folded_groups({});
        // Settings that the experiment's model does not read are hidden.
        QCOMPARE(row->isVisible(), model::reads(model_->config(), row->option()));
        QVERIFY(!row->editor()->controls().isEmpty());
        const auto& option = row->option();
        // Shown by the model, not sent back by the field: showing must not edit.
        for (const auto& value : good_values(option)) {
            auto changed = model_->config();
            option.assign(changed, value);
            model_->replace(changed, {}, "test");
            const auto steps = model_->undo_stack()->count();
            // Leaving the field writes nothing else either.
            row->editor()->controls().front()->setFocus();
            form_->search_box()->setFocus();
            QCOMPARE(model_->undo_stack()->count(), steps);
            QVERIFY2(option.get(model_->config()) == value, config::to_toml(value).c_str());
            QCOMPARE(row->problem(), QString());
            // What the field shows, entered anew, is the same value again.
            auto* edit = line_of(row->editor()->controls().back());
            if (edit == nullptr || option.type == OptionType::split) continue;
            const auto shown = edit->text();
            if (shown.isEmpty()) continue;
            auto* last = row->editor()->controls().front();
            if (line_of(last) == nullptr) last = row->editor()->controls().back();
            if (qobject_cast<QLineEdit*>(last) == nullptr && qobject_cast<QAbstractSpinBox*>(last) == nullptr)
                continue;
            const auto text = line_of(last)->text();
            type(last, text + "1");
            type(last, text);
            QVERIFY2(option.get(model_->config()) == value, qPrintable(text));
        }
    }

    void typed_values_arrive_exactly_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("shown");
        using Row = std::array<const char*, 5>;
        for (const auto& [name, key, typed, toml, shown] :
             {Row{"small", "train.learning_rate", "0.0001", "1e-4", "1e-4"},
              Row{"exponent", "train.learning_rate", "2.5e-05", "2.5e-5", "2.5e-5"},
              Row{"many digits", "loss.lambda_sim", "0.12345678901234568", "0.12345678901234568",
                  "0.12345678901234568"},
              Row{"zeros", "loss.lambda_sim", "0.100", "0.1", "0.1"},
              Row{"huge", "loss.lambda_sim", "123456789", "123456789.0", "123456789"},
              Row{"2^53", "train.max_steps", "9007199254740991", "9007199254740991", "9007199254740991"},
              Row{"groups", "train.max_steps", "1 000 000", "1000000", "1000000"},
              Row{"1e6", "train.max_steps", "1e6", "1000000", "1000000"},
              Row{"numbers", "data.sentinels", "-9999,  0.5", "[-9999.0, 0.5]", "-9999, 0.5"},
              Row{"names", "data.columns", "OT, 'a, b'", "[\"OT\", \"a, b\"]", "OT, \"a, b\""},
              Row{"catalog", "data.path", "catalog:ETTh1", "\"catalog:ETTh1\"", "catalog:ETTh1"},
              Row{"name", "name", "my run", "\"my run\"", "my run"},
              Row{"device", "run.device", "cuda:2", "\"cuda:2\"", "cuda:2"},
              Row{"auto", "run.together", "auto", "0", "0"}, Row{"runs", "run.together", "8", "8", "8"}})
            QTest::newRow(name) << key << typed << toml << shown;
    }

    void typed_values_arrive_exactly() {
        QFETCH(QString, key);
        QFETCH(QString, typed);
        QFETCH(QString, toml);
        QFETCH(QString, shown);
        type(control(key), typed);
        QCOMPARE(QString::fromStdString(config::to_toml(config::get(model_->config(), key.toStdString()))),
                 toml);
        QCOMPARE(line_of(control(key))->text(), typed);
        QTest::keyClick(line_of(control(key)), Qt::Key_Return);
        QCOMPARE(line_of(control(key))->text(), shown);
        QCOMPARE(form_->row(key)->problem(), QString());
        // All that was typed in one go is one undo step.
        model_->undo_stack()->undo();
        QCOMPARE(model_->config(), config::Config());
    }

    void options_of_a_python_file_have_a_field_each() {
        const QString key = "python.options";
        const auto options = [&] { return model_->config().python.options; };
        model_->set("model.name", std::string("python"));
        model_->set(key, config::OptionTable{{"d_model", std::int64_t{64}}, {"name", std::string("x")}});
        const auto before = model_->config();
        QCOMPARE(form_->row(key)->editor()->controls().size(), 3);
        type(control(key, 0), "128");
        QVERIFY(options().at("d_model") == config::FreeValue(std::int64_t{128}));
        model_->undo_stack()->undo();
        QCOMPARE(model_->config(), before);
        type(control(key, 1), "y z");
        QVERIFY(options().at("name") == config::FreeValue(std::string("y z")));
        type(control(key, 1), "C:\\temp");
        QVERIFY(options().at("name") == config::FreeValue(std::string("C:\\temp")));
        type(control(key, 1), "True");  // of Python: neither true nor a string
        QVERIFY(!form_->row(key)->problem().isEmpty());
        type(control(key, 1), "y");
        QTRY_VERIFY(control(key, 1)->isVisible());
        control(key, 0)->setFocus();
        QTest::keyClick(control(key, 0), Qt::Key_Tab);
        QVERIFY(control(key, 1)->hasFocus());
        // A further one; a string needs no quotes.
        for (const char* typed : {"rate = 0.1", "kind = some"}) {
            auto* more = line_of(form_->row(key)->editor()->controls().back());
            type(more, typed);
            QTest::keyClick(more, Qt::Key_Return);
            QCOMPARE(more->text(), QString());
        }
        QVERIFY(options().at("rate") == config::FreeValue(0.1));
        QVERIFY(options().at("kind") == config::FreeValue(std::string("some")));
        QCOMPARE(form_->row(key)->editor()->controls().size(), 5);
        // An empty field is removed when it is left, not while a new value is typed.
        type(control(key, 0), {});
        QCOMPARE(options().size(), 4U);
        QTest::keyClick(line_of(control(key, 0)), Qt::Key_Return);
        QCOMPARE(options().size(), 3U);
        QVERIFY(!options().contains("d_model"));
        auto* more = line_of(form_->row(key)->editor()->controls().back());
        type(more, "nonsense");
        QTest::keyClick(more, Qt::Key_Return);
        QVERIFY(form_->row(key)->problem().contains("nonsense"));
        QCOMPARE(options().size(), 3U);
    }

    void wrong_input_is_explained_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("found");
        QTest::addColumn<QString>("expected");
        using Row = std::array<const char*, 5>;
        for (const auto& [name, key, typed, found, expected] :
             {Row{"letters", "train.epochs", "ten", "not a whole number", "1 to 1000000"},
              Row{"fraction", "train.epochs", "2.5", "not a whole number", "an integer"},
              Row{"too low", "train.epochs", "0", "out of range", "1 to 1000000"},
              Row{"too high", "data.percent", "101", "101 is out of range", "1 to 100"},
              Row{"exclusive", "train.learning_rate", "0", "out of range", "above 0"},
              Row{"comma", "train.learning_rate", "0,5", "not a number", "a decimal point: 0.5"},
              Row{"infinite", "loss.lambda_sim", "inf", "not finite", "at least 0"},
              Row{"empty", "model.top_k", "", "is empty", "an integer"},
              Row{"item", "data.sentinels", "1, x", "“x” is not a number", "list of numbers"},
              Row{"twice", "data.columns", "OT, OT", "twice", "list of strings"},
              Row{"relative", "data.path", "data/x.csv", "relative path", "absolute path"},
              Row{"slash", "name", "a/b", "slash", "name for a folder"},
              Row{"device", "run.device", "gpu", "no device", "cuda:N"},
              Row{"lambda", "loss.lambda_cov", "-1", "out of range", "at least 0"}})
            QTest::newRow(name) << key << typed << found << expected;
    }

    void wrong_input_is_explained() {
        QFETCH(QString, key);
        QFETCH(QString, typed);
        QFETCH(QString, found);
        QFETCH(QString, expected);
        model_->set("data.path", std::string("/x.csv"));
        const auto before = config::get(model_->config(), key.toStdString());
        auto* field = form_->row(key)->editor()->controls().back();
        if (line_of(field) == nullptr) field = control(key);
        type(field, typed);
        const auto problem = form_->row(key)->problem();
        QVERIFY2(problem.contains(found) && problem.contains(expected), qPrintable(problem));
        QCOMPARE(form_->shown_problem(), QStringLiteral("⚠ ") + problem);
        QCOMPARE(form_->row(key)->reset_button()->text(), QStringLiteral("⚠"));
        // The text stays as it was typed, the experiment cannot run, and a screen reader hears why.
        QCOMPARE(line_of(field)->text(), typed);
        QCOMPARE(model_->problems().size(), std::size_t{1});
        QCOMPARE(model_->problems()[0].keys[0], key.toStdString());
        QVERIFY(field->accessibleDescription().contains(found));
        form_->search_box()->setFocus();
        QCOMPARE(line_of(field)->text(), typed);
        // Reset takes the text back; a valid value does as well.
        model_->reset(key);
        QCOMPARE(model_->draft_problem(key), QString());
        QCOMPARE(form_->row(key)->problem(), QString());
        if (key != "data.path") {
            QVERIFY(line_of(field)->text() != typed);
            QCOMPARE(line_of(field)->text(), value_text(before));
        }
    }

    void wrong_input_comes_back_with_the_session_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("typed");
        using Row = std::array<const char*, 3>;
        for (const auto& [name, key, typed] :
             {Row{"integer", "train.epochs", "12x"}, Row{"number", "train.learning_rate", "1e"},
              Row{"λ_cov", "loss.lambda_cov", "-1"}, Row{"path", "data.path", "some/where.csv"},
              Row{"list", "data.sentinels", "-9999, x"}, Row{"device", "run.device", "abacus"}})
            QTest::newRow(name) << key << typed;
    }

    void wrong_input_comes_back_with_the_session() {
        QFETCH(const QString, key);
        QFETCH(const QString, typed);
        test::type(form_->row(key)->editor()->findChild<QLineEdit*>(), typed);
        QVERIFY(!model_->draft_problem(key).isEmpty());
        ExperimentModel model;
        OptionForm form(model);
        form.show();
        QVERIFY(model.restore_state(model_->save_state()));
        const auto* row = form.row(key);
        QCOMPARE(row->editor()->texts(), QStringList{typed});
        QCOMPARE(row->problem(), form_->row(key)->problem());
        QCOMPARE(model.problem_texts(), model_->problem_texts());
        QCOMPARE(model.config(), model_->config());
    }

    void split_by_rows() {
        auto* rule = qobject_cast<QComboBox*>(control("data.split"));
        QVERIFY(!control("data.split", 1)->isVisible());
        choose(rule, "rows");
        QVERIFY(control("data.split", 1)->isVisible());
        QVERIFY(form_->row("data.split")->problem().contains("row count for train is missing"));
        type(control("data.split", 1), "700");
        type(control("data.split", 2), "100");
        QCOMPARE(model_->config().data.split, config::SplitSetting());
        type(control("data.split", 3), "0");
        QVERIFY(form_->row("data.split")->problem().contains("at least 1"));
        type(control("data.split", 3), "200");
        QCOMPARE(model_->config().data.split, (config::SplitSetting{"rows", {700, 100, 200}}));
        QCOMPARE(form_->row("data.split")->problem(), QString());
        model_->reset("data.split");
        QVERIFY(!control("data.split", 1)->isVisible());
        QCOMPARE(rule->currentText(), QString("auto"));
    }

    void split_by_fractions_and_dates() {
        auto* rule = qobject_cast<QComboBox*>(control("data.split"));
        choose(rule, "fractions");
        QVERIFY(!control("data.split", 1)->isVisible() && control("data.split", 4)->isVisible());
        QVERIFY(control("data.split", 4)->hasFocus());
        type(control("data.split", 4), "0.7");
        type(control("data.split", 5), "0.2");
        type(control("data.split", 6), "0.2");
        QVERIFY2(form_->row("data.split")->problem().contains("more than 1"),
                 qPrintable(form_->row("data.split")->problem()));
        QCOMPARE(model_->config().data.split, config::SplitSetting());
        type(control("data.split", 5), "0.1");
        QCOMPARE(model_->config().data.split, (config::SplitSetting{"fractions", {}, {0.7, 0.1, 0.2}}));
        choose(rule, "dates");
        QVERIFY(!control("data.split", 4)->isVisible() && control("data.split", 7)->isVisible());
        type(control("data.split", 7), "2018-01-01");
        QVERIFY(form_->row("data.split")->problem().contains("first date of test is missing"));
        type(control("data.split", 8), "2018-07-01 12:00");
        const config::SplitSetting dates{"dates", {}, {}, {"2018-01-01", "2018-07-01 12:00"}};
        QCOMPARE(model_->config().data.split, dates);
        QCOMPARE(form_->row("data.split")->problem(), QString());
        model_->reset("data.split");
        QVERIFY(!control("data.split", 7)->isVisible());
        QVERIFY(model_->set("data.split", dates).isEmpty());
        QVERIFY(control("data.split", 7)->isVisible());
        QCOMPARE(line_of(control("data.split", 8))->text(), QString("2018-07-01 12:00"));
        QCOMPARE(rule->currentData().toString(), QString("dates"));
    }

    void subsets_and_checks() {
        auto* train = qobject_cast<QCheckBox*>(control("run.store_forecasts"));
        QCOMPARE(train->text(), QString("train"));
        train->click();
        QCOMPARE(model_->config().run.store_forecasts, (std::vector<std::string>{"train", "test"}));
        auto* coverage = qobject_cast<QCheckBox*>(control("coverage.enabled"));
        coverage->click();
        QCOMPARE(model_->config().coverage.enabled, false);
        QCOMPARE(coverage->text(), QString("off"));
        auto* schedule = qobject_cast<QComboBox*>(control("train.schedule"));
        schedule->setFocus();
        QTest::keyClick(schedule, Qt::Key_Down);
        QCOMPARE(model_->config().train.schedule, std::string("constant"));
    }

    void steps_of_numbers() {
        auto* rate = qobject_cast<OptionNumberEdit*>(control("train.learning_rate"));
        QTest::keyClick(rate, Qt::Key_Up);
        QCOMPARE(line_of(rate)->text(), QString("2e-4"));
        QTest::keyClick(rate, Qt::Key_Down);
        QTest::keyClick(rate, Qt::Key_Down);
        QCOMPARE(line_of(rate)->text(), QString("9e-5"));
        QCOMPARE(model_->config().train.learning_rate, 9e-5);
        // Never out of the range: 0 is not allowed here.
        for (int i = 0; i < 60; ++i) rate->stepBy(-1);
        QVERIFY(model_->config().train.learning_rate > 0);
        QCOMPARE(form_->row("train.learning_rate")->problem(), QString());
        auto* epochs = qobject_cast<OptionNumberEdit*>(control("train.epochs"));
        QTest::keyClick(epochs, Qt::Key_PageUp);
        QCOMPARE(model_->config().train.epochs, 110);
        auto* similarity = qobject_cast<OptionNumberEdit*>(control("loss.lambda_sim"));
        for (int i = 0; i < 60; ++i) similarity->stepBy(-1);
        QCOMPARE(model_->config().loss.lambda_sim, 0.0);
        similarity->stepBy(1);
        QVERIFY(model_->config().loss.lambda_sim > 0);
    }
};

TEST_MAIN(TestExperimentFields)
#include "test_experiment_fields.moc"
