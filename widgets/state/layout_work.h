#pragma once
// Layouts of embedded points, computed in the background: principal components in one piece, t-SNE with a
// frame every few iterations.
//
// Not a Job<T>: its requests change a running computation (pause, resume, follow, extend), which keeps its
// state between them, and a frame that the GUI thread has not read yet is replaced by the next one.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>

#include "state/background.h"
#include "state/embedding_set.h"

namespace casp::widgets {

enum class LayoutMethod { pca, tsne };

/// Parameters of a layout.
struct LayoutOptions {
    LayoutMethod method = LayoutMethod::pca;
    /// One layout of all sets together, with the same axes in every picture; else one layout per set.
    bool common = true;
    std::vector<PointKind> kinds = {PointKind::anchor, PointKind::series, PointKind::prompt};
    std::int64_t components = 2;  ///< of a t-SNE, 2 or 3; a PCA always has three
    double perplexity = 30;
    double early_exaggeration = 12;
    std::int64_t iterations = 750;
    std::int64_t seed = 0;
    std::string device =
        "cpu";  ///< of a t-SNE, as run.device; the CPU if a run uses the device (tsne_device())
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

    explicit LayoutWork(QObject* parent = nullptr);
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
    /// Runs more iterations of a finished or stopped t-SNE.
    void extend(std::int64_t iterations);

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
    class Job;
    /// Latest state of a job.
    struct Report {
        State state = State::preparing;
        std::shared_ptr<const LayoutPicture> picture;
        QString stage, problem;
        QStringList notes;
        double share = -1;
        bool new_picture = false;
    };
    void end_job();
    void take(const std::shared_ptr<Job>& job);

    State state_ = State::idle;
    LayoutOptions options_;
    std::shared_ptr<const LayoutPicture> picture_;
    QString stage_, problem_;
    QStringList notes_;
    double share_ = -1;
    QElapsedTimer since_running_;
    std::int64_t first_iteration_ = 0;
    std::shared_ptr<Job> job_;
    Inbox inbox_;
    WorkPool pool_{1};  ///< the last member: its work uses the others' handles
};

}  // namespace casp::widgets
