#pragma once
// What one anchor is: the words nearest to it, its neighbours in the pool, the windows that choose it, its
// usage over the training.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <QElapsedTimer>
#include <QStringList>
#include <QWidget>

#include "analysis/anchor_inspector.h"
#include "figures/recipe_input.h"
#include "state/background.h"
#include "state/embedding_set.h"
#include "util/progress.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;
class QToolButton;

namespace casp::widgets {

class FigureView;
class ViewFrame;

/// Tokens and neighbours are looked up beside the GUI thread. GUI thread.
class AnchorInspector : public QWidget {
    Q_OBJECT
public:
    explicit AnchorInspector(QWidget* parent = nullptr);
    ~AnchorInspector() override;

    void join(ViewFrame& frame);
    /// What is known of the run: `vectors` (its anchors; null: not known) and `choices` (who chooses whom;
    /// null: not known). No run: the panel tells what it will show.
    void set_run(const figures::RunInput* run, std::shared_ptr<const EmbeddingSet> vectors,
                 std::shared_ptr<const EmbeddingSet> choices);
    /// The anchor that is looked at; none: it tells how to choose one.
    void set_anchor(std::optional<std::int64_t> anchor);
    [[nodiscard]] std::optional<std::int64_t> anchor() const { return anchor_; }
    /// Rows of the tables, for tests.
    [[nodiscard]] QTableWidget& tokens() const { return *tokens_; }
    [[nodiscard]] QTableWidget& neighbours() const { return *neighbours_; }
    [[nodiscard]] QTableWidget& windows() const { return *windows_; }
    [[nodiscard]] FigureView& usage() const { return *usage_; }
    [[nodiscard]] QString note() const;
    [[nodiscard]] bool is_busy() const { return busy_; }
    /// Gives up what is being looked up; a button then does it after all.
    void cancel();
    [[nodiscard]] const std::shared_ptr<const EmbeddingSet>& choices() const { return choices_; }

Q_SIGNALS:
    void anchor_chosen(std::int64_t anchor);
    /// Windows with their channels, of choices().
    void windows_chosen(const std::vector<casp::widgets::WindowChannel>& pairs);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Found {
        std::vector<analysis::NearToken> tokens;
        QString remark;
    };
    /// The token table of one run, kept for the next question. Used by the pool's thread alone.
    struct Table;

    void show_anchor();
    void show_windows();
    void look_up();
    void tell(const Progress& progress);
    void show_button(bool shown);
    void take(const Found& found);
    void show_neighbours(const std::vector<analysis::NearAnchor>& near);
    void arrange();

    QSpinBox* number_;
    QLabel *title_, *note_;
    QTableWidget *tokens_, *neighbours_, *windows_;
    QPushButton* all_windows_;
    QToolButton* look_up_;  ///< cancels what is being looked up, or begins it again
    FigureView* usage_;
    QGridLayout* grid_;
    QWidget* boxes_[4]{};
    int columns_ = 0;

    QString folder_, label_;
    QColor colour_;
    store::AnchorHistory history_;
    QStringList channels_;
    std::shared_ptr<const EmbeddingSet> vectors_, choices_;
    std::vector<analysis::Choice> chosen_by_;
    std::optional<std::int64_t> anchor_;
    bool busy_ = false;
    QElapsedTimer since_begin_;
    std::uint64_t number_of_question_ = 0;
    std::shared_ptr<Table> table_;
    std::stop_source stop_;
    Inbox inbox_;
    WorkPool pool_{1};
};

}  // namespace casp::widgets
