#pragma once
// What all parts of the monkey share: its choices, and the journal of what it does.

#include <cstdint>
#include <cstdio>
#include <random>

#include <QElapsedTimer>
#include <QString>
#include <QStringList>

namespace casp::monkey {

/// Every choice, from one seed. Each decision has random numbers of its own, from the seed and its number, so
/// that one that drew more or fewer of them, because it met something else, changes none of the later ones.
class Choices {
public:
    explicit Choices(quint64 seed) : seed_(seed), random_(seed) {}

    void begin(int decision) {
        std::seed_seq words{static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32),
                            static_cast<std::uint32_t>(decision)};
        random_.seed(words);
    }

    /// 0 .. n-1; 0 where n <= 0.
    int pick(int n) { return n <= 0 ? 0 : static_cast<int>(random_() % static_cast<quint64>(n)); }
    /// One of `list`; an empty one: nothing.
    QString pick_from(const QStringList& list) { return list.value(pick(static_cast<int>(list.size()))); }
    /// Position of one of `names`, which differ; the same name also where others came or went. -1 of none.
    int pick_name(const QStringList& names) {
        const quint64 salt = random_();
        int chosen = -1;
        quint64 best = 0;
        for (int i = 0; i < names.size(); ++i) {
            quint64 hash = 0xcbf29ce484222325U ^ salt;  // FNV-1a, then a finaliser: close names must differ
            for (const auto letter : names[i]) hash = (hash ^ letter.unicode()) * 0x100000001b3U;
            hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdU;
            hash ^= hash >> 33;
            if (chosen >= 0 && hash <= best) continue;
            best = hash;
            chosen = i;
        }
        return chosen;
    }

private:
    quint64 seed_;
    std::mt19937_64 random_;
};

/// Prints each step before it is done, so that the last line names what failed.
class Journal {
public:
    Journal() { clock_.start(); }

    void next_step() { ++steps_; }
    [[nodiscard]] int steps() const { return steps_; }
    [[nodiscard]] double seconds() const { return static_cast<double>(clock_.elapsed()) / 1000; }
    void say(const char* what, const QString& text = {}) const {
        std::printf("%d %.1f s: %s %s\n", steps_, seconds(), what, qPrintable(text));
        std::fflush(stdout);
    }

private:
    QElapsedTimer clock_;
    int steps_ = 0;
};

}  // namespace casp::monkey
