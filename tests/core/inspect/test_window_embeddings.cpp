// Embeddings of a run's windows from its weights: the numbers, what may be asked for, and how they are kept.
#include <algorithm>
#include <fstream>
#include <numeric>

#include <QtTest>

#include "analysis/difficulty.h"
#include "core/store/store_test.h"
#include "core/train/train_fixture.h"
#include "data/prepared.h"
#include "folder_test.h"
#include "inspect/stored_embeddings.h"
#include "inspect/window_embeddings.h"
#include "store/hdf5_file.h"
#include "store/run_file.h"
#include "test_program.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

template <class T>
double farthest(const std::vector<T>& a, const std::vector<T>& b) {
    double most = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    return most;
}

template <class T>
std::vector<T> row_of(const std::vector<T>& values, std::int64_t row, std::int64_t width) {
    return {values.begin() + row * width, values.begin() + (row + 1) * width};
}

}  // namespace

class TestWindowEmbeddings : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        csv_ = test::write_csv(folder("series.csv"), test::small_rows, test::small_channels);
        auto config = settings();
        config.run.store_embeddings = config.run.store_similarity = true;
        config.run.store_forecasts = {"train", "test"};
        config.run.save_initial = config.run.keep_last = true;
        fs::create_directories(folder("batch"));
        test::run_in(run(), config);
        whole_ = inspect::compute_embeddings(request(run()));
    }

    void whole_split_is_what_the_run_stored() {
        for (const std::string split : {"train", "test"}) {
            auto r = request(run());
            r.split = split;
            std::vector<Progress> told;
            const auto e = inspect::compute_embeddings(r, [&](const Progress& p) { told.push_back(p); });
            const auto arrays = run() / "arrays.h5";
            const auto stored = store::read_embedding(arrays, split);
            const auto forecast = store::read_forecast(arrays, split);
            QVERIFY(!e.anchors.empty() && !e.series.empty() && !e.prompt.empty() && !e.similarity.empty());
            QVERIFY(test::same_bits(e.anchors, stored.anchors));
            QVERIFY(test::same_bits(e.series, stored.series));
            QVERIFY(test::same_bits(e.prompt, stored.prompt));
            QVERIFY(test::same_bits(e.similarity, store::read_similarity(arrays, split).values));
            QVERIFY(test::same_bits(e.retrieved, forecast.retrieved));
            QVERIFY(test::same_bits(e.mse, forecast.mse));
            QVERIFY(test::same_bits(e.mae, forecast.mae));
            QVERIFY(e.start == forecast.start);
            QCOMPARE(e.windows_total, split == "train" ? test::train_windows : test::test_windows);
            QCOMPARE(e.windows.size(), static_cast<std::size_t>(e.windows_total));
            QVERIFY(e.channels == (std::vector<std::int64_t>{0, 1, 2}));
            QCOMPARE(e.rows, e.windows_total * test::small_channels);
            QCOMPARE(std::accumulate(e.usage.begin(), e.usage.end(), std::int64_t{0}), e.rows * e.top_k);
            QVERIFY(told.back().done == told.back().total && told.back().total == e.windows_total);
        }
        const auto record = test::record_of(run());
        QVERIFY(whole_.usage == record.anchors.usage_test);
        QCOMPARE(whole_.step, record.attributes.best_step);
        QVERIFY(whole_.dimension == 24 && whole_.pool_size == 30 && whole_.top_k == 4 && whole_.patches == 1);
        QCOMPARE(whole_.weights, std::string("best"));
    }

    void errors_without_stored_forecasts_are_the_same_bits() {
        const auto bare = copy_of(run(), "bare");
        fs::remove(bare / "arrays.h5");
        const auto e = inspect::compute_embeddings(request(bare));
        QVERIFY(!e.mse.empty() && test::same_bits(e.mse, whole_.mse) && test::same_bits(e.mae, whole_.mae));
        QVERIFY(test::same_bits(e.series, whole_.series) && test::same_bits(e.similarity, whole_.similarity));
        QVERIFY(!fs::exists(bare / "arrays.h5"));  // looking changes nothing
    }

    void errors_can_be_left_out() {
        auto r = request(run());
        r.errors = r.similarity = false;
        const auto e = inspect::compute_embeddings(r);
        QVERIFY(e.mse.empty() && e.mae.empty() && e.similarity.empty());
        QVERIFY(test::same_bits(e.prompt, whole_.prompt) && test::same_bits(e.retrieved, whole_.retrieved));
        QVERIFY(test::same_bits(e.residual, whole_.residual));
    }

    void some_windows_and_channels() {
        auto r = request(run(), 7);
        r.channels = {2, 0};
        const auto e = inspect::compute_embeddings(r);
        QVERIFY(e.windows == (std::vector<std::int64_t>{0, 8, 16, 24, 32, 40, 48}));
        QCOMPARE(e.windows_total, test::test_windows);  // what was left out is told
        QVERIFY(e.channels == r.channels && e.channels_total == 3);
        QCOMPARE(e.rows, std::int64_t{14});
        for (std::int64_t w = 0; w < 7; ++w)
            for (std::int64_t c = 0; c < 2; ++c) {
                const auto mine = w * 2 + c;
                const auto theirs =
                    e.windows[static_cast<std::size_t>(w)] * 3 + r.channels[static_cast<std::size_t>(c)];
                const auto other = static_cast<std::size_t>(theirs);
                QVERIFY(farthest(row_of(e.series, mine, 24), row_of(whole_.series, theirs, 24)) < 1e-5);
                QVERIFY(farthest(row_of(e.prompt, mine, 24), row_of(whole_.prompt, theirs, 24)) < 1e-5);
                QVERIFY(farthest(row_of(e.similarity, mine, 30), row_of(whole_.similarity, theirs, 30)) <
                        1e-5);
                QVERIFY(e.mse[static_cast<std::size_t>(mine)] == whole_.mse[other]);
                QVERIFY(near(e.residual[static_cast<std::size_t>(mine)], whole_.residual[other], 1e-6));
            }
        QVERIFY(e.start == (std::vector<std::int64_t>{whole_.start[0], whole_.start[8], whole_.start[16],
                                                      whole_.start[24], whole_.start[32], whole_.start[40],
                                                      whole_.start[48]}));
        QCOMPARE(inspect::compute_embeddings(request(run(), 1000)).windows.size(), std::size_t{49});
        QVERIFY(inspect::compute_embeddings(request(run(), 1)).windows == (std::vector<std::int64_t>{24}));
        QVERIFY(inspect::compute_embeddings(request(run(), 2)).windows == (std::vector<std::int64_t>{0, 48}));
    }

    void affine_norm_sees_all_channels() {
        auto config = settings();
        config.model.instance_norm_affine = true;
        config.run.store_embeddings = true;
        config.run.store_forecasts = {"test"};
        test::run_in(folder("affine"), config);
        fs::remove(folder("affine") / "arrays.h5");
        const auto all = inspect::compute_embeddings(request(folder("affine")));
        auto r = request(folder("affine"));
        r.channels = {1};
        const auto one = inspect::compute_embeddings(r);
        QCOMPARE(one.rows, test::test_windows);
        for (std::int64_t w = 0; w < one.rows; ++w) {
            QVERIFY(row_of(one.series, w, 24) == row_of(all.series, w * 3 + 1, 24));
            QVERIFY(row_of(one.retrieved, w, 4) == row_of(all.retrieved, w * 3 + 1, 4));
            QVERIFY(one.mse[static_cast<std::size_t>(w)] == all.mse[static_cast<std::size_t>(w * 3 + 1)]);
        }
    }

    void query_per_patch() {
        auto r = request(run());
        r.per_patch = true;
        const auto e = inspect::compute_embeddings(r);
        // 48 values, patches of 16 every 8, one more by padding: 6.
        QCOMPARE(e.patches, std::int64_t{6});
        QCOMPARE(e.series.size(), static_cast<std::size_t>(e.rows * 6 * 24));
        for (std::int64_t row = 0; row < e.rows; ++row)
            for (std::int64_t j = 0; j < 24; ++j) {
                double sum = 0;
                for (std::int64_t p = 0; p < 6; ++p)
                    sum += e.series[static_cast<std::size_t>((row * 6 + p) * 24 + j)];
                QVERIFY(near(sum / 6, whole_.series[static_cast<std::size_t>(row * 24 + j)], 2e-6));
            }
        QVERIFY(test::same_bits(e.prompt, whole_.prompt));
    }

    void prefix_only_prompt_is_the_anchor_mean() {
        auto r = request(run());
        r.prefix_only = true;
        const auto e = inspect::compute_embeddings(r);
        QVERIFY(e.prefix_only && test::same_bits(e.series, whole_.series));
        double most = 0;
        for (std::int64_t row = 0; row < e.rows; ++row)
            for (std::int64_t j = 0; j < 24; ++j) {
                double mean = 0;
                for (std::int64_t k = 0; k < 4; ++k)
                    mean += e.anchors[static_cast<std::size_t>(
                                e.retrieved[static_cast<std::size_t>(row * 4 + k)] * 24 + j)] /
                            4.0;
                const auto element = static_cast<std::size_t>(row * 24 + j);
                QVERIFY(near(e.prompt[element], mean, 1e-6));
                most = std::max(most, std::abs(static_cast<double>(e.prompt[element]) -
                                               static_cast<double>(whole_.prompt[element])));
            }
        QVERIFY(most > 1e-3);
    }

    void key_cosine_of_the_results_is_that_of_the_keys() {
        // What evaluation gathered in float32, batch by batch, against each pair of keys in float64.
        const auto dot = [&](std::int32_t a, std::int32_t b) {
            const auto* anchors = whole_.anchors.data();
            return std::inner_product(anchors + 24 * a, anchors + 24 * (a + 1), anchors + 24 * b, 0.0);
        };
        std::vector<double> of_rows;
        for (std::size_t row = 0; row < static_cast<std::size_t>(whole_.rows); ++row) {
            const auto* keys = whole_.retrieved.data() + 4 * row;
            double sum = 0;
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < i; ++j)
                    sum += dot(keys[i], keys[j]) / std::sqrt(dot(keys[i], keys[i]) * dot(keys[j], keys[j]));
            of_rows.push_back(sum / 6);
        }
        const double mean =
            std::accumulate(of_rows.begin(), of_rows.end(), 0.0) / static_cast<double>(of_rows.size());
        const auto [least, most] = std::minmax_element(of_rows.begin(), of_rows.end());
        QVERIFY(*most - *least > 1e-3 &&
                mean < 0.999);  // not one set of equal keys, which any formula gets right
        QVERIFY(near(test::record_of(run()).test->key_cosine, mean, 1e-6));
    }

    void residual_is_the_decompositions() {
        const auto config = settings();
        const auto prepared = *data::prepare_data(config);
        constexpr int length = 48, trend_length = 13, season_length = 12, half = trend_length / 2;
        for (const std::size_t window : {std::size_t{0}, std::size_t{31}})
            for (std::size_t c = 0; c < 3; ++c) {
                std::vector<double> x, trend(length), season(season_length, 0), count(season_length, 0);
                for (int i = 0; i < length; ++i)
                    x.push_back((prepared.table.columns[c]
                                     .values[static_cast<std::size_t>(whole_.start[window] + i)] -
                                 prepared.scaler.mean[c]) /
                                prepared.scaler.std[c]);
                for (int i = 0; i < length; ++i) {
                    const int centre = std::clamp(i, half, length - 1 - half);
                    trend[static_cast<std::size_t>(i)] =
                        std::accumulate(x.begin() + centre - half, x.begin() + centre + half + 1, 0.0) /
                        trend_length;
                }
                for (std::size_t i = 0; i < length; ++i) {
                    season[i % season_length] += x[i] - trend[i];
                    count[i % season_length] += 1;
                }
                double sum = 0;
                for (std::size_t i = 0; i < length; ++i)
                    sum += std::abs(x[i] - trend[i] - season[i % season_length] / count[i % season_length]);
                QVERIFY(near(whole_.residual[window * 3 + c], sum / length, 1e-5));
            }
    }

    void initial_and_last_weights_are_available() {
        auto r = request(run());
        r.weights = "initial";
        const auto initial = inspect::compute_embeddings(r);
        QVERIFY(initial.step == 0 && initial.weights == "initial");
        QVERIFY(!test::same_bits(initial.anchors, whole_.anchors));
        r.weights = "last";
        const auto last = inspect::compute_embeddings(r);
        QCOMPARE(last.step, std::int64_t{5});
        // One epoch: the last weights are the best ones. Their errors are computed, those of the best were
        // read.
        QVERIFY(test::same_bits(last.anchors, whole_.anchors) && test::same_bits(last.mse, whole_.mse));
        QVERIFY(!test::same_bits(initial.mse, whole_.mse));
    }

    void model_without_prompt() {
        auto config = settings();
        config.model.prompt = false;
        test::run_in(folder("promptless"), config);
        const auto e = inspect::compute_embeddings(request(folder("promptless")));
        QVERIFY(e.pool_size == 0 && e.top_k == 0 && e.prompt.empty() && e.similarity.empty() &&
                e.retrieved.empty());
        QCOMPARE(e.series.size(), static_cast<std::size_t>(e.rows * 24));
        QVERIFY(!e.mse.empty() && e.anchors.empty());
        inspect::store_embeddings(folder("promptless"), e);
        const auto back = store::read_embedding(folder("promptless") / "run.h5", "test");
        QVERIFY(test::same_bits(back.series, e.series) && back.anchors.empty() && back.prompt.empty());
    }

    void baselines_on_a_backbone() {
        for (const std::string name : {"s2ip-llm", "ofa"}) {
            const bool anchors = name == "s2ip-llm";
            auto config = settings();
            config.model.name = name;
            test::run_in(folder(name), config);
            const auto e = inspect::compute_embeddings(request(folder(name)));
            QCOMPARE(e.pool_size, anchors ? config.model.pool_size : std::int64_t{0});
            QCOMPARE(e.top_k, anchors ? config.model.top_k : std::int64_t{0});
            QVERIFY(e.anchors.empty() != anchors && e.prompt.empty() != anchors);
            QVERIFY(e.similarity.empty() != anchors && e.retrieved.empty() != anchors);
            QCOMPARE(e.series.size(), static_cast<std::size_t>(e.rows * 24));
            inspect::store_embeddings(folder(name), e);
            const auto back = store::read_embedding(folder(name) / "run.h5", "test");
            QVERIFY(test::same_bits(back.series, e.series) && test::same_bits(back.anchors, e.anchors));
        }
    }

    /// For strata: stored errors and the residual of the look-back.
    void errors_of_a_model_without_embeddings() {
        auto config = settings();
        config.model.name = "dlinear";
        const auto place = folder("batch") / "dlinear";
        test::run_in(place, config);
        const auto stored = inspect::compute_embeddings(request(place));
        QVERIFY(stored.dimension == 0 && stored.series.empty() && stored.retrieved.empty());
        QVERIFY(stored.residual == whole_.residual && stored.start == whole_.start);
        const auto errors = store::read_forecast_errors(place / "arrays.h5", "test");
        QVERIFY(stored.mse == errors.mse && stored.mae == errors.mae);
        QVERIFY(stored.mse != whole_.mse);
        auto wanted = request(place);
        wanted.split = "val";  // not stored: forecast anew
        const auto computed = inspect::compute_embeddings(wanted);
        QCOMPARE(std::ssize(computed.mse), computed.rows);
        QVERIFY(std::all_of(computed.mse.begin(), computed.mse.end(), [](float x) { return x > 0; }));
    }

    /// The same shape at another scale is equally difficult; a constant series is not difficult.
    void series_of_different_scales() {
        const auto time = at::arange(48, at::kFloat);
        const auto series = at::sin(time * 0.9F) + at::cos(time * time * 0.1F) + 3;
        const auto rows = at::stack({series, 4096 * series, at::full({48}, 0.1F), at::zeros({48})});
        config::Config config;
        config.model.trend_length = config.model.seasonal_length = 8;
        const auto difficulty = analysis::difficulty(rows, config, /*scaled=*/false);
        const auto value = [&](std::int64_t row) { return difficulty[row].item<double>(); };
        QVERIFY2(value(0) > 0.001 && std::abs(value(1) / value(0) - 1) < 1e-6,
                 qPrintable(QString::number(value(0))));
        QCOMPARE(value(2), 0.0);
        QCOMPARE(value(3), 0.0);
        QVERIFY(analysis::difficulty(rows, config)[1].item<double>() > 100 * value(1));
    }

    void single_channel_run() {
        auto config = settings();
        config.data.batching = "single-channel";
        config.run.store_embeddings = true;
        test::run_in(folder("single_channel"), config);
        const auto e = inspect::compute_embeddings(request(folder("single_channel")));
        const auto stored = store::read_embedding(folder("single_channel") / "run.h5", "test");
        QVERIFY(test::same_bits(e.series, stored.series) && test::same_bits(e.prompt, stored.prompt));
    }

    void streamed_parts_equal_the_whole() {
        store::Embeddings all;
        std::size_t parts = 0;
        const auto facts = inspect::stream_embeddings(request(run()), [&](const store::Embeddings& part) {
            ++parts;
            QVERIFY(part.anchors.empty());
            QCOMPARE(part.series.size(), static_cast<std::size_t>(part.rows * 24));
            all.series.insert(all.series.end(), part.series.begin(), part.series.end());
            all.similarity.insert(all.similarity.end(), part.similarity.begin(), part.similarity.end());
        });
        QVERIFY(parts > 1);
        QVERIFY(test::same_bits(all.series, whole_.series) &&
                test::same_bits(all.similarity, whole_.similarity));
        QVERIFY(facts.usage == whole_.usage && facts.anchors == whole_.anchors && facts.series.empty());
        auto wanted = request(run());
        wanted.vectors = false;
        const auto values = inspect::compute_embeddings(wanted);
        QVERIFY(values.series.empty() && values.prompt.empty() && values.retrieved == whole_.retrieved &&
                test::same_bits(values.residual, whole_.residual));
    }

    void refusals() {
        const auto refused = [&](const std::string& words, auto change) {
            auto r = request(run());
            change(r);
            const auto error = test::error_of([&] { (void)inspect::compute_embeddings(r); });
            return error.kind() == ErrorKind::input && test::says(error, words);
        };
        QVERIFY(refused("\"tset\" is not a split", [](auto& r) { r.split = "tset"; }));
        QVERIFY(refused("\"worst\" is not a set of weights", [](auto& r) { r.weights = "worst"; }));
        QVERIFY(refused("there is no channel 3; expected 0 to 2", [](auto& r) { r.channels = {0, 3}; }));
        QVERIFY(refused("there is no channel -1", [](auto& r) { r.channels = {-1}; }));
        QVERIFY(refused("listed twice", [](auto& r) { r.channels = {1, 1}; }));
        QVERIFY(refused("-2 windows were requested", [](auto& r) { r.windows = -2; }));
        QVERIFY(refused("there is no run", [&](auto& r) { r.run = folder("nowhere"); }));
        QVERIFY(refused("run.keep_last", [&](auto& r) {
            r.run = folder("promptless");
            r.weights = "last";
        }));
        QVERIFY(refused("run.save_initial", [&](auto& r) {
            r.run = folder("promptless");
            r.weights = "initial";
        }));
    }

    void another_data_file() {
        const auto other = copy_of(run(), "other_data");
        auto text = QString::fromStdString(test::bytes_of(other / "config.toml"));
        const auto path = test::write_csv(folder("longer.csv"), test::small_rows + 1, test::small_channels);
        text.replace(QString::fromStdString(csv_), QString::fromStdString(path));
        std::ofstream(other / "config.toml") << text.toStdString();
        const auto error = test::error_of([&] { (void)inspect::compute_embeddings(request(other)); });
        QVERIFY(error.kind() == ErrorKind::input && test::says(error, "this is not the run's data file"));
    }

    void cancelled() {
        std::stop_source stop;
        std::int64_t done = 0;
        const auto progress = [&](const Progress& p) {
            if (p.stage != StageOf(Stage::embedding, "test")) return;
            done = p.done;
            stop.request_stop();
        };
        auto r = request(folder("bare"));  // without stored errors: the backbone works
        QVERIFY_EXCEPTION_THROWN((void)inspect::compute_embeddings(r, progress, stop.get_token()), Cancelled);
        QVERIFY(done > 0 && done < test::test_windows);
        QVERIFY_EXCEPTION_THROWN((void)inspect::compute_embeddings(r, {}, stop.get_token()), Cancelled);
    }

    void stored_set_is_the_runs_own() {
        const auto copy = copy_of(run(), "stored");
        const auto before = store::read_embedding(copy / "run.h5", "test");
        inspect::store_embeddings(copy, whole_);
        const auto after = store::read_embedding(copy / "run.h5", "test");
        QVERIFY(test::same_bits(before.series, after.series) &&
                test::same_bits(before.prompt, after.prompt) &&
                test::same_bits(before.anchors, after.anchors));
        QVERIFY(after.windows == whole_.windows && after.start == whole_.start &&
                after.channels == whole_.channels);
        QVERIFY(test::same_bits(store::read_similarity(copy / "run.h5", "test").values, whole_.similarity));
        // Read back with the forecasts' errors and retrievals, as if it were computed.
        const auto read = inspect::read_stored_embeddings(copy, "test");
        QVERIFY(read && test::same_bits(read->series, whole_.series) && read->start == whole_.start);
        QVERIFY(test::same_bits(read->mse, whole_.mse) && test::same_bits(read->mae, whole_.mae));
        QVERIFY(test::same_bits(read->similarity, whole_.similarity) && read->retrieved == whole_.retrieved);
        QVERIFY(read->usage == whole_.usage && read->weights == "best" && read->is_whole());
        QVERIFY(inspect::read_stored_tsne(copy, "test").empty());
        QVERIFY(farthest(inspect::cosines_of(whole_), whole_.similarity) < 1e-5);
    }

    void storing_keeps_everything_else() {
        const auto copy = copy_of(run(), "kept");
        const auto raw_chunks = [&] {
            return store_test::run_python(
                "import h5py, sys, hashlib\n"
                "f = h5py.File(sys.argv[1], 'r')\n"
                "def show(name, o):\n"
                "    if isinstance(o, h5py.Dataset) and not name.startswith('embedding/test/0'):\n"
                "        h = hashlib.sha256()\n"
                "        for i in range(o.id.get_num_chunks()):\n"
                "            h.update(o.id.read_direct_chunk(o.id.get_chunk_info(i).chunk_offset)[1])\n"
                "        print(name, o.shape, o.dtype, o.fletcher32, o.chunks, h.hexdigest())\n"
                "f.visititems(show)\n",
                {QString::fromStdString((copy / "arrays.h5").string())});
        };
        const bool python = store_test::python_has("h5py");
        const auto chunks = python ? raw_chunks() : std::string();
        const auto forecast = store::read_forecast(copy / "arrays.h5", "train");
        const auto run_bytes = test::bytes_of(copy / "run.h5");

        auto r = request(copy, 5);
        r.weights = "initial";
        r.per_patch = r.prefix_only = true;
        const auto e = inspect::compute_embeddings(r);
        inspect::store_embeddings(copy, e);
        const auto sets = store::embedding_entries(copy / "run.h5");
        QCOMPARE(sets.size(), std::size_t{4});
        QVERIFY(sets[0].split == "test" && sets[0].at == "best" && sets[0].rows == 147);
        QVERIFY(sets[1].split == "test" && sets[1].at == "0" && sets[1].rows == 5 * 3 * 6 &&
                sets[1].dimension == 24);
        QVERIFY(sets[2].split == "train" && sets[2].at == "best" && sets[2].layouts.empty());
        QVERIFY(sets[3].split == "val" && sets[3].at == "5");  // the run's own snapshot
        const auto back = store::read_embedding(copy / "run.h5", "test", "0");
        QVERIFY(test::same_bits(back.series, e.series) && test::same_bits(back.prompt, e.prompt));
        QVERIFY(back.patches == 6 && back.prefix_only && back.windows == e.windows && back.start == e.start);
        QVERIFY(test::same_bits(store::read_similarity(copy / "run.h5", "test", "0").values, e.similarity));

        const auto same = store::read_forecast(copy / "arrays.h5", "train");
        QVERIFY(test::same_bits(same.prediction, forecast.prediction) &&
                same.retrieved == forecast.retrieved);
        QVERIFY(test::same_bits(store::read_embedding(copy / "arrays.h5", "test").series, whole_.series));
        QVERIFY(test::bytes_of(copy / "run.h5") == run_bytes);  // its links were there
        for (const auto& file : fs::directory_iterator(copy)) QVERIFY(file.path().extension() != ".tmp");
        // Once more under the same name: the former set is gone, the file does not grow.
        const auto size = fs::file_size(copy / "arrays.h5");
        r.windows = 3;
        r.similarity = false;
        inspect::store_embeddings(copy, inspect::compute_embeddings(r));
        QVERIFY(fs::file_size(copy / "arrays.h5") < size);
        QVERIFY(store::read_embedding(copy / "run.h5", "test", "0").windows ==
                (std::vector<std::int64_t>{0, 24, 48}));
        // Similarities of other rows than the set's would mislead.
        const auto gone = test::error_of([&] { (void)store::read_similarity(copy / "run.h5", "test", "0"); });
        QVERIFY(test::says(gone, "there is no /similarity/test/0"));
        if (!python) QSKIP("Python has no h5py: the stored chunks were not compared");
        auto now = raw_chunks();
        const auto from = now.find("similarity/test/0 ");
        QVERIFY(from == std::string::npos);
        QCOMPARE(QString::fromStdString(now), QString::fromStdString(chunks));
    }

    void read_by_name_and_through_the_link_at_once() {
        {
            const auto direct = store::Hdf5File::open(run() / "arrays.h5");
            QVERIFY(test::same_bits(store::read_embedding(run() / "run.h5", "test").series, whole_.series));
            QVERIFY(direct.exists("/embedding/test/best"));
        }
        const auto linked = store::Hdf5File::open(run() / "run.h5");
        QVERIFY(linked.exists("/embedding/test/best"));
        QVERIFY(test::same_bits(store::read_embedding(run() / "arrays.h5", "test").series, whole_.series));
        QVERIFY(linked.exists("/forecast/test/mse"));
    }

    void run_without_arrays() {
        auto config = settings();
        config.run.store_forecasts = {};
        test::run_in(folder("nothing"), config);
        const auto run_file = folder("nothing") / "run.h5";
        QVERIFY(!fs::exists(folder("nothing") / "arrays.h5"));
        const auto before = test::record_of(folder("nothing"));
        auto r = request(folder("nothing"), 4);
        r.split = "val";
        const auto e = inspect::compute_embeddings(r);
        inspect::store_embeddings(folder("nothing"), e);
        QVERIFY(test::same_bits(store::read_embedding(run_file, "val").prompt,
                                e.prompt));  // through the new link
        QVERIFY(test::same_bits(store::read_similarity(run_file, "val").values, e.similarity));
        const auto after = test::record_of(folder("nothing"));
        QVERIFY(after.attributes.config == before.attributes.config && after.data.time == before.data.time);
        QVERIFY(test::same_bits(after.steps.total, before.steps.total));
        QVERIFY(after.anchors.usage_train == before.anchors.usage_train);
        QVERIFY(test::metric_difference(*after.test, *before.test).empty());
        QVERIFY(!store::Hdf5File::open(run_file).exists("/forecast"));
    }

    void layouts() {
        const auto copy = copy_of(run(), "layouts");
        const auto e = inspect::compute_embeddings(request(copy, 5));
        store::EmbeddingLayout layout;
        layout.points = {1, 2, 3, 4};
        layout.kind = {0, 1};
        layout.row = {7, 14};
        layout.kl = 0.5;
        layout.perplexity = 30;
        layout.iterations = 750;
        layout.seed = 3;
        inspect::store_layout(copy, e, "tsne", layout);
        const auto back = store::read_layout(copy / "run.h5", "test", "best", "tsne");
        QVERIFY(back.points == layout.points && back.row == layout.row && back.kl == 0.5 &&
                back.iterations == 750);
        QVERIFY(back.windows == e.windows && back.channels == e.channels && back.patches == 1);
        // Beside the set of all windows, which stays.
        auto both = store::read_embedding(copy / "run.h5", "test");
        QVERIFY(test::same_bits(both.series, whole_.series) && !both.tsne.empty() && both.pca.empty());
        layout.kl = store::not_known;
        layout.variance_ratio = {0.9, 0.1, 0.8, 0.2, 0.7, 0.3};
        inspect::store_layout(copy, e, "pca", layout);
        layout.points = {5, 6, 7, 8};
        layout.kl = 0.25;
        layout.variance_ratio.clear();
        inspect::store_layout(copy, e, "tsne", layout);  // replaces
        both = store::read_embedding(copy / "run.h5", "test");
        QVERIFY(both.pca.variance_ratio.at(2) == 0.8 && both.tsne.kl == 0.25);
        QVERIFY(store::embedding_entries(copy / "run.h5")[0].layouts ==
                (std::vector<std::string>{"pca", "tsne"}));
        // A layout without its set.
        auto r = request(copy, 5);
        r.split = "val";
        inspect::store_layout(copy, inspect::compute_embeddings(r), "pca", layout);
        QVERIFY(store::read_layout(copy / "run.h5", "val", "best", "pca").points == layout.points);
        const auto error = test::error_of([&] { (void)store::read_embedding(copy / "run.h5", "val"); });
        QVERIFY(test::says(error, "there is no /embedding/val/best/anchors"));
        const auto sets = store::embedding_entries(copy / "run.h5");
        const auto& alone = sets[sets.size() - 2];  // before the run's own snapshot
        QVERIFY(alone.split == "val" && alone.at == "best" && alone.rows == 0);
        QVERIFY(alone.layouts == (std::vector<std::string>{"pca"}));
        const auto name = test::error_of([&] { inspect::store_layout(copy, e, "umap", layout); });
        QVERIFY(test::says(name, "\"umap\" is not a layout"));
        const auto none =
            test::error_of([&] { (void)store::read_layout(run() / "run.h5", "test", "best", "tsne"); });
        QVERIFY(none.kind() == ErrorKind::input && test::says(none, "there is no /embedding/test/best/tsne"));
    }

    void a_new_set_leaves_layouts() {
        const auto copy = copy_of(run(), "replaced");
        auto r = request(copy, 5);
        r.per_patch = r.prefix_only = true;
        const auto of_patches = inspect::compute_embeddings(r);
        inspect::store_embeddings(copy, of_patches);
        store::EmbeddingLayout layout;
        layout.points = {1, 2, 3, 4};
        layout.kind = {0, 1};
        layout.row = {7, 14};
        layout.kl = 0.5;
        inspect::store_layout(copy, of_patches, "tsne", layout);
        // The same rows once more, then others: the layout says itself of which it is.
        inspect::store_embeddings(copy, of_patches);
        auto back = store::read_embedding(copy / "run.h5", "test");
        QVERIFY(back.patches == 6 && back.tsne.points == layout.points && back.tsne.kl == 0.5);
        inspect::store_embeddings(copy, inspect::compute_embeddings(request(copy, 7)));
        back = store::read_embedding(copy / "run.h5", "test");
        QVERIFY(back.windows.size() == 7 && back.patches == 1 && !back.prefix_only);
        QVERIFY(back.tsne.points == layout.points && back.tsne.windows == of_patches.windows &&
                back.tsne.patches == 6 && back.tsne.prefix_only);
        QVERIFY(back.pca.empty());
    }

    void locked_run_is_refused() {
        const auto before = test::bytes_of(run() / "arrays.h5");
        const store::RunLock lock{store::RunFolder(run())};
        const auto error = test::error_of([&] { inspect::store_embeddings(run(), whole_); });
        QVERIFY(error.kind() == ErrorKind::input && test::says(error, "is being written by process"));
        QVERIFY(test::bytes_of(run() / "arrays.h5") == before);
        // Looking is always allowed.
        QVERIFY(test::same_bits(inspect::compute_embeddings(request(run(), 2)).anchors, whole_.anchors));
    }

private:
    [[nodiscard]] fs::path run() const { return folder("batch") / "single"; }
    [[nodiscard]] config::Config settings() const {
        auto config = test::small_config(csv_);
        config.train.epochs = 1;
        return config;
    }
    [[nodiscard]] inspect::EmbeddingRequest request(const fs::path& of, std::int64_t windows = 0) const {
        inspect::EmbeddingRequest r;
        r.run = of;
        r.windows = windows;
        r.device = "cpu";
        return r;
    }
    [[nodiscard]] fs::path copy_of(const fs::path& original, const std::string& name) const {
        fs::copy(original, folder(name), fs::copy_options::recursive);
        return folder(name);
    }

    std::string csv_;
    store::Embeddings whole_;
};

TEST_MAIN_WITHOUT_GUI(TestWindowEmbeddings)
#include "test_window_embeddings.moc"
