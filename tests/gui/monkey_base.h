#pragma once
// What all parts of the monkey share: its choices, and the journal of what it does.

#include <cstdio>
#include <random>

#include <QElapsedTimer>
#include <QString>
#include <QStringList>

namespace casp::monkey {

/// Every choice, from one seed.
class Choices {
public:
    explicit Choices(quint64 seed) : random_(seed) {}

    /// 0 .. n-1; 0 where n <= 0.
    int pick(int n) { return n <= 0 ? 0 : static_cast<int>(random_() % static_cast<quint64>(n)); }
    /// One of `list`; an empty one: nothing.
    QString pick_from(const QStringList& list) { return list.value(pick(static_cast<int>(list.size()))); }

private:
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
