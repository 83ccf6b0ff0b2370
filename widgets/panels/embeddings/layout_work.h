#pragma once
// Layouts of embedded points, computed in the background: principal components in one piece, t-SNE with a
// frame every few iterations.
//
// A t-SNE is computed in pieces of some iterations, each a job: between two of them it can be paused, stopped
// or given other values.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>

#include "state/embedding_set.h"
#include "state/job.h"

namespace casp::widgets {

enum class LayoutMethod { pca, tsne };

/// Parameters of a layout.
struct LayoutOptions {
    LayoutMethod method = LayoutMethod::pca;
    /// One layout of all sets together, with the same axes in every picture; else one t-SNE per set.
    bool common = true;
    std::vector<PointKind> kinds = {PointKind::anchor, PointKind::series, PointKind::prompt};
    std::int64_t components = 2;  ///< of a t-SNE, 2 or 3; a PCA always has three
    double perplexity = 30;
    double early_exaggeration = 12;
    std::int64_t iterations = 750;
    std::int64_t seed = 0;
    bool operator==(const LayoutOptions&) const = default;
};

/// A layout of each set, in their order, after some iterations.
struct LayoutPicture {
    LayoutOptions options;
    std::vector<std::shared_ptr<const EmbeddingSet>> sets;
    std::vector<std::shared_ptr<const store::EmbeddingLayout>> layouts;
    std::int64_t iteration = 0, planned = 0;  ///< of a t-SNE
    std::vector<double> kl;  ///< of each t-SNE (one if common), at exaggeration 1; NaN: not known yet
    bool complete = false;
};

/// GUI thread. One request at a time: a new one supersedes a running one.
class LayoutWork : public QObject {
    Q_OBJECT
public:
    enum class State {
        idle,       ///< no request
        preparing,  ///< neighbours, or the principal components
        running,    ///< iterations
        paused,
        finished,
        stopped,  ///< by stop(); the picture stays
        failed
    };

    LayoutWork();
    /// Requests the stop and waits for it (part of an iteration, or a fraction of a second).
    ~LayoutWork() override;

    /// Starts a new layout. Throws std::invalid_argument for sets without vectors.
    void start(std::vector<std::shared_ptr<const EmbeddingSet>> sets, const LayoutOptions& options);
    /// New values of the same points (the next snapshot of a run): a t-SNE continues from its layout, for
    /// some more iterations without exaggeration; other layouts start again. Of calls in quick succession
    /// only the latest counts.
    void follow(std::vector<std::shared_ptr<const EmbeddingSet>> sets);
    void pause();
    void resume();
    /// Ends the iterations; the picture stays as it is.
    void stop();
    /// Drops the layout and running work.
    void clear();

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool is_busy() const {
        return state_ == State::preparing || state_ == State::running || state_ == State::paused;
    }
    /// The latest; null: none yet.
    [[nodiscard]] const std::shared_ptr<const LayoutPicture>& picture() const { return picture_; }
    [[nodiscard]] const QString& stage() const { return stage_; }  ///< "finding neighbours"
    /// Completed fraction of the stage; negative: unknown.
    [[nodiscard]] double share() const { return share_; }
    [[nodiscard]] double seconds_left() const;  ///< negative: unknown
    [[nodiscard]] const QString& problem() const { return problem_; }
    /// Remarks on the picture ("perplexity lowered to 12").
    [[nodiscard]] const QStringList& notes() const { return notes_; }
    [[nodiscard]] const LayoutOptions& options() const { return options_; }

Q_SIGNALS:
    /// A new picture(), at most 20 times a second.
    void moved();
    /// state(), stage() or share() changed.
    void state_changed();

private:
    struct Course;
    using Picture = std::shared_ptr<const LayoutPicture>;
    void set_state(State state);
    void prepare(const std::shared_ptr<Course>& course, EmbeddingSets sets);
    void advance(bool hold);
    void run(Job<Picture>::Work work, std::function<void(Picture)> done);
    void go_on();

    State state_ = State::idle;
    State wanted_ = State::running;  ///< or paused or stopped: after the piece that is computed now
    LayoutOptions options_;
    Picture picture_;
    QString stage_, problem_;
    QStringList notes_;
    double share_ = -1;
    QElapsedTimer since_running_;
    std::int64_t first_iteration_ = 0;
    std::shared_ptr<Course> course_;     ///< used by job_ while it is running
    std::optional<EmbeddingSets> next_;  ///< to be followed after the running piece
    Job<Picture> job_;                   ///< the last member: its work uses the others
};

}  // namespace casp::widgets
