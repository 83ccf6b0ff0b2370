#include "gui/run_queue.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <QThreadPool>
#include <QTimer>

#include "config/experiment.h"
#include "gui/run_worker.h"
#include "run/preparation.h"
#include "state/background.h"
#include "state/core_message.h"
#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::gui {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds shortest_interval{50};

namespace fs = std::filesystem;

/// Files of a queued run.
constexpr std::array<std::string_view, 5> waiting_files{"config.toml", "run.json", "marks.json", "log.txt",
                                                        ".lock"};

bool is_waiting_file(const std::string& name) {
    return name.ends_with(".tmp") ||
           std::find(waiting_files.begin(), waiting_files.end(), name) != waiting_files.end();
}

void check_no_strangers(const fs::path& folder) {
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder, problem)) {
        const auto name = entry.path().filename().string();
        if (!is_waiting_file(name))
            throw input_error(folder.string(), "the folder contains other files (such as " + name + ")",
                              "an empty or a new folder", "Choose another name for the run.");
    }
}

/// Whether there is a checkpoint or a history, which must never be removed with a queue entry.
bool holds_work(const store::RunFolder& folder) {
    std::error_code problem;
    return store::current_checkpoint(folder).has_value() || fs::exists(folder.run_file(), problem);
}

/// Whether a run with other settings is queued there. One with the same settings may be from an earlier
/// session of this window.
bool waits_for_others(const run::RunRequest& request) {
    // A batch marks its runs before it writes their settings; such a run also counts as different.
    return store::read_run_status(store::RunFolder(request.folder)) &&
           !run::same_settings(request.folder, request.config);
}

void check_content(const run::RunRequest& request) {
    const auto where = request.folder.string();
    if (const auto holder = store::RunLock::holder(store::RunFolder(request.folder)))
        throw input_error(where, "this run is being written by " + *holder, {},
                          "Wait until it ends, stop it, or choose another name.");
    switch (run::folder_content(request.folder)) {
        case run::FolderContent::complete:
            throw input_error(where, "the folder contains a finished run", {},
                              "Choose another name, or move that run to the wastebasket first.");
        case run::FolderContent::resumable:
        case run::FolderContent::started:
            if (!request.resume)
                throw input_error(where, "the folder contains an unfinished run", {},
                                  "Resume that run, or choose another name.");
            return;
        case run::FolderContent::empty:
            check_no_strangers(request.folder);
            if (!request.resume && waits_for_others(request))
                throw input_error(where, "the folder is queued by another window or batch", {},
                                  "Choose another name.");
    }
}

/// State of the folder before the run was queued.
struct QueuedFolder {
    std::optional<store::RunStatus> before;  ///< of a run to be resumed
};

/// Writes config.toml and a run.json with state "queued" to request.folder, which is created if necessary.
/// Throws an input Error and writes nothing if the folder contains a finished run, an unfinished one without
/// request.resume, other files, or a run of another process.
QueuedFolder queue_in_folder(const run::RunRequest& request) {
    check_content(request);
    const store::RunFolder folder(request.folder);
    QueuedFolder queued;
    queued.before = store::read_run_status(folder);
    if (queued.before && queued.before->row.state == store::RunState::queued) {
        // It was queued, perhaps to be resumed, when the window was closed; keep its progress.
        if (holds_work(folder))
            queued.before->row.state = store::RunState::interrupted;
        else
            queued.before.reset();
    }
    folder.create();
    // A resumed run keeps its settings until run::run has compared them.
    if (!queued.before) store::write_file_atomically(folder.config(), config::to_toml(request.config));
    auto row = queued.before ? queued.before->row
                             : run::queued_row({request.config, request.folder, request.name, request.swept});
    row.state = store::RunState::queued;
    store::write_run_status(folder, {row, {}, {}});
    return queued;
}

/// Undoes queue_in_folder: removes the folder of a run that never started, restores the state of a run to be
/// resumed. Never throws.
void take_from_folder(const run::RunRequest& request, const QueuedFolder& queued) noexcept {
    try {
        const store::RunFolder folder(request.folder);
        const auto now = store::read_run_status(folder);
        if (!now || now->row.state != store::RunState::queued || store::RunLock::holder(folder)) return;
        if (queued.before) return store::write_run_status(folder, *queued.before);
        if (holds_work(folder)) return;
        std::error_code problem;
        for (const auto name : waiting_files) fs::remove(folder.path() / name, problem);
        fs::remove(folder.path(), problem);                // only if it is empty
        fs::remove(folder.path().parent_path(), problem);  // likewise
    } catch (const std::exception&) {
        // The run stays in the list as queued; nothing is lost.
    }
}

QString folder_text(const run::RunRequest& request) {
    return QString::fromStdString(request.folder.string());
}

QueueState state_of(store::RunState state) {
    if (store::is_complete(state)) return QueueState::done;
    if (state == store::RunState::cancelled) return QueueState::cancelled;
    return state == store::RunState::failed ? QueueState::failed : QueueState::interrupted;
}

/// Where a run may be made.
struct RunPlace {
    std::string key;     ///< one run at a time has it
    std::string device;  ///< for run.device
};

/// The entries of run.devices, a repeated one as often as it is there; without them, run.device.
std::vector<RunPlace> places_for(const config::Config& config) {
    const auto& settings = config.run;
    if (settings.devices.empty()) return {{run::device_key(settings.device), settings.device}};
    std::vector<RunPlace> places;
    std::map<std::string, int> used;
    for (const auto& device : settings.devices) {
        auto key = run::device_key(device);
        if (const int number = ++used[key]; number > 1) key.append("/").append(std::to_string(number));
        places.push_back({key, device});
    }
    return places;
}

/// Calls all functions even if one throws (as slots may), then rethrows the first exception.
template <class... Steps>
void do_all(Steps... steps) {
    std::exception_ptr first;
    const auto attempt = [&first](auto& step) {
        try {
            step();
        } catch (...) {
            if (!first) first = std::current_exception();
        }
    };
    (attempt(steps), ...);
    if (first) std::rethrow_exception(first);
}

}  // namespace

struct RunQueue::State {
    explicit State(RunQueue& queue) : q(queue) {}

    struct Active {
        std::shared_ptr<RunJob> job;
        std::string device;  ///< RunPlace::key
        Clock::time_point delivered{};
        std::size_t told = 0;  ///< messages of its log
        bool started = false;
        std::unique_ptr<QTimer> later;  ///< delivers events that came too soon after the last delivery
    };

    RunQueue& q;
    std::vector<QueueItem> items;
    std::map<int, QueuedFolder> folders;  ///< by item: for restoring the folder
    std::map<int, Active> active;         ///< by item
    /// By place, a thread that makes one run after another: LibTorch keeps threads for each that computes.
    std::map<std::string, std::unique_ptr<QThreadPool>> workers;
    std::set<std::string> lost;  ///< places whose device does not answer any more
    widgets::Inbox inbox;
    int last_id = 0;
    bool held = false, closing = false;

    [[nodiscard]] QueueItem* find(int id) {
        const auto found =
            std::find_if(items.begin(), items.end(), [id](const QueueItem& item) { return item.id == id; });
        return found == items.end() ? nullptr : &*found;
    }
    [[nodiscard]] Active* find_active(int id) {
        const auto found = active.find(id);
        return found == active.end() ? nullptr : &found->second;
    }
    [[nodiscard]] bool is_busy(const std::string& device) const {
        return lost.count(device) != 0 || std::any_of(active.begin(), active.end(), [&](const auto& entry) {
                   return entry.second.device == device;
               });
    }

    void check_not_queued(const run::RunRequest& request) const;
    void start_what_can();
    void start(QueueItem& item, const RunPlace& place);
    void on_news(int id);
    void deliver(int id);
    void report(Active& run);
    void finish(int id, const RunEnd& end);
    void after_cancel();
    void after_end();
    void interrupt_active();
};

void RunQueue::State::check_not_queued(const run::RunRequest& request) const {
    for (const auto& item : items)
        if (item.request.folder == request.folder &&
            (item.state == QueueState::waiting || active.count(item.id) > 0))
            throw input_error(request.folder.string(), "this run is already queued", {},
                              "Choose another name for the new run.");
}

void RunQueue::State::start_what_can() {
    if (held) return;
    for (auto& item : items) {
        if (item.state != QueueState::waiting) continue;
        const auto places = places_for(item.request.config);
        const auto place = std::find_if(places.begin(), places.end(),
                                        [this](const RunPlace& one) { return !is_busy(one.key); });
        if (place != places.end()) start(item, *place);
    }
}

void RunQueue::State::start(QueueItem& item, const RunPlace& place) {
    auto& worker = workers[place.key];
    if (!worker) {
        worker = std::make_unique<QThreadPool>();
        worker->setMaxThreadCount(1);
        worker->setExpiryTimeout(-1);
    }
    const int id = item.id;
    auto request = item.request;
    request.config.run.device = place.device;
    // The link outlives the queue; posts after the queue's end are dropped.
    auto wake = [this, id, link = inbox.link()] { link->post([this, id] { on_news(id); }); };
    auto job = std::make_shared<RunJob>(std::move(request), std::move(wake));
    auto later = std::make_unique<QTimer>();
    later->setSingleShot(true);
    later->setTimerType(Qt::PreciseTimer);
    QObject::connect(later.get(), &QTimer::timeout, &inbox, [this, id] { deliver(id); });
    if (item.finish_early) job->stop.ask(train::StopRequest::finish_early);
    auto& run = active[id];
    run.job = job;
    run.device = place.key;
    run.later = std::move(later);
    item.state = item.finish_early ? QueueState::stopping : QueueState::running;
    item.message.clear();
    worker->start([job = std::move(job)] { perform(*job); });
}

void RunQueue::State::on_news(int id) {
    auto* run = find_active(id);
    if (run == nullptr) return;
    const auto since = Clock::now() - run->delivered;
    if (since >= shortest_interval) return deliver(id);
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(shortest_interval - since);
    run->later->start(wait);
}

void RunQueue::State::deliver(int id) {
    auto* run = find_active(id);
    if (run == nullptr) return;
    run->delivered = Clock::now();
    const auto job = run->job;
    job->woken = false;
    const bool ended = job->ended;
    // The end is delivered only once: if it were lost, the run would stay active and block its device's
    // queue.
    do_all([&] { report(*run); },
           [&] {
               if (ended) finish(id, job->end);
           });
}

void RunQueue::State::report(Active& run) {
    const auto job = run.job;  // a listener may end the run
    const auto folder = folder_text(job->request);
    const auto messages = job->log->messages(run.told);
    run.told += messages.size();
    const bool begins = !run.started && job->log->now().started;
    run.started = run.started || begins;
    for (const auto& [level, text] : messages)
        Q_EMIT q.run_message(folder, level == train::MessageLevel::warning,
                             widgets::translated_message(text));
    // Listeners to the beginning read what the first ones have taken from the log.
    Q_EMIT q.run_grew(folder, job->log);
    if (begins) Q_EMIT q.run_started(folder);
}

void RunQueue::State::finish(int id, const RunEnd& end) {
    active[id].later.release()->deleteLater();  // it may be the caller
    if (end.device_lost) lost.insert(active[id].device);
    active.erase(id);
    auto* item = find(id);
    if (item == nullptr) return;
    item->state = state_of(end.row.state);
    // Stopped before its first step because the window closes: its run.json still has state "queued".
    if (end.row.state == store::RunState::queued) item->state = QueueState::interrupted;
    item->message = widgets::translated_message(end.message);
    const auto message = item->message;  // the item may move
    const auto folder = folder_text(item->request);
    do_all([&] { start_what_can(); }, [&] { Q_EMIT q.changed(); },
           [&] {
               if (end.row.state == store::RunState::failed)
                   Q_EMIT q.run_failed(folder, message);
               else
                   Q_EMIT q.run_finished(folder, end.row);
           },
           [&] { after_end(); });
}

void RunQueue::State::after_cancel() {
    Q_EMIT q.changed();
    after_end();
}

void RunQueue::State::after_end() {
    if (!active.empty()) return;
    if (closing) {
        closing = false;
        Q_EMIT q.finished();
    }
    const bool waits = std::any_of(items.begin(), items.end(),
                                   [](const QueueItem& item) { return item.state == QueueState::waiting; });
    if (!waits) Q_EMIT q.idle();
}

void RunQueue::State::interrupt_active() {
    for (auto& [id, run] : active) {
        // Cancelled runs stay cancelled: they are not offered again.
        if (run.job->stop.request() != train::StopRequest::cancel)
            run.job->stop.ask(train::StopRequest::interrupt);
        run.job->stop.pause(false);
        if (auto* item = find(id)) item->state = QueueState::stopping;
    }
}

RunQueue::RunQueue(QObject* parent) : QObject(parent), state_(std::make_unique<State>(*this)) {}

RunQueue::~RunQueue() {
    state_->interrupt_active();
    state_->workers.clear();  // joins
}

int RunQueue::add(const run::RunRequest& request, bool finish_early) {
    QueueItem item;
    item.finish_early = finish_early;
    item.request = request;
    item.request.folder = std::filesystem::absolute(request.folder).lexically_normal();
    state_->check_not_queued(item.request);
    auto folder = queue_in_folder(item.request);
    item.id = ++state_->last_id;
    const int id = item.id;
    const auto path = folder_text(item.request);
    state_->folders[id] = std::move(folder);
    state_->items.push_back(std::move(item));
    Q_EMIT run_added(path);
    state_->start_what_can();
    Q_EMIT changed();
    return id;
}

const std::vector<QueueItem>& RunQueue::items() const { return state_->items; }

void RunQueue::remove(int id) {
    auto& items = state_->items;
    const auto found =
        std::find_if(items.begin(), items.end(), [id](const auto& item) { return item.id == id; });
    if (found == items.end() || state_->active.count(id) > 0) return;
    const bool waited = found->state == QueueState::waiting;
    if (waited) take_from_folder(found->request, state_->folders[id]);
    state_->folders.erase(id);
    items.erase(found);
    Q_EMIT changed();
    if (waited) state_->after_end();
}

void RunQueue::move(int id, int position) {
    auto& items = state_->items;
    // Only the order of the waiting items changes; their positions in the list stay.
    std::vector<std::size_t> places;
    std::size_t from = 0;
    bool found = false;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].state != QueueState::waiting) continue;
        if (items[i].id == id) {
            from = places.size();
            found = true;
        }
        places.push_back(i);
    }
    if (!found) return;
    const auto to = static_cast<std::size_t>(std::clamp(position, 0, static_cast<int>(places.size()) - 1));
    for (; from < to; ++from) std::swap(items[places[from]], items[places[from + 1]]);
    for (; from > to; --from) std::swap(items[places[from]], items[places[from - 1]]);
    Q_EMIT changed();
}

void RunQueue::retry(int id) {
    auto* item = state_->find(id);
    if (item == nullptr) return;
    const auto was = item->state;
    if (was != QueueState::failed && was != QueueState::cancelled && was != QueueState::interrupted) return;
    state_->check_not_queued(item->request);
    item->request.resume = true;
    state_->folders[id] = queue_in_folder(item->request);
    item->state = QueueState::waiting;
    item->message.clear();
    // After the waiting items.
    std::rotate(state_->items.begin() + (item - state_->items.data()),
                state_->items.begin() + (item - state_->items.data()) + 1, state_->items.end());
    Q_EMIT run_added(folder_text(state_->items.back().request));
    state_->start_what_can();
    Q_EMIT changed();
}

void RunQueue::hold(bool on) {
    if (state_->held == on) return;
    state_->held = on;
    state_->start_what_can();
    Q_EMIT changed();
}

bool RunQueue::is_held() const { return state_->held; }

void RunQueue::pause(int id, bool on) {
    auto* item = state_->find(id);
    auto* run = state_->find_active(id);
    if (item == nullptr || run == nullptr || item->state == QueueState::stopping) return;
    run->job->stop.pause(on);
    item->state = on ? QueueState::paused : QueueState::running;
    Q_EMIT changed();
}

void RunQueue::finish_early(int id) {
    auto* run = state_->find_active(id);
    if (run == nullptr) return;
    run->job->stop.ask(train::StopRequest::finish_early);
    run->job->stop.pause(false);
    auto* item = state_->find(id);
    item->state = QueueState::stopping;
    item->finish_early = true;
    Q_EMIT changed();
}

void RunQueue::cancel(int id) {
    auto* item = state_->find(id);
    if (item == nullptr) return;
    auto* run = state_->find_active(id);
    if (run == nullptr && item->state != QueueState::waiting) return;
    if (run != nullptr) {
        run->job->stop.ask(train::StopRequest::cancel);
        run->job->stop.pause(false);
        item->state = QueueState::stopping;
        // An interrupt takes precedence: the run then still finishes early when it resumes.
        if (run->job->stop.request() == train::StopRequest::cancel) item->finish_early = false;
    } else {
        take_from_folder(item->request, state_->folders[id]);
        item->state = QueueState::cancelled;
    }
    state_->after_cancel();
}

bool RunQueue::can_cancel(int id) const {
    const auto* run = state_->find_active(id);
    return run != nullptr && !run->job->stop.must_stop();
}

bool RunQueue::is_running() const { return !state_->active.empty(); }

void RunQueue::interrupt_all() {
    state_->held = true;
    state_->closing = true;
    state_->interrupt_active();
    Q_EMIT changed();
    // finished() is emitted from the event loop even if no run is active.
    if (state_->active.empty()) state_->inbox.link()->post([state = state_.get()] { state->after_end(); });
}

}  // namespace casp::gui
