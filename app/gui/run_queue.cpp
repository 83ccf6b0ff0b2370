#include "gui/run_queue.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <utility>

#include <QTimer>

#include "evidence/batch_tables.h"
#include "run/preparation.h"
#include "store/run_store.h"
#include "train/run_log.h"
#include "train/stop.h"
#include "util/error.h"
#include "util/out_of_memory.h"
#include "util/threads.h"
#include "words/core_text.h"

namespace casp::gui {

using Clock = std::chrono::steady_clock;

/// How a run ended.
struct RunEnd {
    store::ResultRow row;      ///< its state; for `failed` see message
    Phrase message;            ///< why it failed
    bool device_lost = false;  ///< its device does not answer any more
};

/// A run that is being made, shared with its thread.
struct RunJob {
    /// `wake` is called from that thread when there is something to deliver for the first time since `woken`
    /// was cleared.
    RunJob(run::RunRequest wanted, std::string where, std::function<void()> wake)
        : request(std::move(wanted)), place(std::move(where)), notify([this, wake = std::move(wake)] {
              if (!woken.exchange(true)) wake();
          }) {}
    const run::RunRequest request;
    const std::string place;  ///< RunPlace::key
    train::StopControl stop;
    std::atomic<bool> woken{false};
    std::atomic<bool> ended{false};  ///< `end` is written, and nothing follows
    RunEnd end;
    const std::function<void()> notify;
    const std::shared_ptr<train::RunLog> log = std::make_shared<train::RunLog>(notify);

    // The GUI thread's.
    Clock::time_point delivered{};       ///< events, last
    std::size_t delivered_messages = 0;  ///< of the log
    bool started = false;
};

namespace {

constexpr std::chrono::milliseconds shortest_interval{50};

namespace fs = std::filesystem;

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

/// The end of a run that was stopped before it started.
store::ResultRow stopped_row(const RunJob& job) {
    auto row = run::queued_row(job.request);
    try {
        const store::RunFolder folder(job.request.folder);
        if (const auto before = store::read_run_status(folder)) row = before->row;
        // An interrupted run stays queued: it is offered again at the next start of the window.
        if (job.stop.request() != train::StopRequest::cancel) return row;
        row.state = store::RunState::cancelled;
        store::write_run_status(folder, {row, {}, {}});
    } catch (const std::exception&) {
        // The state in memory is correct in any case.
    }
    row.state = store::RunState::cancelled;
    return row;
}

/// Writes results.csv and the other tables of the run's experiment, its runs in the order of their creation.
void write_tables(const fs::path& experiment) {
    std::vector<std::string> names;
    for (const auto& run : store::runs_in(experiment)) names.push_back(run.name);
    evidence::write_batch_tables(experiment, store::collect_rows(experiment, names));
}

RunEnd run_it(RunJob& job) {
    try {
        return {run::run(job.request, *job.log, job.stop), {}};
    } catch (const Cancelled&) {
        return {stopped_row(job), {}};
    } catch (const std::exception& problem) {
        auto message = casp::plain_message(problem);
        run::mark_failed(job.request, message);
        auto row = run::queued_row(job.request);
        row.state = store::RunState::failed;
        const auto* known = dynamic_cast<const Error*>(&problem);
        if (known != nullptr && known->kind() == ErrorKind::input)
            return {std::move(row), std::move(message)};
        const auto lost = run::silent_device(job.request.config.run.device);
        if (!lost.empty())
            message = in_turn(message,
                              Phrase("Its device does not answer any more (%1): other runs are not started "
                                     "on it until the program is started again.",
                                     lost));
        return {std::move(row), std::move(message), !lost.empty()};
    }
}

/// Runs the job on the calling thread, with lower priority than the window from then on: run::run, then
/// run.json if that did not write it, then the tables of the experiment. Always sets `ended` last. Never
/// throws.
void perform(RunJob& job) {
    work_in_background();  // before the first tensor, so that LibTorch's threads inherit it
    job.end = run_it(job);
    try {
        write_tables(job.request.folder.parent_path());
    } catch (const std::exception& problem) {
        job.log->on_message(
            train::MessageLevel::warning,
            Phrase("the tables of the experiment could not be written: %1", phrase_of(problem)));
    }
    job.ended = true;
    job.notify();
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

void RunQueue::check_not_queued(const run::RunRequest& request) const {
    for (const auto& item : items_)
        if (item.request.folder == request.folder && (item.state == QueueState::waiting || item.job))
            throw input_error(request.folder.string(), "this run is already queued", {},
                              "Choose another name for the new run.");
}

QueueItem* RunQueue::find(int id) {
    const auto found =
        std::find_if(items_.begin(), items_.end(), [id](const QueueItem& item) { return item.id == id; });
    return found == items_.end() ? nullptr : &*found;
}

bool RunQueue::is_running() const {
    return std::any_of(items_.begin(), items_.end(),
                       [](const QueueItem& item) { return item.job != nullptr; });
}

bool RunQueue::is_busy(const std::string& place) const {
    return lost_.contains(place) || std::any_of(items_.begin(), items_.end(), [&](const QueueItem& item) {
               return item.job && item.job->place == place;
           });
}

void RunQueue::start_what_can() {
    if (held_) return;
    for (auto& item : items_) {
        if (item.state != QueueState::waiting) continue;
        const auto places = places_for(item.request.config);
        const auto place = std::find_if(places.begin(), places.end(),
                                        [this](const RunPlace& one) { return !is_busy(one.key); });
        if (place != places.end()) start(item, place->key, place->device);
    }
}

void RunQueue::start(QueueItem& item, const std::string& place, const std::string& device) {
    auto request = item.request;
    request.config.run.device = device;
    // The link outlives the queue; posts after the queue's end are dropped.
    auto wake = [this, id = item.id, link = inbox_.link()] { link->post([this, id] { on_news(id); }); };
    item.job = std::make_shared<RunJob>(std::move(request), place, std::move(wake));
    if (item.finish_early) item.job->stop.ask(train::StopRequest::finish_early);
    item.state = item.finish_early ? QueueState::stopping : QueueState::running;
    item.message.clear();
    workers_.try_emplace(place, 1).first->second.start([job = item.job] { perform(*job); });
}

/// Once for each delivery.
void RunQueue::on_news(int id) {
    const auto* item = find(id);
    if (item == nullptr || !item->job) return;
    const auto since = Clock::now() - item->job->delivered;
    if (since >= shortest_interval) return deliver(id);
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(shortest_interval - since);
    QTimer::singleShot(wait, Qt::PreciseTimer, this, [this, id] { deliver(id); });
}

void RunQueue::deliver(int id) {
    const auto* item = find(id);
    if (item == nullptr || !item->job) return;
    const auto job = item->job;
    job->delivered = Clock::now();
    job->woken = false;
    const bool ended = job->ended;
    // The end is delivered only once: if it were lost, the run would stay active and block its device's
    // queue.
    do_all([&] { report(*job); },
           [&] {
               if (ended) finish(id, job->end);
           });
}

void RunQueue::report(RunJob& job) {
    const auto folder = QString::fromStdString(job.request.folder.string());
    const auto messages = job.log->messages(job.delivered_messages);
    job.delivered_messages += messages.size();
    const bool begins = !job.started && job.log->now().started;
    job.started = job.started || begins;
    for (const auto& [level, text] : messages)
        Q_EMIT run_message(folder, level == train::MessageLevel::warning, widgets::translated(text));
    Q_EMIT run_grew(folder, job.log);
    if (begins) Q_EMIT run_started(folder);
}

void RunQueue::finish(int id, const RunEnd& end) {
    auto* item = find(id);
    if (end.device_lost) lost_.insert(item->job->place);
    item->job.reset();
    item->state = state_of(end.row.state);
    // Stopped before its first step because the window closes: its run.json still has state "queued".
    if (end.row.state == store::RunState::queued) item->state = QueueState::interrupted;
    item->message = widgets::translated(end.message);
    const auto message = item->message;  // the item may move
    const auto folder = item->folder();
    do_all([&] { start_what_can(); }, [&] { Q_EMIT changed(); },
           [&] {
               if (end.row.state == store::RunState::failed)
                   Q_EMIT run_failed(folder, message);
               else
                   Q_EMIT run_finished(folder, end.row);
           },
           [&] { after_end(); });
}

void RunQueue::after_end() {
    if (is_running()) return;
    if (closing_) {
        closing_ = false;
        Q_EMIT finished();
    }
    const bool waits = std::any_of(items_.begin(), items_.end(),
                                   [](const QueueItem& item) { return item.state == QueueState::waiting; });
    if (!waits) Q_EMIT idle();
}

void RunQueue::interrupt_active() {
    for (auto& item : items_) {
        if (!item.job) continue;
        // Cancelled runs stay cancelled: they are not offered again.
        if (item.job->stop.request() != train::StopRequest::cancel)
            item.job->stop.ask(train::StopRequest::interrupt);
        item.job->stop.pause(false);
        item.state = QueueState::stopping;
    }
}

RunQueue::RunQueue(QObject* parent) : QObject(parent) {}

RunQueue::~RunQueue() {
    interrupt_active();
    workers_.clear();  // joins
}

int RunQueue::add(const run::RunRequest& request, bool finish_early) {
    QueueItem item;
    item.finish_early = finish_early;
    item.request = request;
    item.request.folder = std::filesystem::absolute(request.folder).lexically_normal();
    check_not_queued(item.request);
    item.before = run::queue_in_folder(item.request, request.resume);
    const int id = item.id = ++last_id_;
    const auto folder = item.folder();
    items_.push_back(std::move(item));
    Q_EMIT run_added(folder);
    start_what_can();
    Q_EMIT changed();
    return id;
}

void RunQueue::remove(int id) {
    const auto* item = find(id);
    if (item == nullptr || item->job) return;
    const bool waited = item->state == QueueState::waiting;
    if (waited) run::take_from_folder(item->request, item->before);
    items_.erase(items_.begin() + (item - items_.data()));
    Q_EMIT changed();
    if (waited) after_end();
}

void RunQueue::move(int id, int position) {
    // Only the order of the waiting items changes; their positions in the list stay.
    std::vector<std::size_t> places;
    std::size_t from = 0;
    bool found = false;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (items_[i].state != QueueState::waiting) continue;
        if (items_[i].id == id) {
            from = places.size();
            found = true;
        }
        places.push_back(i);
    }
    if (!found) return;
    const auto to = static_cast<std::size_t>(std::clamp(position, 0, static_cast<int>(places.size()) - 1));
    for (; from < to; ++from) std::swap(items_[places[from]], items_[places[from + 1]]);
    for (; from > to; --from) std::swap(items_[places[from]], items_[places[from - 1]]);
    Q_EMIT changed();
}

void RunQueue::retry(int id) {
    auto* item = find(id);
    if (item == nullptr) return;
    const auto was = item->state;
    if (was != QueueState::failed && was != QueueState::cancelled && was != QueueState::interrupted) return;
    check_not_queued(item->request);
    item->request.resume = true;
    item->before = run::queue_in_folder(item->request, true);
    item->state = QueueState::waiting;
    item->message.clear();
    // After the waiting items.
    const auto place = items_.begin() + (item - items_.data());
    std::rotate(place, place + 1, items_.end());
    Q_EMIT run_added(items_.back().folder());
    start_what_can();
    Q_EMIT changed();
}

void RunQueue::hold(bool on) {
    if (held_ == on) return;
    held_ = on;
    start_what_can();
    Q_EMIT changed();
}

void RunQueue::pause(int id, bool on) {
    auto* item = find(id);
    if (item == nullptr || !item->job || item->state == QueueState::stopping) return;
    item->job->stop.pause(on);
    item->state = on ? QueueState::paused : QueueState::running;
    Q_EMIT changed();
}

void RunQueue::finish_early(int id) {
    auto* item = find(id);
    if (item == nullptr || !item->job) return;
    item->job->stop.ask(train::StopRequest::finish_early);
    item->job->stop.pause(false);
    item->state = QueueState::stopping;
    item->finish_early = true;
    Q_EMIT changed();
}

void RunQueue::cancel(int id) {
    auto* item = find(id);
    if (item == nullptr || (!item->job && item->state != QueueState::waiting)) return;
    if (item->job) {
        auto& stop = item->job->stop;
        stop.ask(train::StopRequest::cancel);
        stop.pause(false);
        item->state = QueueState::stopping;
        // An interrupt takes precedence: the run then still finishes early when it resumes.
        if (stop.request() == train::StopRequest::cancel) item->finish_early = false;
    } else {
        run::take_from_folder(item->request, item->before);
        item->state = QueueState::cancelled;
    }
    Q_EMIT changed();
    after_end();
}

bool RunQueue::can_cancel(int id) const {
    return std::any_of(items_.begin(), items_.end(), [id](const QueueItem& item) {
        return item.id == id && item.job && !item.job->stop.must_stop();
    });
}

void RunQueue::interrupt_all() {
    held_ = true;
    closing_ = true;
    interrupt_active();
    Q_EMIT changed();
    // finished() is emitted from the event loop even if no run is active.
    if (!is_running()) inbox_.link()->post([this] { after_end(); });
}

}  // namespace casp::gui
