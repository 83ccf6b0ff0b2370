#pragma once
// Layouts of embedded points, computed beside the GUI thread and handed over while they are made: principal
// components in one piece, t-SNE iteration by iteration.

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

/// What is asked for.
struct LayoutOptions {
    LayoutMethod method = LayoutMethod::pca;
    /// One layout of all sets together, so that axes mean the same in every picture; else each set by itself.
    bool common = true;
    std::vector<PointKind> kinds = {PointKind::anchor, PointKind::series, PointKind::prompt};
    std::int64_t components = 2;  ///< of a t-SNE, 2 or 3; a PCA always has three
    double perplexity = 30;
    double early_exaggeration = 12;
    std::int64_t iterations = 750;
    std::int64_t seed = 0;
    std::string device = "cpu";  ///< of a t-SNE, as run.device; the CPU where a run has it (tsne_device())
    bool operator==(const LayoutOptions&) const = default;
};

/// A layout of each set, in their order, at one moment.
struct LayoutPicture {
    LayoutOptions options;
    std::vector<std::shared_ptr<const EmbeddingSet>> sets;
    std::vector<std::shared_ptr<const store::EmbeddingLayout>> layouts;
    std::int64_t iteration = 0, planned = 0;  ///< of a t-SNE
    std::vector<double> kl;  ///< of each t-SNE (one where common); NaN: not known yet. At exaggeration 1
    bool complete = false;
};

/// GUI thread. One request at a time: a new one replaces what goes on.
class LayoutWork : public QObject {
    Q_OBJECT
public:
    enum class State {
        idle,       ///< nothing was asked for
        preparing,  ///< neighbours, or the principal components
        running,    ///< iterations
        paused,
        finished,
        stopped,  ///< by stop(): what there is stays
        failed
    };

    explicit LayoutWork(QObject* parent = nullptr);
    /// Asks the work to stop and waits for it (a part of an iteration, or a fraction of a second).
    ~LayoutWork() override;

    /// Begins anew. Sets without vectors are not allowed (std::invalid_argument).
    void start(std::vector<std::shared_ptr<const EmbeddingSet>> sets, const LayoutOptions& options);
    /// The same points have new values (the next snapshot of a run): a t-SNE goes on from where it is, for
    /// some more iterations and without exaggeration; everything else begins anew. Calls that come faster
    /// than they can be followed are left out but for the latest.
    void follow(std::vector<std::shared_ptr<const EmbeddingSet>> sets);
    void pause();
    void resume();
    /// Ends the iterations; the picture stays as it is.
    void stop();
    /// Forgets everything.
    void clear();
    /// More iterations of a t-SNE that is finished or was stopped.
    void extend(std::int64_t iterations);

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool is_busy() const {
        return state_ == State::preparing || state_ == State::running || state_ == State::paused;
    }
    /// The latest; null: none yet.
    [[nodiscard]] const std::shared_ptr<const LayoutPicture>& picture() const { return picture_; }
    [[nodiscard]] const QString& stage() const { return stage_; }  ///< "finding neighbours"
    [[nodiscard]] double share() const { return share_; }          ///< of that stage; negative: not known
    [[nodiscard]] double seconds_left() const;                     ///< negative: not known
    [[nodiscard]] const QString& problem() const { return problem_; }
    /// What the reader of the picture should know ("perplexity lowered to 12").
    [[nodiscard]] const QStringList& notes() const { return notes_; }
    [[nodiscard]] const LayoutOptions& options() const { return options_; }

Q_SIGNALS:
    /// A new picture(), at most 20 times a second.
    void moved();
    /// state(), stage() or share() changed.
    void state_changed();

private:
    class Job;
    /// What a job told last.
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
