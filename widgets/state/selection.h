#pragma once
// The selection shared by all views: runs, split, channels, windows, anchors and step.
//
// Every view shows it and may change it; views are linked in no other way (linked brushing). It has a history
// like a browser, and Esc clears it. GUI thread only.

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

namespace casp::widgets {

/// A window and one of its channels, as for a point of the embeddings.
using WindowChannel = std::pair<std::int64_t, std::int64_t>;

/// Empty sets: no selection; views then use their defaults.
struct SelectionState {
    QStringList runs;  ///< absolute folders of the shown runs, in the order of selection
    QString split;     ///< "train", "val", "test"; empty: the view's default
    std::set<std::int64_t> channels;
    std::set<std::int64_t> windows;  ///< window numbers within the split
    /// Selected pairs if not every channel of every window is selected, as with a lasso around points;
    /// ascending. `windows` are then the windows of these pairs, and `channels` their channels, or empty if
    /// all channels occur. Empty: all channels of all windows. A change of windows, channels or split with
    /// unchanged pairs drops the pairs.
    std::vector<WindowChannel> pairs;
    std::set<std::int64_t> anchors;
    /// Run folder whose anchors these numbers are: runs that began from other anchors number other ones.
    /// Empty: unknown, or no anchors.
    QString anchors_of;
    std::optional<std::int64_t> step;  ///< a training step; none: the latest
    bool operator==(const SelectionState&) const = default;
};

class Selection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] const SelectionState& state() const { return state_; }
    /// Replaces the selection and adds a history entry. Consecutive changes of the same non-empty `gesture`
    /// (unique per drag) make one entry. The history has at most 200 entries.
    void set(const SelectionState& state, const QString& gesture = {});
    void set_runs(const QStringList& folders);
    void set_windows(std::set<std::int64_t> windows, const QString& split = {});
    void set_anchors(std::set<std::int64_t> anchors, const QString& run_folder = {});
    void set_channels(std::set<std::int64_t> channels);
    void set_step(std::optional<std::int64_t> step);
    /// Clears windows, anchors, channels and step; runs and split stay.
    void clear();
    /// The runs highlighted in the list; not part of the history.
    void highlight(const QStringList& folders);
    /// The run that every action on a single run uses: the highlighted one, else the only shown one. Empty:
    /// neither exists, or several are highlighted.
    [[nodiscard]] QString highlighted() const;

    [[nodiscard]] bool can_go_back() const { return position_ > 0; }
    [[nodiscard]] bool can_go_forward() const { return position_ + 1 < history_.size(); }
    void back();
    void forward();

    /// For the status bar: "37 test windows, OT, anchors 12 88", "52 points of 37 test windows × 2 channels";
    /// empty: no selection.
    [[nodiscard]] QString text(const QStringList& channel_names = {}) const;

Q_SIGNALS:
    void changed();
    void highlighted_changed();  ///< highlight(); state() is as before

private:
    void remember(const QString& gesture);
    SelectionState state_;
    std::vector<SelectionState> history_{SelectionState{}};
    std::size_t position_ = 0;
    QString last_gesture_;
    QStringList highlighted_;
};

}  // namespace casp::widgets
