#include "state/embedding_work.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <limits>
#include <utility>

#include "analysis/pca.h"
#include "store/hdf5_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "train/preparation.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_reports{50};

void add_layout(EmbeddingSet& set, const std::stop_token& stop, const ProgressFn& progress = {}) {
    const auto& v = set.values;
    if (!set.has_vectors()) return;
    if (set.pca.points.empty())
        set.pca = analysis::joint_layout(v.anchors, v.series, v.prompt, v.dimension, layout_components, stop,
                                         progress);
    for (const auto kind : {PointKind::anchor, PointKind::series, PointKind::prompt}) {
        std::vector<double> shares(2, std::numeric_limits<double>::quiet_NaN());
        if (const auto n = set.points_of(kind); n > 1 && v.dimension > 1)
            shares = analysis::explained_variance(set.vectors_of(kind), n, v.dimension, 2, stop, progress)
                         .uncentred;
        shares.resize(2, std::numeric_limits<double>::quiet_NaN());
        set.uncentred.insert(set.uncentred.end(), shares.begin(), shares.end());
    }
}

/// What the stored forecasts of the split tell about the rows.
void add_forecast(train::RunEmbeddings& v, const store::Hdf5File& file, const store::ForecastArrays& shape) {
    const auto group = "/forecast/" + v.split;
    const auto all_start = file.read<std::int64_t>(group + "/start", {shape.windows});
    const auto all_mse = file.read<float>(group + "/mse", {shape.windows, shape.channels});
    const auto all_mae = file.read<float>(group + "/mae", {shape.windows, shape.channels});
    std::vector<std::int32_t> all_selected;
    if (shape.top_k > 0)
        all_selected =
            file.read<std::int32_t>(group + "/selected", {shape.windows, shape.channels, shape.top_k});
    v.top_k = shape.top_k;
    const auto k = static_cast<std::size_t>(shape.top_k), m = static_cast<std::size_t>(shape.channels);
    v.start.clear();
    for (const auto window : v.windows) {
        if (window < 0 || window >= shape.windows)
            throw input_error(file.path().string() + ":/embedding/" + v.split,
                              "there is no window " + std::to_string(window),
                              "numbers below " + std::to_string(shape.windows));
        v.start.push_back(all_start[static_cast<std::size_t>(window)]);
        for (const auto channel : v.channels) {
            if (channel < 0 || channel >= shape.channels)
                throw input_error(file.path().string() + ":/embedding/" + v.split,
                                  "there is no channel " + std::to_string(channel),
                                  "numbers below " + std::to_string(shape.channels));
            const auto at = static_cast<std::size_t>(window) * m + static_cast<std::size_t>(channel);
            v.mse.push_back(all_mse[at]);
            v.mae.push_back(all_mae[at]);
            if (k > 0)
                v.selected.insert(v.selected.end(),
                                  all_selected.begin() + static_cast<std::ptrdiff_t>(at * k),
                                  all_selected.begin() + static_cast<std::ptrdiff_t>((at + 1) * k));
        }
    }
}

}  // namespace

std::shared_ptr<const EmbeddingSet> read_embedding_set(const QString& run_folder, const QString& split,
                                                       const std::stop_token& stop) {
    const auto path = fs::path(run_folder.toStdString()) / "arrays.h5";
    std::error_code problem;
    if (!fs::exists(path, problem) && !problem) return nullptr;
    const auto name = split.toStdString();
    const auto file = store::Hdf5File::open(path);
    if (!file.exists("/embedding/" + name)) return nullptr;
    const auto group_of = [&](const std::string& at) { return "/embedding/" + name + "/" + at; };
    std::string at = "best";
    // Sets of the best weights that were stored before the run was finished stand under their step.
    if (const store::RunFolder run(run_folder.toStdString());
        !file.exists(group_of(at)) && fs::exists(run.run_file()))
        at = std::to_string(store::read_run_file(run.run_file()).attributes.best_step);
    const auto group = group_of(at);
    if (!file.exists(group + "/series")) return nullptr;
    auto arrays = store::read_embedding(path, name, at);
    auto set = std::make_shared<EmbeddingSet>();
    set->folder = run_folder;
    set->stored = true;
    auto& v = set->values;
    v.split = name;
    v.weights = "best";
    v.step = -1;
    v.dimension = arrays.dimension;
    v.anchors = std::move(arrays.anchors);
    v.series = std::move(arrays.series);
    v.prompt = std::move(arrays.prompt);
    if (v.dimension <= 0 || v.series.empty()) return nullptr;
    v.pool_size = static_cast<std::int64_t>(v.anchors.size()) / v.dimension;
    v.windows = std::move(arrays.windows);
    v.start = std::move(arrays.start);
    v.channels = std::move(arrays.channels);
    v.patches = std::max<std::int64_t>(1, arrays.patches);
    v.prefix_only = arrays.prefix_only;
    const auto rows = static_cast<std::int64_t>(v.series.size()) / v.dimension / v.patches;

    const bool has_forecast = file.exists("/forecast/" + name + "/mse");
    store::ForecastArrays shape;
    if (has_forecast) shape = store::read_forecast_shape(path, name);
    if (v.channels.empty())
        for (std::int64_t c = 0; c < shape.channels; ++c) v.channels.push_back(c);
    if (v.channels.empty())
        throw input_error(path.string() + ":" + group, "which channels its rows are is not stored", {},
                          "Compute the embeddings anew.");
    const auto m = static_cast<std::int64_t>(v.channels.size());
    if (v.windows.empty())
        for (std::int64_t w = 0; w < rows / m; ++w) v.windows.push_back(w);
    v.rows = static_cast<std::int64_t>(v.windows.size()) * m;
    if (v.rows == 0 || rows != v.rows)
        throw input_error(path.string() + ":" + group + "/series", std::to_string(rows) + " rows",
                          std::to_string(v.rows) + " (windows × channels)", "Compute the embeddings anew.");
    v.windows_total = has_forecast ? shape.windows : static_cast<std::int64_t>(v.windows.size());
    v.channels_total = has_forecast ? shape.channels : m;
    if (has_forecast) add_forecast(v, file, shape);
    if (stop.stop_requested()) throw Cancelled();
    if (file.exists("/similarity/" + name + "/best")) {
        auto similarity = store::read_similarity(path, name);
        // Of other rows where it was stored with the run and the embeddings later.
        if (similarity.pool_size == v.pool_size &&
            static_cast<std::int64_t>(similarity.values.size()) == v.rows * v.pool_size)
            v.similarity = std::move(similarity.values);
    }
    if (!v.selected.empty()) {
        v.usage.assign(static_cast<std::size_t>(v.pool_size), 0);
        for (const auto anchor : v.selected)
            if (anchor >= 0 && anchor < v.pool_size) ++v.usage[static_cast<std::size_t>(anchor)];
    }
    if (arrays.pca && arrays.pca->components >= 2) set->pca = std::move(*arrays.pca);
    if (arrays.tsne && arrays.tsne->components >= 2) set->tsne = std::move(*arrays.tsne);
    add_layout(*set, stop);
    return set;
}

std::shared_ptr<EmbeddingHost> EmbeddingHost::shared() {
    static std::weak_ptr<EmbeddingHost> known;
    auto host = known.lock();
    if (!host) known = host = std::make_shared<EmbeddingHost>();
    return host;
}

void EmbeddingHost::trim() {
    std::size_t sum = 0;
    for (const auto* work : works_) sum += work->bytes();
    for (auto it = works_.rbegin(); it != works_.rend() && sum > most_bytes_; ++it) {
        auto& work = **it;
        if (std::next(it) == works_.rend()) return;                    // who asked last
        if (work.bytes() == 0 || work.set_.use_count() > 1) continue;  // a view shows it: nothing to gain
        if (work.since_asked_.elapsed() < idle_ms_) return;            // so all the others
        sum -= work.bytes();
        work.set_ = nullptr;
        work.read_split_.clear();
        work.changed_(false);
    }
}

EmbeddingWork::EmbeddingWork(QString run_folder, std::shared_ptr<EmbeddingHost> host,
                             std::function<void(bool)> changed)
    : folder_(std::move(run_folder)),
      host_(std::move(host)),
      place_(host_->works_.insert(host_->works_.end(), this)),
      changed_(std::move(changed)) {
    since_asked_.start();
}

EmbeddingWork::~EmbeddingWork() {
    stop_.request_stop();
    host_->works_.erase(place_);
}

std::shared_ptr<const EmbeddingSet> EmbeddingWork::set() {
    since_asked_.start();
    host_->works_.splice(host_->works_.begin(), host_->works_, place_);
    return set_;
}

void EmbeddingWork::begin(EmbeddingStatus::Phase phase, const QString& stage,
                          std::function<Outcome(const ProgressFn&, const std::stop_token&)> work) {
    status_ = {};
    reading_ = phase == EmbeddingStatus::Phase::reading;
    status_.phase = reading_ ? phase : EmbeddingStatus::Phase::waiting;
    status_.stage = QStringLiteral("waiting for other work");
    stop_ = {};
    const auto started = [this, phase, stage] {
        status_.phase = phase;
        status_.stage = stage;
        since_begin_.start();
        changed_(false);
    };
    const auto told = [this](const Progress& p) {
        if (!status_.is_busy()) return;
        // Each stage has a pace of its own.
        if (const auto now = QString::fromStdString(p.stage); now != status_.stage) {
            status_.stage = now;
            since_begin_.start();
        }
        status_.share = p.total > 0 ? static_cast<double>(p.done) / static_cast<double>(p.total) : -1;
        const double seconds = static_cast<double>(since_begin_.elapsed()) / 1000;
        status_.seconds_left =
            status_.share > 0.02 && seconds > 1 ? seconds * (1 - status_.share) / status_.share : -1;
        changed_(true);
    };
    inbox_.run(
        host_->pool_,
        [link = inbox_.link(), stop = stop_.get_token(), work = std::move(work), started, told] {
            Outcome outcome;
            link->post(started);
            auto last = Clock::time_point{};
            std::string told_stage;
            const auto progress = [&](const Progress& p) {
                const auto now = Clock::now();
                if (p.stage == told_stage && now - last < between_reports) return;
                told_stage = p.stage;
                last = now;
                link->post([told, p] { told(p); });
            };
            try {
                if (stop.stop_requested()) throw Cancelled();
                outcome = work(progress, stop);
            } catch (const Cancelled&) {
                outcome.cancelled = true;
            } catch (const std::exception& failure) {
                outcome.problem = QString::fromStdString(train::plain_message(failure));
            }
            return outcome;
        },
        [this](Outcome outcome) { end(std::move(outcome)); });
    changed_(false);
}

void EmbeddingWork::end(Outcome outcome) {
    status_ = {};
    status_.problem = outcome.problem;
    if (outcome.set) {
        set_ = std::move(outcome.set);
        since_asked_.start();
    }
    host_->trim();
    if (next_) {
        auto request = std::move(*std::exchange(next_, std::nullopt));
        (void)compute(std::move(request));
        return;
    }
    changed_(false);
}

void EmbeddingWork::read_stored(const QString& split) {
    if (status_.is_busy() || read_split_ == split) return;
    if (set_ && !set_->live && set_->values.split == split.toStdString()) return;
    read_split_ = split;
    begin(EmbeddingStatus::Phase::reading, QStringLiteral("reading stored embeddings"),
          [folder = folder_, split](const ProgressFn&, const std::stop_token& stop) {
              return Outcome{read_embedding_set(folder, split, stop), {}, false};
          });
}

bool EmbeddingWork::compute(train::EmbeddingRequest request) {
    if (status_.is_busy()) {
        if (!reading_) return false;
        next_ = std::move(request);
        return true;
    }
    request.run = folder_.toStdString();
    begin(EmbeddingStatus::Phase::computing, QStringLiteral("reading the weights"),
          [folder = folder_, request = std::move(request)](const ProgressFn& progress,
                                                           const std::stop_token& stop) {
              auto set = std::make_shared<EmbeddingSet>();
              set->folder = folder;
              set->values = train::compute_embeddings(request, progress, stop);
              add_layout(*set, stop, progress);
              return Outcome{std::move(set), {}, false};
          });
    return true;
}

void EmbeddingWork::cancel() {
    next_.reset();
    stop_.request_stop();
}

void EmbeddingWork::store() {
    if (status_.is_busy() || !set_ || set_->live) return;
    begin(EmbeddingStatus::Phase::storing, QStringLiteral("storing in the run"),
          [folder = folder_, set = set_](const ProgressFn&, const std::stop_token&) {
              train::store_embeddings(folder.toStdString(), set->values);
              if (!set->pca.points.empty())
                  train::store_layout(folder.toStdString(), set->values, "pca", set->pca);
              auto kept = std::make_shared<EmbeddingSet>(*set);
              kept->stored = true;
              return Outcome{std::move(kept), {}, false};
          });
}

void EmbeddingWork::store_layout(const QString& name, const store::EmbeddingLayout& layout) {
    if (status_.is_busy() || !set_ || set_->live) return;
    begin(EmbeddingStatus::Phase::storing, QStringLiteral("storing the layout in the run"),
          [folder = folder_, set = set_, name = name.toStdString(), layout](const ProgressFn&,
                                                                            const std::stop_token&) {
              train::store_layout(folder.toStdString(), set->values, name, layout);
              return Outcome{};
          });
}

void EmbeddingWork::forget() {
    read_split_.clear();
    stop_.request_stop();
    set_ = nullptr;
}

}  // namespace casp::widgets
