#include "remote/mirror.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <list>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "remote/connection.h"
#include "remote/mirrored_files.h"
#include "util/error.h"
#include "util/phrase_json.h"
#include "util/whole_path.h"

namespace casp::remote {

namespace {

using nlohmann::json;

constexpr double first_retry_seconds = 0.5, longest_retry_seconds = 30;

/// Letters and digits that no other request has.
std::string new_key() {
    std::random_device random;
    std::string key;
    for (int i = 0; i < 20; ++i) key += static_cast<char>('a' + random() % 26);
    return key;
}

std::function<void(const json&)> problem_only(Mirror::Done done) {
    return [done = std::move(done)](const json& header) {
        if (done) done(kept_phrase(header, header.value("error", std::string())));
    };
}

template <class Names>
bool among(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_copied_by_itself(const std::string& name) { return among(followed_files, name); }
bool is_watched(const std::string& name) { return is_copied_by_itself(name) || among(requested_files, name); }

}  // namespace

/// The mirror's thread and what it owns. Members without remark: of that thread.
class Mirror::Work {
public:
    Work(Address address, const std::filesystem::path& folder, Events events)
        : address_(std::move(address)),
          events_(std::move(events)),
          wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
          files_(folder),
          fetches_(files_, fetch_events()),
          thread_([this](const std::stop_token& stop) { run(stop); }) {}
    ~Work() {
        thread_.request_stop();
        wake_up();
        thread_.join();
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    /// Runs something on the mirror's thread. Any thread.
    void post(std::function<void()> task) {
        {
            const std::lock_guard lock(mutex_);
            tasks_.push_back(std::move(task));
        }
        wake_up();
    }
    [[nodiscard]] MirroredFile state_of(const Fetches::File& file) const {
        const std::lock_guard lock(mutex_);
        const auto at = states_.find(file);
        return at == states_.end() ? MirroredFile() : at->second;
    }
    [[nodiscard]] const Address& address() const { return address_; }
    [[nodiscard]] const std::filesystem::path& folder() const { return files_.folder(); }

    void follow(std::vector<std::string> runs);
    void request(const Fetches::File& file);
    /// `answered` gets the answer's header.
    void order(json header, std::string body, std::function<void(const json&)> answered);
    void connect_now() { now_ = true; }

private:
    /// A request that must not be lost with a connection.
    struct Order {
        json header;
        std::string body;
        std::function<void(const json&)> answered;
    };

    void run(const std::stop_token& stop);
    /// One connection. Returns how it ended.
    Connection::End connect(const std::stop_token& stop);
    void wait(const Connection::End& end, const std::stop_token& stop);
    void wake_up() const { (void)!::write(wake_.get(), &one, sizeof one); }
    void run_tasks();
    void begin();
    void send(Order& order);
    void send_followed();
    void take(const Frame& frame);
    void take_runs(const Frame& frame);
    void take_files(const json& header);
    void review(const Fetches::File& file);
    void set_state(const Fetches::File& file, const MirroredFile& state);
    void report(MirrorStatus::State state, const Phrase& problem = {});
    Fetches::Events fetch_events();

    static constexpr std::uint64_t one = 1;
    const Address address_;
    const Events events_;
    const Descriptor wake_;
    mutable std::mutex mutex_;
    std::vector<std::function<void()>> tasks_;      ///< under the mutex
    std::map<Fetches::File, MirroredFile> states_;  ///< under the mutex
    MirroredFiles files_;
    Fetches fetches_;
    std::optional<Connection> connection_;
    bool begun_ = false;  ///< this connection is open
    bool now_ = false;
    double retry_seconds_ = first_retry_seconds;
    bool was_connected_ = false;
    MirrorStatus status_;
    std::set<std::string> followed_;
    std::set<Fetches::File> requested_;
    std::map<std::string, std::map<std::string, Stamp>> remote_;  ///< of followed runs
    std::list<Order> orders_;
    std::jthread thread_;  ///< the last member: it uses the others
};

void Mirror::Work::report(MirrorStatus::State state, const Phrase& problem) {
    status_.state = state;
    status_.problem = problem;
    status_.retry_seconds = state == MirrorStatus::State::waiting ? retry_seconds_ : 0;
    if (events_.status) events_.status(status_);
}

void Mirror::Work::run_tasks() {
    std::uint64_t count = 0;
    (void)!::read(wake_.get(), &count, sizeof count);
    std::vector<std::function<void()>> tasks;
    {
        const std::lock_guard lock(mutex_);
        tasks.swap(tasks_);
    }
    for (const auto& task : tasks) task();
}

void Mirror::Work::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Connection::End end;
        try {
            end = connect(stop);
        } catch (const std::exception& problem) {
            end = {phrase_of(problem), was_connected_};
        }
        begun_ = false;
        connection_.reset();
        if (!stop.stop_requested()) wait(end, stop);
    }
}

Connection::End Mirror::Work::connect(const std::stop_token& stop) {
    status_.complete = false;
    report(MirrorStatus::State::connecting);
    connection_.emplace(address_, [this](const Frame& frame) { take(frame); });
    while (connection_->step(wake_.get())) {
        run_tasks();
        if (stop.stop_requested()) return {};
        if (connection_->is_open() && !std::exchange(begun_, true)) begin();
    }
    return connection_->end();
}

void Mirror::Work::wait(const Connection::End& end, const std::stop_token& stop) {
    const bool retry = end.can_be_retried || was_connected_;
    report(retry ? MirrorStatus::State::waiting : MirrorStatus::State::stopped, end.problem);
    const auto until =
        std::chrono::steady_clock::now() +
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(retry_seconds_));
    retry_seconds_ = std::min(2 * retry_seconds_, longest_retry_seconds);
    now_ = false;
    while (!stop.stop_requested() && !now_) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        if (retry && left.count() <= 0) return;
        pollfd wake{wake_.get(), POLLIN, 0};
        (void)::poll(&wake, 1, retry ? static_cast<int>(left.count()) : -1);
        run_tasks();
    }
}

/// The connection is open: everything is asked for again that a former one has not answered.
void Mirror::Work::begin() {
    was_connected_ = true;
    retry_seconds_ = first_retry_seconds;
    status_.listed = 0;
    auto known = json::object();
    for (const auto& [run, stamps] : files_.known()) {
        auto& numbers = known[run] = json::array();
        for (const auto& stamp : stamps) {
            numbers.push_back(stamp.time);
            numbers.push_back(stamp.size);
        }
    }
    connection_->request({{"op", "open"}, {"known", std::move(known)}}, {},
                         [this](const json& header, const std::string&) {
                             status_.folder = header.value("folder", std::string());
                             report(MirrorStatus::State::connected);
                         });
    send_followed();
    for (auto& order : orders_) send(order);
    fetches_.connected();
    report(MirrorStatus::State::connected);
}

void Mirror::Work::send_followed() {
    if (!begun_) return;
    connection_->request({{"op", "follow"}, {"runs", followed_}}, {}, [](const json&, const std::string&) {});
}

void Mirror::Work::follow(std::vector<std::string> runs) {
    std::set<std::string> followed(runs.begin(), runs.end());
    if (followed == followed_) return;
    followed_ = std::move(followed);
    const auto left = [this](const std::string& run) { return followed_.count(run) == 0; };
    for (const auto& file : requested_)
        if (left(file.first)) fetches_.cancel(file);
    std::erase_if(requested_, [&](const Fetches::File& file) { return left(file.first); });
    std::erase_if(remote_, [&](const auto& run) { return left(run.first); });
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(states_, [&](const auto& state) { return left(state.first.first); });
    }
    send_followed();
}

void Mirror::Work::request(const Fetches::File& file) {
    if (!is_watched(file.second)) return;
    requested_.insert(file);
    if (followed_.insert(file.first).second) send_followed();
    review(file);
}

void Mirror::Work::order(json header, std::string body, std::function<void(const json&)> answered) {
    orders_.push_back({std::move(header), std::move(body), std::move(answered)});
    if (begun_) send(orders_.back());
}

void Mirror::Work::send(Order& order) {
    connection_->request(order.header, order.body, [this, &order](const json& header, const std::string&) {
        const auto answered = std::move(order.answered);
        orders_.remove_if([&order](const Order& other) { return &other == &order; });
        answered(header);
    });
}

void Mirror::Work::take(const Frame& frame) {
    const auto& push = frame.header.at("push");
    if (push == "runs") {
        take_runs(frame);
    } else if (push == "files") {
        take_files(frame.header);
    } else if (push == "problem") {
        report(MirrorStatus::State::connected,
               kept_phrase(frame.header, frame.header.at("text").get<std::string>()));
    }
}

void Mirror::Work::take_runs(const Frame& frame) {
    std::vector<std::string> changed;
    std::string_view body = frame.body;
    for (const auto& entry : frame.header.at("runs")) {
        const auto run = entry.at("run").get<std::string>();
        const bool good = is_run_name(run);
        const bool live = entry.at("live").get<bool>();
        if (good && live) files_.set_live(run, true, entry.value("lock", std::string()));
        struct File {
            std::string name;
            std::string_view bytes;
            std::int64_t time;
        };
        std::vector<File> files;
        for (const auto& file : entry.at("files")) {
            const auto size = file.at(2).get<std::size_t>();
            if (size > body.size()) throw run_error("the remote folder", "a message is shorter than it says");
            files.push_back(
                {file.at(0).get<std::string>(), body.substr(0, size), file.at(1).get<std::int64_t>()});
            body.remove_prefix(size);
        }
        if (!good) continue;
        // run.json, the first one, last: it makes the folder a run.
        std::reverse(files.begin(), files.end());
        for (const auto& [name, bytes, time] : files) {
            // Notes and colours that were given here later stay.
            const bool keep = name == "marks.json" && files_.stamp(run, name).time >= time;
            if (among(listed_files, name) && !keep) files_.write(run, name, bytes, time);
        }
        if (!live) files_.set_live(run, false, {});
        changed.push_back(run);
    }
    status_.listed += changed.size();
    for (const auto& entry : frame.header.at("removed")) {
        const auto run = entry.get<std::string>();
        if (!is_run_name(run)) continue;
        files_.remove(run);
        changed.push_back(run);
    }
    status_.runs = frame.header.at("total").get<std::size_t>();
    status_.complete = status_.complete || frame.header.at("complete").get<bool>();
    if (!changed.empty() && events_.runs) events_.runs(changed);
    report(MirrorStatus::State::connected, status_.problem);
}

void Mirror::Work::take_files(const json& header) {
    const auto run = header.at("run").get<std::string>();
    if (followed_.count(run) == 0) return;
    auto& stamps = remote_[run];
    for (const auto& [name, stamp] : header.at("files").items()) {
        if (!is_watched(name)) continue;
        stamps[name] = {stamp.at(0).get<std::int64_t>(), stamp.at(1).get<std::int64_t>()};
        review({run, name});
    }
}

/// Compares a file with the other side's, and copies it if it is wanted.
void Mirror::Work::review(const Fetches::File& file) {
    const auto run = remote_.find(file.first);
    if (run == remote_.end()) return;
    const auto at = run->second.find(file.second);
    if (at == run->second.end()) return;
    using State = MirroredFile::State;
    const auto here = files_.stamp(file.first, file.second);
    MirroredFile state;
    if (!at->second.exists()) {
        fetches_.cancel(file);
        if (here.exists()) files_.remove(file.first, file.second);
        state.state = State::absent;
    } else if (here == at->second) {
        fetches_.cancel(file);
        state.state = State::current;
    } else if (is_copied_by_itself(file.second) || requested_.count(file) != 0) {
        state.state = State::fetching;
        state.total = at->second.size;
        set_state(file, state);
        return fetches_.start(file, at->second);
    } else {
        state.state = State::stale;
    }
    set_state(file, state);
}

void Mirror::Work::set_state(const Fetches::File& file, const MirroredFile& state) {
    {
        const std::lock_guard lock(mutex_);
        auto& known = states_[file];
        if (known.state == state.state && known.done == state.done && known.problem == state.problem) return;
        known = state;
    }
    if (events_.file) events_.file(file.first, file.second, state);
}

Fetches::Events Mirror::Work::fetch_events() {
    using State = MirroredFile::State;
    return {[this](json request, Connection::Answered answered) {
                if (begun_) connection_->request(std::move(request), {}, std::move(answered));
            },
            [this](const Fetches::File& file) {
                set_state(file, {State::current, 0, 0, {}});
                review(file);  // it may have been replaced meanwhile
            },
            [this](const Fetches::File& file, std::int64_t done, std::int64_t total) {
                set_state(file, {State::fetching, done, total, {}});
            },
            [this](const Fetches::File& file, const Phrase& problem) {
                // It stays requested: the next version may be copied.
                set_state(file, {problem.empty() ? State::absent : State::stale, 0, 0, problem});
            }};
}

Mirror::Mirror(Address address, const std::filesystem::path& folder, Events events)
    : work_(std::make_unique<Work>(std::move(address), folder, std::move(events))) {}
Mirror::~Mirror() = default;

const Address& Mirror::address() const { return work_->address(); }
const std::filesystem::path& Mirror::folder() const { return work_->folder(); }

std::string Mirror::run_of(const std::filesystem::path& run_folder) const {
    const auto run = whole_path(run_folder).lexically_relative(folder()).string();
    return is_run_name(run) ? run : std::string();
}

void Mirror::follow(std::vector<std::string> runs) {
    work_->post([this, runs = std::move(runs)]() mutable { work_->follow(std::move(runs)); });
}
void Mirror::request(const std::string& run, const std::string& name) {
    work_->post([this, run, name] { work_->request({run, name}); });
}
MirroredFile Mirror::file(const std::string& run, const std::string& name) const {
    return work_->state_of({run, name});
}
void Mirror::send(const std::string& run, store::RunCommand command, Done done) {
    work_->post([this, run, command, done = std::move(done)]() mutable {
        work_->order({{"op", "control"}, {"run", run}, {"command", store::to_string(command)}}, {},
                     problem_only(std::move(done)));
    });
}
void Mirror::ask_fork_place(const std::string& run,
                            std::function<void(const run::ForkPlace& place, const Phrase& problem)> done) {
    work_->post([this, run, done = std::move(done)]() mutable {
        work_->order({{"op", "fork-place"}, {"run", run}}, {}, [done = std::move(done)](const json& header) {
            run::ForkPlace place;
            place.from = static_cast<run::ForkFrom>(std::clamp(header.value("from", 0), 0, 2));
            place.step = header.value("step", std::int64_t{0});
            place.epoch = header.value("epoch", std::int64_t{0});
            done(place, kept_phrase(header, header.value("error", std::string())));
        });
    });
}
void Mirror::start(const std::string& toml, Done done) {
    work_->post([this, toml = std::string(toml), key = new_key(), done = std::move(done)]() mutable {
        work_->order({{"op", "start"}, {"key", key}}, std::move(toml), problem_only(std::move(done)));
    });
}
void Mirror::connect_now() {
    work_->post([this] { work_->connect_now(); });
}

}  // namespace casp::remote
