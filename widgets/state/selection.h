#pragma once
// The one selection of the window: which runs, split, channels, windows, anchors and step are looked at.
//
// Every view draws it and may change it; there is no other wiring between views (linked brushing). It goes
// back and forward like a browser and is cleared with Esc. GUI thread only.

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

namespace casp::widgets {

/// A window and a channel of it: what a point of the embeddings stands for.
using WindowChannel = std::pair<std::int64_t, std::int64_t>;

/// What is selected. Empty sets mean "nothing in particular": views then choose for themselves.
struct SelectionState {
    QStringList
        runs;  ///< absolute run folders, in the order in which they were chosen; these are what views show
    QString split;  ///< "train", "val", "test"; empty: the view's default
    std::set<std::int64_t> channels;
    std::set<std::int64_t> windows;  ///< window numbers within the split
    /// Where not every channel of every window is meant, as of points that a lasso went round: these,
    /// ascending. `windows` are then those that occur here; `channels` too, or none where all do. Empty: all
    /// channels of all windows. Who changes windows, channels or the split and leaves these as they are drops
    /// them.
    std::vector<WindowChannel> pairs;
    std::set<std::int64_t> anchors;
    std::optional<std::int64_t> step;  ///< a training step; none: the latest
    bool operator==(const SelectionState&) const = default;
};

class Selection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] const SelectionState& state() const { return state_; }
    /// Replaces it; a change is one entry of the history. Changes in a row of one `gesture` that is not empty
    /// (name each drag anew) are one entry together. The history keeps the last 200.
    void set(const SelectionState& state, const QString& gesture = {});
    void set_runs(const QStringList& folders);
    void set_windows(std::set<std::int64_t> windows, const QString& split = {});
    void set_anchors(std::set<std::int64_t> anchors);
    void set_channels(std::set<std::int64_t> channels);
    void set_step(std::optional<std::int64_t> step);
    /// Drops windows, anchors, channels and step; the runs and the split stay.
    void clear();

    [[nodiscard]] bool can_go_back() const { return position_ > 0; }
    [[nodiscard]] bool can_go_forward() const { return position_ + 1 < history_.size(); }
    void back();
    void forward();

    /// For the status bar: "37 test windows, OT, anchors 12 88", "52 points of 37 test windows × 2 channels";
    /// empty where nothing is selected.
    [[nodiscard]] QString text(const QStringList& channel_names = {}) const;

Q_SIGNALS:
    void changed();

private:
    void remember(const QString& gesture);
    SelectionState state_;
    std::vector<SelectionState> history_{SelectionState{}};
    std::size_t position_ = 0;
    QString last_gesture_;
};

}  // namespace casp::widgets
