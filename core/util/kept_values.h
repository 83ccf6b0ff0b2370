#pragma once
// Values that take long to make, as the table of a data file: made once for all who ask for them.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

#include "util/error.h"
#include "util/progress.h"

namespace casp {

/// Values by key, which only equality compares. A value that somebody holds is shared with all who ask for
/// it. Of those that nobody holds any more, the most recently asked for are kept: 32, as far as `max_bytes`
/// go.
/// Thread-safe.
template <class Key, class Value>
class KeptValues {
public:
    using Shared = std::shared_ptr<const Value>;
    using Time = std::chrono::system_clock::time_point;

    /// `bytes`: the size of a value. 0 bytes: none is kept that nobody holds.
    explicit KeptValues(std::int64_t max_bytes, std::int64_t (*bytes)(const Value&))
        : max_bytes_(max_bytes), bytes_(bytes) {}

    /// The value of `key`, if `is_current(value, when it was begun)` says so, else what `make(progress)`
    /// returns. Of threads that ask at the same time one makes it; the others wait, and report its progress.
    /// What `make` throws, Cancelled too, concerns its own caller: another one that waits makes the value
    /// then. Throws Cancelled. Progress on the calling thread.
    template <class Make, class IsCurrent>
    [[nodiscard]] Shared get(const Key& key, const Make& make, const IsCurrent& is_current,
                             const ProgressFn& progress, const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        for (auto known = find(key); known != entries_.end(); known = find(key)) {
            throw_if_stopped(stop);
            if (auto value = known->value.lock()) {
                const auto begun = known->begun, asked = std::chrono::system_clock::now();
                lock.unlock();
                const bool current = is_current(*value, begun);
                lock.lock();
                known = find(key);
                if (current && known != entries_.end()) known->begun = asked;
                if (current) return keep(known, value, lock);
                entries_.remove_if([&](const Entry& entry) { return entry.value.lock() == value; });
            } else if (known->in_progress) {
                wait_for(known->progress, progress, lock);
            } else {
                entries_.erase(known);
            }
        }
        const auto entry = entries_.insert(entries_.begin(), Entry{.key = key});
        lock.unlock();
        const auto report = [&](const Progress& now) {
            {
                const std::scoped_lock reporting(mutex_);
                entry->progress = now;
            }
            if (progress) progress(now);
        };
        Shared value;
        try {
            value = std::make_shared<const Value>(make(report));
        } catch (...) {
            lock.lock();
            entries_.erase(entry);
            made_.notify_all();
            throw;
        }
        lock.lock();
        entry->in_progress = false;
        entry->value = value;
        made_.notify_all();
        return keep(entry, value, lock);
    }

private:
    struct Entry {
        Key key;
        std::weak_ptr<const Value> value = {};
        Shared kept = {};  ///< likewise; null: not kept
        Time begun = std::chrono::system_clock::now();
        bool in_progress = true;
        Progress progress = {};
    };
    using Place = typename std::list<Entry>::iterator;

    Place find(const Key& key) {
        return std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& entry) { return entry.key == key; });
    }

    void wait_for(const Progress& of_maker, const ProgressFn& progress, std::unique_lock<std::mutex>& lock) {
        constexpr std::chrono::milliseconds between_reports{50};
        const auto now = of_maker;
        if (progress && !now.stage.empty()) {
            lock.unlock();
            progress(now);
            lock.lock();
        }
        made_.wait_for(lock, between_reports);
    }

    /// Keeps the value as the most recent one, and lets go of the oldest ones.
    Shared keep(Place entry, const Shared& value, std::unique_lock<std::mutex>& lock) {
        std::vector<Shared> dropped;  // freed without the lock: that can take a moment
        if (entry != entries_.end()) {
            entries_.splice(entries_.begin(), entries_, entry);
            entry->kept = value;
        }
        constexpr int max_kept = 32;
        std::int64_t sum = 0;
        int count = 0;
        for (auto& one : entries_) {
            if (!one.kept) continue;
            const auto bytes = bytes_(*one.kept);
            if (sum + bytes <= max_bytes_ && count < max_kept) {
                sum += bytes;
                ++count;
            } else {
                dropped.push_back(std::exchange(one.kept, nullptr));
            }
        }
        entries_.remove_if([](const Entry& one) { return !one.in_progress && one.value.expired(); });
        lock.unlock();
        return value;
    }

    const std::int64_t max_bytes_;
    std::int64_t (*const bytes_)(const Value&);
    std::mutex mutex_;
    std::condition_variable made_;
    std::list<Entry> entries_;  ///< most recently asked for first
};

}  // namespace casp
