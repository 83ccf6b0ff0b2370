#pragma once
// Editor of the cases of a sweep: labels, order, settings and their values. Part of the sweep editor.

#include <memory>
#include <vector>

#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "state/experiment_model.h"

namespace casp::widgets {

/// Edits the model's cases; undo works as for all settings. A setting without a value, or with an invalid
/// one, is not in the model.
class CaseEditor : public QWidget {
    Q_OBJECT
public:
    explicit CaseEditor(ExperimentModel& model, QWidget* parent = nullptr);
    ~CaseEditor() override;

    [[nodiscard]] int case_count() const { return static_cast<int>(boxes_.size()); }
    [[nodiscard]] QLineEdit* label_field(int index) const { return box(index).label; }
    [[nodiscard]] int setting_count(int index) const { return static_cast<int>(box(index).settings.size()); }
    [[nodiscard]] QComboBox* key_box(int index, int setting) const {
        return box(index).settings.at(static_cast<std::size_t>(setting))->key;
    }
    [[nodiscard]] QLineEdit* value_field(int index, int setting) const {
        return box(index).settings.at(static_cast<std::size_t>(setting))->value;
    }
    /// The first invalid value, after its case and setting; empty: none.
    [[nodiscard]] QString problem() const;
    /// All fields and buttons from top to bottom.
    [[nodiscard]] std::vector<QWidget*> fields() const;

    void add_case();
    void remove_case(int index);
    void move_case(int from, int to);
    /// A row for a setting; empty: the first one that the case does not have.
    void add_setting(int index, const QString& key = {});

Q_SIGNALS:
    void edited();  ///< problem() may differ

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Setting {
        QWidget* widget;
        QComboBox* key;
        QLineEdit* value;
        QLabel* problem;
        QToolButton* remove;
        int gesture = 0;
    };
    struct Box {
        QFrame* widget;
        QLineEdit* label;
        QToolButton *up, *down, *remove, *add;
        QVBoxLayout* rows;
        std::vector<std::unique_ptr<Setting>> settings;
        int gesture = 0;
    };
    [[nodiscard]] Box& box(int index) const { return *boxes_.at(static_cast<std::size_t>(index)); }
    [[nodiscard]] int index_of(const Box& box) const;
    Box& add_box();
    Setting& add_row(Box& box, const QString& key);
    void remove_row(Box& box, Setting& setting);
    /// The case as typed; marks invalid values.
    config::Case read(const Box& box);
    [[nodiscard]] std::vector<config::Case> read_all();
    void write(const QString& title, const QString& gesture);
    void show_case(Box& box, const config::Case& one);
    void follow_model();
    void refresh();

    ExperimentModel& model_;
    std::vector<std::unique_ptr<Box>> boxes_;
    QVBoxLayout* boxes_layout_;
    QLabel* note_ = nullptr;
    QToolButton* add_ = nullptr;
    bool writing_ = false;
};

}  // namespace casp::widgets
