// The one selection: history, merging, texts.
#include <limits>
#include <QtTest>

#include "state/run_data.h"
#include "state/run_names.h"
#include "state/selection.h"
#include "test_program.h"

using casp::widgets::Selection;
using casp::widgets::SelectionState;

namespace {

SelectionState windows(std::set<std::int64_t> numbers) {
    SelectionState state;
    state.windows = std::move(numbers);
    return state;
}

}  // namespace

class TestSelection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goes_back_and_forward() {
        Selection selection;
        QSignalSpy changed(&selection, &Selection::changed);
        QVERIFY(!selection.can_go_back() && !selection.can_go_forward());
        selection.set_windows({1, 2}, "test");
        selection.set_anchors({7});
        selection.set_anchors({7});  // the same again is no change
        QCOMPARE(changed.size(), 2);
        selection.back();
        QCOMPARE(selection.state().windows, (std::set<std::int64_t>{1, 2}));
        QVERIFY(selection.state().anchors.empty());
        selection.back();
        QVERIFY(selection.state() == SelectionState{});
        selection.back();
        QCOMPARE(changed.size(), 4);
        QVERIFY(selection.can_go_forward());
        selection.forward();
        selection.forward();
        selection.forward();
        QCOMPARE(changed.size(), 6);
        QCOMPARE(selection.state().anchors, std::set<std::int64_t>{7});
        QCOMPARE(selection.state().split, QString("test"));
    }

    void a_new_choice_drops_what_lay_ahead() {
        Selection selection;
        selection.set_step(10);
        selection.set_step(20);
        selection.back();
        selection.set_step(30);
        QVERIFY(!selection.can_go_forward());
        selection.back();
        QCOMPARE(*selection.state().step, std::int64_t{10});
    }

    void a_drag_is_one_entry() {
        Selection selection;
        selection.set(windows({1}), "drag 1");
        selection.set(windows({1, 2}), "drag 1");
        selection.set(windows({1, 2, 3}), "drag 1");
        selection.set(windows({5}), "drag 2");
        selection.set(windows({5, 6}), "drag 2");
        selection.back();
        QCOMPARE(selection.state().windows, (std::set<std::int64_t>{1, 2, 3}));
        selection.back();
        QVERIFY(selection.state() == SelectionState{});
        selection.forward();
        // After going through the history the same gesture begins anew.
        selection.set(windows({9}), "drag 2");
        selection.back();
        QCOMPARE(selection.state().windows, (std::set<std::int64_t>{1, 2, 3}));
    }

    void a_drag_that_comes_back_leaves_nothing() {
        Selection selection;
        selection.set(windows({4}));
        selection.set(windows({4, 5}), "drag");
        selection.set(windows({4}), "drag");
        selection.back();
        QVERIFY(selection.state() == SelectionState{});
    }

    void history_is_bounded() {
        Selection selection;
        for (int step = 1; step <= 1000; ++step) selection.set_step(step);
        int back = 0;
        for (; selection.can_go_back(); ++back) selection.back();
        QCOMPARE(back, 199);
        QCOMPARE(*selection.state().step, std::int64_t{801});
    }

    void clear_keeps_runs_and_split() {
        Selection selection;
        selection.set_runs({"/runs/a", "/runs/b"});
        selection.set_windows({3}, "val");
        selection.set_channels({0});
        selection.set_step(5);
        selection.set_anchors({1});
        selection.clear();
        SelectionState expected;
        expected.runs = QStringList{"/runs/a", "/runs/b"};
        expected.split = "val";
        QVERIFY(selection.state() == expected);
        selection.back();
        QCOMPARE(selection.state().anchors, std::set<std::int64_t>{1});
    }

    void setters_change_one_thing() {
        Selection selection;
        selection.set_runs({"/runs/a"});
        selection.set_windows({3}, "val");
        selection.set_windows({4});
        QCOMPARE(selection.state().split, QString("val"));
        QCOMPARE(selection.state().runs, QStringList{"/runs/a"});
    }

    void another_selection_drops_the_points() {
        auto lasso = windows({1, 2});
        lasso.pairs = {{1, 0}, {2, 3}};
        Selection selection;
        selection.set(lasso);
        selection.set_anchors({7});
        QCOMPARE(selection.state().pairs, lasso.pairs);
        selection.set_windows({1});
        QVERIFY(selection.state().pairs.empty());
        lasso.windows = {2};
        lasso.pairs = {{2, 3}};
        selection.set(lasso);
        QCOMPARE(selection.state().pairs, lasso.pairs);
        selection.set_channels({3});
        QVERIFY(selection.state().pairs.empty());
    }

    void text_data() {
        QTest::addColumn<int>("windows");
        QTest::addColumn<QString>("split");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("anchors");
        QTest::addColumn<int>("step");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << 0 << "test" << 0 << 0 << -1 << "";
        QTest::newRow("much") << 37 << "test" << 1 << 2 << 300
                              << "37 test windows, HUFL, anchors 0 1, step 300";
        QTest::newRow("one") << 1 << "" << 2 << 1 << -1 << "window 0, HUFL OT, anchor 0";
        QTest::newRow("many") << 5000 << "" << 3 << 5 << -1 << "5000 windows, HUFL OT channel 2, 5 anchors";
        QTest::newRow("anchors") << 0 << "" << 0 << 96 << -1
                                 << "96 anchors and the windows that retrieve them";
        QTest::newRow("channels") << 0 << "" << 4 << 0 << -1 << "4 channels";
    }

    void text() {
        QFETCH(int, windows);
        QFETCH(QString, split);
        QFETCH(int, channels);
        QFETCH(int, anchors);
        QFETCH(int, step);
        QFETCH(QString, text);
        SelectionState state;
        state.split = split;
        for (int i = 0; i < windows; ++i) state.windows.insert(i);
        for (int i = 0; i < channels; ++i) state.channels.insert(i);
        for (int i = 0; i < anchors; ++i) state.anchors.insert(i);
        if (step >= 0) state.step = step;
        Selection selection;
        selection.set(state);
        QCOMPARE(selection.text({"HUFL", "OT"}), text);
    }

    void labels_data() {
        using Swept = std::vector<std::pair<std::string, std::string>>;
        QTest::addColumn<Swept>("swept");
        QTest::addColumn<QString>("label");
        QTest::newRow("nothing") << Swept{} << "sample-96 · λ_cov 0.1 · seed 2021";
        QTest::newRow("lambda") << Swept{{"loss.lambda_cov", "0.1"}} << "sample-96 · λ_cov 0.1 · seed 2021";
        QTest::newRow("top k") << Swept{{"model.top_k", "4"}} << "sample-96 · K 4 · λ_cov 0.1 · seed 2021";
        QTest::newRow("seed") << Swept{{"train.seed", "2021"}, {"data.horizon", "96"}}
                              << "sample-96 · seed 2021 · λ_cov 0.1";
        QTest::newRow("long") << Swept{{"train.learning_rate", "0.0001"}, {"model.patch_length", "16"}}
                              << "sample-96 · λ_cov 0.1 · seed 2021 · …";
        QTest::newRow("two") << Swept{{"loss.lambda_cov", "0.1"}, {"data.lookback", "192"}}
                             << "sample-96 · λ_cov 0.1 · L 192 · seed 2021";
    }

    void labels() {
        using Swept = std::vector<std::pair<std::string, std::string>>;
        QFETCH(Swept, swept);
        QFETCH(QString, label);
        casp::widgets::RunSummary summary;
        summary.row.data = "sample";
        summary.row.horizon = 96;
        summary.row.lambda_cov = 0.1;
        summary.row.seed = 2021;
        summary.row.swept = swept;
        QCOMPARE(summary.label(), label);
        QVERIFY(summary.label().size() <= 48);
    }

    void names_beside_one_another() {
        using casp::widgets::names_among;
        const auto run = [](const QString& lambda, const QString& lookback, int seed) {
            casp::widgets::RunSummary summary;
            summary.batch = QStringLiteral("small");
            summary.name = QStringLiteral("l-%1-%2-%3").arg(lambda, lookback).arg(seed);
            summary.folder = QStringLiteral("runs/small/") + summary.name;
            summary.row.data = "Weather";
            summary.row.horizon = 48;
            summary.row.lambda_cov = lambda.toDouble();
            summary.row.seed = seed;
            summary.row.swept = {{"loss.lambda_cov", lambda.toStdString()},
                                 {"data.lookback", lookback.toStdString()}};
            return summary;
        };
        const auto a = run("0", "96", 2021), b = run("0.1", "192", 2021), c = run("0.1", "192", 2022);
        QCOMPARE(names_among({}), QStringList());
        // Alone: in full.
        QCOMPARE(names_among({&a}), QStringList{"Weather-48 · λ_cov 0 · L 96 · seed 2021"});
        // What both share is not said: data, horizon and seed.
        QCOMPARE(names_among({&a, &b}), (QStringList{"λ_cov 0 · L 96", "λ_cov 0.1 · L 192"}));
        QCOMPARE(names_among({&b, &c}), (QStringList{"seed 2021", "seed 2022"}));
        // The seed stands at all or at none.
        QCOMPARE(names_among({&a, &b, &c}),
                 (QStringList{"λ_cov 0 · L 96 · seed 2021", "λ_cov 0.1 · L 192 · seed 2021",
                              "λ_cov 0.1 · L 192 · seed 2022"}));
        // Equal in all of this: by the batch, then by the folder.
        auto again = b;
        again.batch = QStringLiteral("second");
        again.folder = QStringLiteral("runs/second/l");
        QCOMPARE(names_among({&a, &b, &again}),
                 (QStringList{"λ_cov 0 · L 96", "λ_cov 0.1 · L 192 · small", "λ_cov 0.1 · L 192 · second"}));
        auto twin = b;
        twin.name = QStringLiteral("twin");
        QCOMPARE(names_among({&b, &twin}), (QStringList{"small/l-0.1-192-2021", "small/twin"}));
        // One without a sweep of its own beside swept ones.
        auto plain = b;
        plain.row.swept.clear();
        auto k = b;
        k.row.swept.emplace_back("model.top_k", "4");
        QCOMPARE(names_among({&k, &plain}), (QStringList{"L 192 · K 4", "λ_cov 0.1"}));
        // Cases: by their labels, whole and first.
        auto off = b, on = b;
        casp::store::set_swept(off.row, {{"data.horizon", "96"}, {"case", "without any of the coverage"}});
        casp::store::set_swept(on.row, {{"data.horizon", "96"}, {"case", "coverage"}});
        QCOMPARE(names_among({&off, &on}), (QStringList{"without any of the coverage", "coverage"}));
        QCOMPARE(off.label(), QString("Weather-48 · without any of the coverage · λ_cov 0.1 · seed 2021"));
        // Other models: by their titles; a model that is not known, by its name.
        const auto of_model = [&a](const std::string& name, bool swept) {
            auto run = a;
            run.folder += QString::fromStdString(name);
            run.row.model = name;
            run.row.lambda_cov = std::numeric_limits<double>::quiet_NaN();
            run.row.swept.clear();
            if (swept) run.row.swept = {{"model.name", name}};
            return run;
        };
        const auto linear = of_model("dlinear", true), casp = of_model("casp-llm", true),
                   other = of_model("someone-elses", false);
        QCOMPARE(names_among({&linear}), QStringList{"Weather-48 · DLinear · seed 2021"});
        QCOMPARE(names_among({&casp, &linear, &other}),
                 (QStringList{"CASP-LLM", "DLinear", "someone-elses"}));
        auto usual = a;
        usual.row.model = "casp-llm";
        const auto patches = of_model("patchtst", false);
        QCOMPARE(names_among({&usual, &patches}), (QStringList{"CASP-LLM · λ_cov 0 · L 96", "PatchTST"}));
        // In the list and in messages: the settings in words, no λ_cov where there is none.
        QCOMPARE(casp::widgets::run_title(patches), QString("small · PatchTST · l-0-96-2021 · seed 2021"));
        auto changed = usual;
        changed.row.swept = {{"train.learning_rate", "0.01"},
                             {"train.continue_from", "/runs/small/lambda_cov-0_seed-2021"},
                             {"train.seed", "2021"}};
        QCOMPARE(casp::widgets::compact_title(changed),
                 QString("small · learning rate 0.01 · fork of lambda_cov-0_seed-2021"));
        changed.row.swept[1].second.clear();
        QCOMPARE(casp::widgets::compact_title(changed), QString("small · learning rate 0.01 · not a fork"));
        // One that is called like a place in a text.
        QCOMPARE(casp::widgets::some_names({"lr%1", "lr%2", "c", "d", "e", "f", "g"}),
                 QStringLiteral("lr%1, lr%2, c, d, e and 2 more"));
    }
};

TEST_MAIN(TestSelection)
#include "test_selection.moc"
