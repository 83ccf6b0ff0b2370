// t-SNE as a whole: against openTSNE's numbers, resumed, led on, with awkward data.
#include <algorithm>
#include <cmath>
#include <limits>

#include <QtTest>

#include "analysis/tsne.h"
#include "core/analysis/tsne_fixture.h"
#include "store/safetensors.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using namespace casp::test;
using analysis::Tsne;
using analysis::TsneMethod;
using analysis::TsneOptions;

namespace {

struct Golden {
    store::SafetensorsFile file{std::string(CASP_SOURCE_DIR) + "/tests/golden/tsne/blobs.safetensors"};

    [[nodiscard]] std::vector<float> floats(const std::string& name) const {
        return store::to_floats(file.at(name));
    }
    template <class T>
    [[nodiscard]] std::vector<T> raw(const std::string& name) const {
        const auto& view = file.at(name);
        std::vector<T> values(view.nbytes / sizeof(T));
        store::read_bytes(view, std::as_writable_bytes(std::span(values)));
        return values;
    }
    [[nodiscard]] TsneOptions options() const {
        TsneOptions o;
        o.perplexity = 10;
        o.start = floats("start");
        o.method = TsneMethod::exact;
        return o;
    }
};

std::vector<double> wide(const std::vector<float>& values) { return {values.begin(), values.end()}; }

bool all_finite(const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

bool has(const Tsne& t, const std::string& words) {
    return std::any_of(t.notes().begin(), t.notes().end(),
                       [&](const auto& note) { return note.english().find(words) != std::string::npos; });
}
const std::string lowered = "it was reduced to", duplicates = "points have the same values as another one",
                  constant = "All points have equal values";

/// How many points have their nearest neighbour in the layout in a group of their own.
std::int64_t with_their_own(const std::vector<float>& layout, std::int64_t n, int components,
                            std::int64_t groups) {
    const auto y = at::tensor(layout, at::kFloat).view({n, components});
    auto squares = at::cdist(y, y);
    squares.fill_diagonal_(1e30);
    const auto nearest = squares.argmin(1);
    return nearest.remainder(groups)
        .eq(at::arange(n, at::kLong).remainder(groups))
        .sum()
        .item<std::int64_t>();
}

/// Spread of a layout, |largest coordinate|.
float extent(const std::vector<float>& layout) {
    float most = 0;
    for (const float v : layout) most = std::max(most, std::abs(v));
    return most;
}

}  // namespace

class TestTsne : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void affinities_are_open_tsnes() {
        const Golden golden;
        const auto p =
            analysis::tsne_affinities(analysis::exact_neighbours(golden.floats("values"), 150, 12, 30), 10);
        auto ours = at::zeros({150, 150}, at::kDouble), theirs = at::zeros({150, 150}, at::kDouble);
        const auto first = golden.raw<std::int64_t>("p.first");
        const auto column = golden.raw<std::int32_t>("p.column");
        const auto value = golden.floats("p.value");
        for (std::int64_t i = 0; i < 150; ++i) {
            const auto row = static_cast<std::size_t>(i);
            for (auto e = static_cast<std::size_t>(first[row]); e < static_cast<std::size_t>(first[row + 1]);
                 ++e)
                theirs[i][column[e]] += static_cast<double>(value[e]);
            for (auto e = static_cast<std::size_t>(p.first[row]);
                 e < static_cast<std::size_t>(p.first[row + 1]); ++e)
                ours[i][p.column[e]] += static_cast<double>(p.p[e]);
        }
        const double error = ((ours - theirs).abs().max() / theirs.max()).item<double>();
        QVERIFY2(error < 1e-5, std::to_string(error).c_str());
    }

    void descends_as_open_tsne() {
        // The same start and settings: step by step the same layout, as long as rounding has not grown.
        const Golden golden;
        Tsne t(golden.floats("values"), 150, 12, golden.options());
        const auto kl = golden.raw<double>("kl");
        const std::vector<std::int64_t> until{1, 20};
        for (std::size_t i = 0; i < until.size(); ++i) {
            t.advance(until[i] - t.iteration());
            const double error =
                relative(wide(t.layout()), golden.raw<double>("after" + std::to_string(until[i])));
            QVERIFY2(error < (i == 0 ? 1e-6 : 1e-4), std::to_string(error).c_str());
            QVERIFY2(std::abs(t.kl() - kl[i]) < 2e-4, std::to_string(t.kl()).c_str());
        }
    }

    void ends_as_good_as_open_tsne_data() {
        QTest::addColumn<bool>("exact");
        QTest::newRow("every pair") << true;
        QTest::newRow("grid") << false;
    }

    void ends_as_good_as_open_tsne() {
        QFETCH(bool, exact);
        const Golden golden;
        auto options = golden.options();
        options.method = exact ? TsneMethod::exact : TsneMethod::fft;
        Tsne t(golden.floats("values"), 150, 12, options);
        t.advance(750);
        QVERIFY(t.is_finished());
        const double theirs = golden.raw<double>("kl").back();
        // With so few points the least rounding decides which of several arrangements it ends in.
        QVERIFY2(t.kl() < (exact ? 1.02 : 1.05) * theirs, std::to_string(t.kl()).c_str());
        // KL of openTSNE's own layout, by our definition: the same number.
        auto kept = golden.options();
        const auto layout = golden.raw<double>("after750");
        kept.start = {layout.begin(), layout.end()};
        kept.method = options.method;
        Tsne same(golden.floats("values"), 150, 12, kept);
        same.prepare();
        QVERIFY2(std::abs(same.kl() - theirs) < 2e-4, std::to_string(same.kl() - theirs).c_str());
    }

    void two_clusters_part_data() {
        QTest::addColumn<int>("components");
        QTest::addColumn<bool>("exact");
        QTest::newRow("plane, every pair") << 2 << true;
        QTest::newRow("plane, grid") << 2 << false;
        QTest::newRow("space, every pair") << 3 << true;
        QTest::newRow("space, grid") << 3 << false;
    }

    void two_clusters_part() {
        QFETCH(int, components);
        QFETCH(bool, exact);
        TsneOptions o;
        o.components = components;
        o.method = exact ? TsneMethod::exact : TsneMethod::fft;
        o.iterations = components == 3 ? 300 : 500;
        Tsne t(blobs(300, 20, 2, 4), 300, 20, o);
        t.advance(1000);
        QCOMPARE(t.iteration(), o.iterations);
        QCOMPARE(t.exact(), exact);
        const auto layout = t.layout();
        QVERIFY(all_finite(layout));
        QCOMPARE(with_their_own(layout, 300, components, 2), std::int64_t{300});
        // The groups' centres lie further apart than either group is wide.
        const auto y = at::tensor(layout, at::kFloat).view({150, 2, components});
        const auto centre = y.mean(0);
        const double apart = (centre[0] - centre[1]).norm().item<double>();
        const double width = (y - centre).square().sum(2).mean().sqrt().item<double>();
        QVERIFY2(apart > 2 * width, (std::to_string(apart) + " " + std::to_string(width)).c_str());
        QVERIFY(std::abs(at::tensor(layout).view({300, components}).mean(0).abs().max().item<double>()) <
                1e-4);
    }

    void grid_ends_as_good_as_every_pair_data() {
        QTest::addColumn<int>("components");
        QTest::addColumn<qint64>("n");
        QTest::newRow("plane") << 2 << qint64(1200);
        QTest::newRow("space") << 3 << qint64(120);
    }

    void grid_ends_as_good_as_every_pair() {
        QFETCH(int, components);
        QFETCH(qint64, n);
        const auto values = blobs(n, 50, 6, 2);
        TsneOptions o;
        o.components = components;
        o.method = TsneMethod::exact;
        if (components == 3) {  // its grids are large even for few points
            o.perplexity = 10;
            o.early_iterations = 40;
            o.iterations = 100;
        }
        Tsne exact(values, n, 50, o);
        exact.advance(o.iterations);
        o.method = TsneMethod::fft;
        Tsne grid(values, n, 50, o);
        grid.advance(o.iterations);
        QVERIFY2(std::abs(grid.kl() / exact.kl() - 1) < 0.01,
                 (std::to_string(grid.kl()) + " " + std::to_string(exact.kl())).c_str());
    }

    void division_into_steps_keeps_the_bits_data() {
        QTest::addColumn<bool>("exact");
        QTest::newRow("every pair") << true;
        QTest::newRow("grid") << false;
    }

    void division_into_steps_keeps_the_bits() {
        QFETCH(bool, exact);
        TsneOptions o;
        o.method = exact ? TsneMethod::exact : TsneMethod::fft;
        o.iterations = 320;
        o.seed = 3;
        const auto values = blobs(700, 20, 5);
        Tsne whole(values, 700, 20, o), parts(values, 700, 20, o);
        whole.advance(320);
        for (const int n : {1, 99, 7, 150, 0, 3}) {
            parts.advance(n);
            (void)parts.kl();  // looking changes nothing
            (void)parts.layout();
        }
        parts.advance(1000);
        QCOMPARE(parts.iteration(), std::int64_t{320});
        QVERIFY(whole.layout() == parts.layout());
        QCOMPARE(whole.kl(), parts.kl());
    }

    void seeds_differ() {
        const auto values = blobs(200, 20, 2);
        TsneOptions o;
        o.perplexity = 10;
        Tsne a(values, 200, 20, o);
        o.seed = 1;
        Tsne b(values, 200, 20, o);
        a.prepare();
        b.prepare();
        QVERIFY(a.layout() != b.layout());
        // Both start from the principal components: what differs is the jitter of 1 %.
        QVERIFY(relative(wide(a.layout()), wide(b.layout())) < 0.03);
        double square = 0;
        const auto y = wide(a.layout());
        for (std::size_t i = 0; i < y.size(); i += 2) square += y[i] * y[i] / 200;
        QVERIFY(std::abs(std::sqrt(square) / 1e-4 - 1) < 0.01);
    }

    void iterations_of_the_plan() {
        TsneOptions o;
        o.perplexity = 5;
        o.early_iterations = 3;
        o.iterations = 5;
        Tsne t(blobs(60, 4, 2), 60, 4, o);
        QVERIFY(std::isnan(t.kl()) && !t.is_finished());
        QCOMPARE(t.layout(), std::vector<float>(120, 0.0F));
        QCOMPARE(t.advance(3), std::int64_t{3});
        QVERIFY(!t.is_finished());
        QCOMPARE(t.advance(10), std::int64_t{2});
        QVERIFY(t.is_finished());
        QCOMPARE(t.advance(10), std::int64_t{0});
    }

    void follows_new_values() {
        const auto values = blobs(300, 20, 3, 4);
        TsneOptions o;
        o.perplexity = 15;
        o.iterations = 400;
        Tsne t(values, 300, 20, o);
        t.advance(400);
        const auto before = t.layout();
        // The same values: nothing starts over, the layout only gets better.
        const double kl = t.kl();
        t.follow(values);
        QCOMPARE(t.layout(), before);
        QCOMPARE(t.planned(), std::int64_t{650});
        t.advance(250);
        QVERIFY(t.kl() <= kl + 1e-6);
        // Values a little further on: every group stays roughly where it was.
        auto moved = at::tensor(values, at::kFloat).view({300, 20}) + normal(1, 20, 77).to(at::kFloat);
        moved = moved + 0.05 * normal(300, 20, 78).to(at::kFloat);
        const auto place = t.layout();
        t.follow(floats(moved));
        t.advance(250);
        const auto a = at::tensor(place, at::kFloat).view({100, 3, 2}).mean(0);
        const auto b = at::tensor(t.layout(), at::kFloat).view({100, 3, 2}).mean(0);
        QVERIFY(((a - b).norm() / a.norm()).item<double>() < 0.3);
        // Other groups: who was together parts.
        const auto other = blobs(300, 20, 4, 4, 9);
        for (int time = 0; time < 3; ++time) {
            t.follow(other);
            t.advance(250);
        }
        QVERIFY(with_their_own(t.layout(), 300, 2, 4) > 285);
    }

    void refused_follow_leaves_the_layout_unchanged() {
        const auto values = blobs(100, 5, 3);
        TsneOptions o;
        o.perplexity = 5;
        o.iterations = 50;
        Tsne t(values, 100, 5, o);
        t.advance(20);
        const auto before = t.layout();
        auto bad = values;
        bad[7] = std::numeric_limits<float>::quiet_NaN();
        QVERIFY_THROWS_EXCEPTION(Error, t.follow(bad));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, t.follow(std::vector<float>(5)));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Cancelled, t.follow(values, {}, stop.get_token()));
        QVERIFY(t.layout() == before && t.planned() == 50 && t.iteration() == 20);
    }

    void custom_initial_layout() {
        const auto values = blobs(50, 5, 2);
        TsneOptions o;
        o.perplexity = 5;
        o.start = floats(normal(50, 2, 4));
        Tsne t(values, 50, 5, o);
        t.prepare();
        const auto y = at::tensor(o.start, at::kFloat).view({50, 2});
        QVERIFY(relative(wide(t.layout()), doubles(y - y.mean(0))) < 1e-5);
        o.start.pop_back();
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Tsne(values, 50, 5, o));
    }

    void kinds_in_one_picture() {
        const auto anchors = blobs(40, 6, 2), series = blobs(30, 6, 2, 5, 3), prompts = blobs(10, 6, 2, 5, 5);
        TsneOptions o;
        o.perplexity = 8;
        o.iterations = 60;
        o.early_iterations = 20;
        o.seed = 11;
        std::vector<std::string> stages;
        const auto layout = analysis::tsne(anchors, series, prompts, 6, o, [&](const Progress& p) {
            if (stages.empty() || stages.back() != p.stage.text()) stages.push_back(p.stage.text());
        });
        QCOMPARE(layout.components, std::int64_t{2});
        QCOMPARE(layout.points.size(), std::size_t{160});
        QCOMPARE(std::count(layout.kind.begin(), layout.kind.end(), 0), 40);
        QCOMPARE(std::count(layout.kind.begin(), layout.kind.end(), 1), 30);
        QCOMPARE(std::count(layout.kind.begin(), layout.kind.end(), 2), 10);
        QCOMPARE(layout.row[39], 39);
        QCOMPARE(layout.row[40], 0);
        QCOMPARE(layout.row[79], 9);
        QVERIFY(layout.kl > 0 && layout.perplexity == 8 && layout.iterations == 60 && layout.seed == 11);
        QVERIFY(layout.variance_ratio.empty());
        QCOMPARE(stages, (std::vector<std::string>{"Finding neighbours", "t-SNE"}));
        // As by hand.
        auto all = anchors;
        all.insert(all.end(), series.begin(), series.end());
        all.insert(all.end(), prompts.begin(), prompts.end());
        Tsne t(all, 80, 6, o);
        t.advance(60);
        QCOMPARE(layout.points, t.layout());
        QCOMPARE(layout.kl, t.kl());
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, (void)t.result(40, 30, 11));
    }

    void few_points_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<double>("perplexity");
        QTest::newRow("one") << 1 << 1.0;
        QTest::newRow("two") << 2 << 1.0;
        QTest::newRow("three") << 3 << 1.0;
        QTest::newRow("ten") << 10 << 3.0;
        QTest::newRow("ninety") << 90 << 89.0 / 3;
        QTest::newRow("enough") << 91 << 30.0;
    }

    void few_points() {
        QFETCH(int, n);
        QFETCH(double, perplexity);
        for (const auto method : {TsneMethod::exact, TsneMethod::fft}) {
            TsneOptions o;
            o.method = method;
            o.iterations = 300;
            Tsne t(blobs(n, 5, 2), n, 5, o);
            t.advance(300);
            QCOMPARE(t.iteration(), std::int64_t{300});
            QVERIFY(std::abs(t.perplexity() - perplexity) < 1e-12);
            QCOMPARE(has(t, lowered), perplexity < 30);
            QVERIFY(all_finite(t.layout()));
            QCOMPARE(std::isnan(t.kl()), n == 1);
            if (n > 2) QVERIFY(extent(t.layout()) > 1e-3F);  // of two any layout is as good as any other
        }
    }

    void equal_points() {
        // 150 of 400 points are one and the same, among them more than 3 u.
        auto values = blobs(400, 12, 4);
        for (std::size_t i = 1; i < 150; ++i) std::copy_n(values.begin(), 12, values.begin() + 12 * i);
        for (const auto method : {TsneMethod::exact, TsneMethod::fft}) {
            TsneOptions o;
            o.method = method;
            Tsne t(values, 400, 12, o);
            t.advance(o.iterations);
            QVERIFY(has(t, duplicates) && !has(t, constant));
            const auto layout = t.layout();
            QVERIFY(all_finite(layout));
            // They stay together, but not on one spot.
            const auto y = at::tensor(layout, at::kFloat).view({400, 2}).slice(0, 0, 150);
            const double width = (y - y.mean(0)).square().sum(1).mean().sqrt().item<double>();
            QVERIFY2(width > 0.1 && width < extent(layout) / 2, std::to_string(width).c_str());
        }
    }

    void anchors_nearly_alike() {
        // Cosine above 0.999: all differences are in the last digits of the products.
        const auto common = normal(1, 64, 1) * 10;
        const auto groups = normal(4, 64, 2) * 0.05;
        const auto x = common + groups.index_select(0, at::arange(400, at::kLong).remainder(4)) +
                       normal(400, 64, 3) * 0.01;
        const auto unit = x / x.norm(2, {1}, true);
        QVERIFY(at::mm(unit, unit.t()).min().item<double>() > 0.999);
        TsneOptions o;
        o.perplexity = 20;
        Tsne t(floats(x), 400, 64, o);
        t.advance(o.iterations);
        QCOMPARE(with_their_own(t.layout(), 400, 2, 4), std::int64_t{400});
        QVERIFY(t.notes().empty());
    }

    void constant_values() {
        for (const auto method : {TsneMethod::exact, TsneMethod::fft}) {
            TsneOptions o;
            o.method = method;
            Tsne t(std::vector<float>(200 * 6, 2.5F), 200, 6, o);
            t.advance(o.iterations);
            QVERIFY(has(t, constant) && !has(t, duplicates));
            QVERIFY(all_finite(t.layout()) && extent(t.layout()) > 0.1F);
        }
    }

    void bad_values() {
        auto values = blobs(30, 4, 2);
        values[4 * 11 + 2] = std::numeric_limits<float>::quiet_NaN();
        try {
            Tsne t(values, 30, 4, {});
            QFAIL("accepted");
        } catch (const Error& e) {
            QVERIFY(e.kind() == ErrorKind::input);
            QVERIFY2(std::string(e.what()).find("value 3 of point 12 is not a number") != std::string::npos,
                     e.what());
        }
        values[4 * 11 + 2] = std::numeric_limits<float>::infinity();
        QVERIFY_THROWS_EXCEPTION(Error, Tsne(values, 30, 4, {}));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Tsne(std::vector<float>(7), 2, 4, {}));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Tsne(std::vector<float>(), 0, 4, {}));
    }

    void bad_options_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("word");
        QTest::newRow("components") << 0 << "components";
        QTest::newRow("perplexity") << 1 << "perplexity";
        QTest::newRow("exaggeration") << 2 << "exaggeration";
        QTest::newRow("iterations") << 3 << "iterations";
        QTest::newRow("rate") << 4 << "learning rate";
        QTest::newRow("momentum") << 5 << "momentum";
        QTest::newRow("start") << 6 << "value 2 of point 1";
    }

    void bad_options() {
        QFETCH(int, which);
        QFETCH(QString, word);
        TsneOptions o;
        if (which == 0) o.components = 4;
        if (which == 1) o.perplexity = 0.5;
        if (which == 2) o.early_exaggeration = 0;
        if (which == 3) o.iterations = -1;
        if (which == 4) o.learning_rate = std::numeric_limits<double>::quiet_NaN();
        if (which == 5) o.momentum = 1;
        if (which == 6) o.start = {0, std::numeric_limits<float>::infinity(), 0, 0};
        try {
            Tsne t({1, 2, 3, 4}, 2, 2, o);
            QFAIL("accepted");
        } catch (const Error& e) {
            QVERIFY(e.kind() == ErrorKind::input);
            QVERIFY2(QString(e.what()).contains(word), e.what());
        }
    }

    void stopped() {
        const auto values = blobs(3000, 10, 3);
        TsneOptions o;
        o.iterations = 400;
        Tsne t(values, 3000, 10, o);
        std::stop_source before;
        before.request_stop();
        QVERIFY_THROWS_EXCEPTION(Cancelled, t.prepare({}, before.get_token()));
        t.prepare();
        QCOMPARE(t.advance(10, before.get_token()), std::int64_t{0});
        QCOMPARE(t.advance(2), std::int64_t{2});  // and goes on
        // In the middle of the one call, from where it tells its progress.
        std::stop_source stop;
        std::int64_t seen = 0;
        QVERIFY_THROWS_EXCEPTION(Cancelled, (void)analysis::tsne(
                                                values, {}, {}, 10, o,
                                                [&](const Progress& p) {
                                                    if (p.stage == Stage::tsne && p.done >= 20) {
                                                        seen = p.done;
                                                        stop.request_stop();
                                                    }
                                                },
                                                stop.get_token()));
        QCOMPARE(seen, std::int64_t{20});
    }

    void two_at_once() {
        // A, B, A: neither touches the other, nor the global generator.
        const auto a = blobs(300, 10, 3), b = blobs(250, 10, 2, 5, 9);
        TsneOptions o;
        o.iterations = 60;
        o.early_iterations = 30;
        o.method = TsneMethod::fft;
        at::manual_seed(1);
        Tsne first(a, 300, 10, o);
        first.advance(60);
        at::manual_seed(2);
        Tsne again(a, 300, 10, o), other(b, 250, 10, o);
        for (int i = 0; i < 60; ++i) {
            again.advance(1);
            other.advance(1);
        }
        QVERIFY(first.layout() == again.layout());
    }
};

TEST_MAIN_WITHOUT_GUI(TestTsne)
#include "test_tsne.moc"
