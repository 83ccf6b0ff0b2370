#pragma once
// The Preparation page: split, missing cells, sentinels, channels and scaler, with their settings and
// effects.

#include <memory>
#include <optional>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QWidget>

#include "panels/data/data_problem_box.h"
#include "panels/data/data_review.h"
#include "panels/data/data_statistics.h"
#include "panels/experiment/split_fields.h"
#include "state/experiment_model.h"

namespace casp::widgets {

/// The *Preparation* page. Every control edits the experiment (one undo step each) and follows its changes.
class DataPolicy : public QWidget {
    Q_OBJECT
public:
    /// `experiment` must outlive the page.
    explicit DataPolicy(ExperimentModel& experiment, QWidget* parent = nullptr);

    /// Sets table and review; a null review dims the page while it is computed.
    void set_review(std::shared_ptr<const data::Table> table, std::optional<DataReview> review);

    [[nodiscard]] QComboBox* split() { return split_; }
    [[nodiscard]] SplitFields* split_fields() { return split_fields_; }
    [[nodiscard]] QComboBox* missing() { return missing_; }
    [[nodiscard]] QLineEdit* sentinels() { return sentinels_; }
    [[nodiscard]] ChannelStatistics* statistics() { return statistics_; }
    [[nodiscard]] QPushButton* mark_suspects() { return mark_suspects_; }
    [[nodiscard]] QPushButton* use_published() { return use_published_; }
    /// The text of the page as plain text, for tests and screen readers.
    [[nodiscard]] QString words() const;

protected:
    void changeEvent(QEvent* event) override;

Q_SIGNALS:
    void chosen(const QString& key);  ///< the user changed this setting here

private:
    void build_controls();
    void build_texts();
    void follow_experiment();
    void show_texts();
    void set(const char* key, const config::Value& value);
    /// Text that is no value of the setting: shown here, and no run starts until it is repaired.
    void refuse(const DataProblem& problem, const QStringList& typed);
    void choose_split();
    void write_split();
    [[nodiscard]] config::SplitSetting first_setting(const std::string& rule) const;
    void write_sentinels();

    ExperimentModel& experiment_;
    std::shared_ptr<const data::Table> table_;
    std::optional<DataReview> review_;
    QComboBox *split_, *missing_;
    SplitFields* split_fields_;
    QLineEdit* sentinels_;
    QPushButton *all_channels_, *mark_suspects_, *use_published_;
    DataProblemBox *problem_, *refusal_;
    QLabel *origin_, *split_label_, *scaler_label_, *missing_label_, *selected_;
    ChannelStatistics* statistics_;
};

}  // namespace casp::widgets
