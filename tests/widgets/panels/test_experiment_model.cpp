// The experiment being prepared: values, presets, files, sweeps, undo, session.

#include <QSignalSpy>
#include <QTest>

#include "config/presets.h"
#include "state/experiment_model.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using casp::widgets::ExperimentModel;

namespace {

const QString lambda = QStringLiteral("loss.lambda_cov");

bool same(const std::vector<config::Axis>& a, const std::vector<config::Axis>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.key == y.key && std::equal(x.points.begin(), x.points.end(), y.points.begin(),
                                            y.points.end(), [](const auto& p, const auto& q) {
                                                return p.value == q.value && p.text == q.text;
                                            });
    });
}

}  // namespace

class TestExperimentModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sets_and_refuses() {
        ExperimentModel model;
        QSignalSpy changed(&model, &ExperimentModel::changed);
        QCOMPARE(model.set(lambda, 0.25), QString());
        QCOMPARE(model.config().loss.lambda_cov, 0.25);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed[0][0].toStringList(), QStringList{lambda});
        QVERIFY(model.is_changed(lambda));
        QCOMPARE(model.changed_keys(), QStringList{lambda});

        const auto problem = model.set(lambda, -1.0);
        QVERIFY2(problem.contains("out of range") && problem.contains("at least 0"), qPrintable(problem));
        QVERIFY(model.set("loss.lambda_covv", 1.0).contains("loss.lambda_cov"));
        QVERIFY(!model.set("data.horizon", std::string("x")).isEmpty());
        QCOMPARE(model.config().loss.lambda_cov, 0.25);
        QCOMPARE(changed.size(), 1);
        // An integer is right for a number, and the same value is no edit.
        QCOMPARE(model.set(lambda, std::int64_t{2}), QString());
        const auto steps = model.undo_stack()->count();
        QCOMPARE(model.set(lambda, 2.0), QString());
        QCOMPARE(model.undo_stack()->count(), steps);
        model.reset(lambda);
        QCOMPARE(model.config(), config::Config());
    }

    void gestures_merge_and_undo_is_exact() {
        ExperimentModel model;
        for (int i = 1; i <= 20; ++i) model.set(lambda, i * 0.01, "drag 1");
        QCOMPARE(model.undo_stack()->count(), 1);
        model.set(lambda, 0.5, "drag 2");
        model.set("train.seed", std::int64_t{7}, "drag 2");
        QCOMPARE(model.undo_stack()->count(), 3);
        model.set(lambda, 0.6);
        model.set(lambda, 0.7);
        QCOMPARE(model.undo_stack()->count(), 5);
        const auto last = model.config();
        while (model.undo_stack()->canUndo()) model.undo_stack()->undo();
        QCOMPARE(model.config(), config::Config());
        model.undo_stack()->redo();
        QCOMPARE(model.config().loss.lambda_cov, 20 * 0.01);
        while (model.undo_stack()->canRedo()) model.undo_stack()->redo();
        QCOMPARE(model.config(), last);
    }

    void a_drag_back_leaves_no_step() {
        ExperimentModel model;
        const auto start = model.config().loss.lambda_cov;
        // The reset counts as well: "given" must not differ.
        model.set(lambda, 0.9);
        model.set(lambda, 0.3, "drag");
        model.set(lambda, 0.9, "drag");
        QCOMPARE(model.undo_stack()->count(), 1);
        model.undo_stack()->undo();
        QCOMPARE(model.config().loss.lambda_cov, start);
    }

    void presets_equal_the_files_data() {
        QTest::addColumn<QString>("name");
        for (const auto& name : config::preset_names())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }

    void presets_equal_the_files() {
        QFETCH(QString, name);
        ExperimentModel model;
        model.set("train.batch_size", std::int64_t{3});
        model.apply_preset(name);
        auto wanted = config::load_text(config::preset_text(name.toStdString()), "preset", {}).base;
        wanted.preset = name.toStdString();
        QCOMPARE(model.config(), wanted);
        QCOMPARE(model.baseline(), wanted);
        QVERIFY(model.changed_keys().isEmpty());
        model.undo_stack()->undo();
        QCOMPARE(model.config().train.batch_size, 3);
        QCOMPARE(model.baseline(), config::Config());
    }

    void presets_keep_what_the_user_chose() {
        ExperimentModel model;
        QCOMPARE(model.set("data.path", std::string("/data/mine.csv")), QString());
        model.set("data.csv.decimal", std::string(","));
        model.set("run.device", std::string("cpu"));
        model.set("name", std::string("mine"));
        model.set("model.top_k", std::int64_t{3});
        model.apply_preset("weather-192");
        QCOMPARE(model.config().data_csv.decimal, std::string(","));
        QCOMPARE(model.config().data.path, std::string("/data/mine.csv"));
        QCOMPARE(model.config().run.device, std::string("cpu"));
        QCOMPARE(model.config().name, std::string("mine"));
        QCOMPARE(model.config().data.horizon, 192);
        QVERIFY(model.config().model.top_k != 3);
        QCOMPARE(model.undo_stack()->count(), 6);

        // What another preset brought is not the user's choice.
        ExperimentModel fresh;
        fresh.apply_preset("etth1-96");
        fresh.apply_preset("weather-96");
        QVERIFY(QString::fromStdString(fresh.config().data.path).contains("eather"));
        // The form's field of the key does the same.
        QCOMPARE(fresh.set("preset", std::string("etth2-96")), QString());
        QVERIFY(QString::fromStdString(fresh.config().data.path).contains("ETTh2"));
        QVERIFY(!fresh.set("preset", std::string("etth9-96")).isEmpty());
        fresh.apply_preset({});
        QCOMPARE(fresh.config(), config::Config());
    }

    void several_keys_are_one_step() {
        ExperimentModel model;
        model.set_draft_problem("data.path", "no path", {"x"});
        QSignalSpy changed(&model, &ExperimentModel::changed);
        const std::vector<std::pair<std::string, config::Value>> values{
            {"data.path", std::string("/data/x.csv")}, {"data.csv.delimiter", std::string(";")}};
        QCOMPARE(model.set_together(values, "Use x.csv"), QString());
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toStringList(), (QStringList{"data.path", "data.csv.delimiter"}));
        QCOMPARE(model.draft_problem("data.path"), QString());
        QCOMPARE(model.undo_stack()->count(), 1);
        QCOMPARE(model.undo_stack()->text(0), QString("Use x.csv"));
        QCOMPARE(model.set_together(values, "again"), QString());
        QCOMPARE(model.undo_stack()->count(), 1);
        // All or none.
        QVERIFY(model
                    .set_together(
                        {{"data.path", std::string("/y.csv")}, {"data.csv.decimal", std::string(";")}}, "bad")
                    .contains("none of the choices"));
        QCOMPARE(model.config().data.path, std::string("/data/x.csv"));
        model.undo_stack()->undo();
        QCOMPARE(model.config(), config::Config());
    }

    void files_are_read_with_their_names() {
        ExperimentModel model;
        const QString toml =
            "preset = \"etth1-96\"\n[data]\npath = \"x.csv\"\n[loss]\nlambda_cov = 0.3\n[sweep]\n"
            "\"train.seed\" = [1, 2]\n";
        QCOMPARE(model.replace_from_toml(toml, "/work/here/first.toml", "/work/here", "Open first.toml"),
                 QString());
        QCOMPARE(model.config().data.path, std::string("/work/here/x.csv"));
        QCOMPARE(model.config().name, std::string("first"));
        // Not what the file gives, but its preset.
        QCOMPARE(model.changed_keys(), (QStringList{"name", "data.path", lambda}));
        QVERIFY(same(model.axes(), config::load_text(toml.toStdString(), "x", "/work/here").axes));
        QCOMPARE(model.undo_stack()->undoText(), QString("Open first.toml"));
        const auto text = model.to_toml();
        const auto back = config::load_text(text.toStdString(), "again", "/");
        QCOMPARE(back.base, model.config());
        QVERIFY(same(back.axes, model.axes()));
        model.undo_stack()->undo();
        QVERIFY(model.axes().empty());
        QCOMPARE(model.config(), config::Config());
    }

    void problems_of_a_file_change_nothing() {
        ExperimentModel model;
        model.set(lambda, 0.4);
        const auto before = model.to_toml();
        const auto problems =
            model.replace_from_toml("[loss]\nlambda_cov = -1\nlamda_sim = 2\n", "bad.toml", {}, "x");
        const auto lines = problems.split('\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[0].startsWith("bad.toml:2:"), qPrintable(problems));
        QVERIFY2(lines[1].startsWith("bad.toml:3:1") && lines[1].contains("loss.lambda_sim"),
                 qPrintable(problems));
        QVERIFY(model.replace_from_toml("a = = 2", "bad.toml", {}, "x").contains("bad.toml:1:"));
        QVERIFY(model.replace_from_toml("[model]\ntop_k = 2000\n", "b", {}, "x").contains("model.pool_size"));
        QCOMPARE(model.to_toml(), before);
        QCOMPARE(model.undo_stack()->count(), 1);
    }

    void edited_text_keeps_the_baseline() {
        ExperimentModel model;
        model.apply_preset("etth1-96");
        auto toml = model.to_toml();
        QVERIFY(toml.contains("lambda_cov = 0.1\n"));
        toml.replace("lambda_cov = 0.1\n", "lambda_cov = 0.7\n");
        QCOMPARE(model.edit_from_toml(toml, "TOML", {}), QString());
        QCOMPARE(model.changed_keys(), QStringList{lambda});
        QCOMPARE(model.config().loss.lambda_cov, 0.7);
        model.reset(lambda);
        QVERIFY(model.changed_keys().isEmpty());
        // The text gave data.path as well, but it still is the preset's: the next preset may bring its own.
        model.apply_preset("weather-96");
        QVERIFY(QString::fromStdString(model.config().data.path).contains("eather"));
    }

    void axes_equal_a_files_sweep() {
        ExperimentModel model;
        QCOMPARE(model.set_axis(lambda, {"0", "0.050", " 1e-3"}), QString());
        QCOMPARE(model.set_axis("train.seed", {"2021", "2022"}), QString());
        QCOMPARE(model.set_axis("train.schedule", {"constant", "\"halving\""}), QString());
        model.set("data.path", std::string("/x.csv"));
        const auto file = config::load_text(
            "[data]\npath = '/x.csv'\n[sweep]\nloss.lambda_cov = [0, 0.05, 0.001]\ntrain.seed = [2021, "
            "2022]\n"
            "train.schedule = ['constant', 'halving']\n",
            "file", "/");
        QVERIFY(same(model.axes(), file.axes));
        const auto ours = config::expand(model.experiment());
        const auto theirs = config::expand(file);
        QCOMPARE(ours.size(), theirs.size());
        for (std::size_t i = 0; i < ours.size(); ++i) {
            QCOMPARE(ours[i].name, theirs[i].name);
            QCOMPARE(ours[i].config, theirs[i].config);
            QCOMPARE(ours[i].swept, theirs[i].swept);
        }
        const auto problem = model.set_axis(lambda, {"0", "-2"});
        QVERIFY2(problem.contains("-2") && problem.contains("out of range"), qPrintable(problem));
        QVERIFY(!problem.contains("--set"));
        QVERIFY(model.set_axis(lambda, {"0", "0.0"}).contains("twice"));
        QVERIFY(!model.set_axis("name", {"a", "b"}).isEmpty());
        QVERIFY(same(model.axes(), file.axes));
        QCOMPARE(model.set_axis("train.schedule", {}), QString());
        QCOMPARE(model.axes().size(), std::size_t{2});
        model.undo_stack()->undo();
        QVERIFY(same(model.axes(), file.axes));
    }

    void a_sweep_over_presets_keeps_the_users_keys() {
        ExperimentModel model;
        model.set("train.epochs", std::int64_t{5});
        QCOMPARE(model.set_axis("preset", {"etth1-96", "weather-192"}), QString());
        const auto runs = config::expand(model.experiment());
        QCOMPARE(runs.size(), std::size_t{2});
        QCOMPARE(runs[1].config.data.horizon, 192);
        QCOMPARE(runs[0].config.train.epochs, 5);
        QCOMPARE(runs[1].config.train.epochs, 5);
        const auto back = config::expand(config::load_text(model.to_toml().toStdString(), "again", "/"));
        QCOMPARE(back.size(), std::size_t{2});
        QCOMPARE(back[1].config, runs[1].config);
    }

    void drafts_keep_it_from_running() {
        ExperimentModel model;
        QCOMPARE(model.problems().size(), std::size_t{1});
        QVERIFY(model.problem_texts()[0].contains("data.path is not given"));
        model.set("data.path", std::string("/x.csv"));
        QVERIFY(model.problems().empty());
        QSignalSpy told(&model, &ExperimentModel::problems_changed);
        model.set_draft_problem(lambda, "“x” is no number");
        QCOMPARE(told.size(), 1);
        QCOMPARE(model.problems().size(), std::size_t{1});
        QCOMPARE(model.problems()[0].keys[0], lambda.toStdString());
        model.set(lambda, 0.2);
        QVERIFY(model.problems().empty());
        model.set_draft_problem("train.seed", "bad");
        model.undo_stack()->undo();
        QCOMPARE(model.problems().size(), std::size_t{1});
        model.reset_all();
        QCOMPARE(model.draft_problem("train.seed"), QString());
        model.set("model.top_k", std::int64_t{2000});
        QVERIFY(model.problem_texts().join('\n').contains("model.pool_size"));
    }

    /// After an example, "defaults" are the program's, not the example's.
    void resets_to_the_programs_defaults() {
        ExperimentModel model;
        const auto example = config::load_text(
            "name = 'try-it'\n[data]\npath = '/sample.csv'\nsplit = [2400, 480, 480]\n[data.csv]\ndecimal = "
            "','\n"
            "[train]\nepochs = 3\n[run]\ndevice = 'cpu'\n",
            "example", "/");
        model.replace(example.base, {}, "Try it");
        QCOMPARE(model.set_axis(lambda, {"0", "0.1"}), QString());
        QCOMPARE(model.baseline(), config::Config());
        QVERIFY(model.is_changed("train.epochs"));
        model.reset("train.epochs");
        QCOMPARE(model.config().train.epochs, config::Config().train.epochs);
        model.reset_all();
        config::Config wanted;
        wanted.data.path = example.base.data.path;
        wanted.data_csv.decimal = example.base.data_csv.decimal;
        QCOMPARE(model.config(), wanted);
        QVERIFY(model.axes().empty());
        model.undo_stack()->undo();
        QCOMPARE(model.axes().size(), std::size_t{1});
        model.use_defaults({"data.path", "run.device"});
        wanted.data_csv = {};
        wanted.run.device = example.base.run.device;
        QCOMPARE(model.config(), wanted);
        // A preset's own file is one of its settings.
        model.apply_preset("etth1-96");
        model.reset_all();
        QCOMPARE(model.config(), model.baseline());
    }

    void run_problem_is_cleared_by_next_change() {
        ExperimentModel model;
        model.set("data.path", std::string("/x.csv"));
        QSignalSpy told(&model, &ExperimentModel::problems_changed);
        model.set_run_problem("no window fits");
        QCOMPARE(told.size(), 1);
        QCOMPARE(model.run_problem_texts(), QStringList{"no window fits"});
        QVERIFY(model.problem_texts().isEmpty());  // a sweep may vary it
        model.set("data.horizon", std::int64_t{5});
        QVERIFY(model.run_problem_texts().isEmpty());
    }

    void session_restores_everything() {
        ExperimentModel model;
        model.apply_preset("ettm1-336");
        model.set(lambda, 0.30000000000000004);
        model.set("model.top_k", std::int64_t{2000});  // contradicts the pool's size: work in progress
        model.set("data.path", std::string("/tmp/ä \"b\".csv"));
        model.set_axis(lambda, {"0.0", "1e-3"});
        const auto saved = model.save_state();
        ExperimentModel other;
        other.set("train.seed", std::int64_t{1});
        QSignalSpy changed(&other, &ExperimentModel::changed);
        QVERIFY(other.restore_state(saved));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(other.config(), model.config());
        QCOMPARE(other.baseline(), model.baseline());
        QVERIFY(same(other.axes(), model.axes()));
        QCOMPARE(other.undo_stack()->count(), 0);
        QCOMPARE(other.changed_keys(), model.changed_keys());
        QCOMPARE(other.save_state(), saved);
        // What was chosen by hand is still known.
        other.apply_preset("weather-96");
        QCOMPARE(other.config().data.path, model.config().data.path);
        // Undo does not reach behind the session, but to it.
        other.undo_stack()->undo();
        QCOMPARE(other.config(), model.config());
        QCOMPARE(other.baseline(), model.baseline());
    }

    void session_keeps_invalid_drafts() {
        ExperimentModel model;
        model.set("data.path", std::string("/x.csv"));
        model.set_draft_problem("train.epochs", "“12x” is no whole number", {"12x"});
        const auto saved = model.save_state();
        ExperimentModel other;
        other.set_draft_problem("train.seed", "bad", {"b"});
        QSignalSpy restored(&other, &ExperimentModel::drafts_restored);
        QVERIFY(other.restore_state(saved));
        QCOMPARE(restored.size(), 1);
        QCOMPARE(other.draft_problem("train.epochs"), QString("“12x” is no whole number"));
        QCOMPARE(other.draft_texts("train.epochs"), QStringList{"12x"});
        QCOMPARE(other.draft_problem("train.seed"), QString());
        QCOMPARE(other.problem_texts().size(), 1);
        QCOMPARE(other.save_state(), saved);
        // Of another version.
        QVERIFY(other.restore_state(QByteArray(saved).replace("\"train.epochs\":{", "\"train.gone\":{")));
        QVERIFY(other.problem_texts().isEmpty());
    }

    void damaged_sessions_change_nothing() {
        ExperimentModel model;
        model.set(lambda, 0.3);
        model.set_axis("train.seed", {"1", "2"});
        const auto saved = model.save_state();
        const auto config = model.config();
        for (const auto& bytes : {QByteArray(), QByteArray("{}"), saved.left(saved.size() / 2),
                                  QByteArray(saved).replace("lambda_cov", "lambda_no"),
                                  QByteArray(saved).replace("\"version\":1", "\"version\":9"),
                                  QByteArray(saved).replace("[[\"1\",\"2\"]]", "[[\"1\"]]")}) {
            QVERIFY(!model.restore_state(bytes));
            QCOMPARE(model.config(), config);
            QCOMPARE(model.undo_stack()->count(), 2);
        }
        QVERIFY(model.restore_state(saved));
    }

    void random_edits_undo_to_the_start() {
        ExperimentModel model;
        std::vector<QByteArray> states{model.save_state()};
        unsigned random = 12345;
        const auto next = [&](unsigned below) {
            random = random * 1664525U + 1013904223U;
            return (random >> 16U) % below;
        };
        const QStringList presets{"etth1-96", "weather-720", "ettm2-192", ""};
        while (states.size() < 200) {
            const auto before = model.undo_stack()->count();
            switch (next(6)) {
                case 0:
                    model.set(lambda, next(5) * 0.1);
                    break;
                case 1:
                    model.set("model.top_k", std::int64_t{next(9) + 1});
                    break;
                case 2:
                    model.apply_preset(presets[static_cast<int>(next(4))]);
                    break;
                case 3:
                    model.set_axis("train.seed",
                                   next(2) == 0 ? QStringList{} : QStringList{QString::number(next(50))});
                    break;
                case 4:
                    model.reset(lambda);
                    break;
                default:
                    model.reset_all();
            }
            if (model.undo_stack()->count() > before) states.push_back(model.save_state());
        }
        for (auto i = states.size() - 1; i > 0; --i) {
            QCOMPARE(model.save_state(), states[i]);
            model.undo_stack()->undo();
        }
        QCOMPARE(model.save_state(), states[0]);
        for (std::size_t i = 1; i < states.size(); ++i) {
            model.undo_stack()->redo();
            QCOMPARE(model.save_state(), states[i]);
        }
    }
};

TEST_MAIN_WITHOUT_GUI(TestExperimentModel)
#include "test_experiment_model.moc"
