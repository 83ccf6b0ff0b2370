#pragma once
// "How this file was read": every decision of reading with its reason, and the setting that changes it.

#include <vector>

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include "config/options.h"
#include "panels/data/data_model.h"
#include "panels/experiment/option_editor.h"

class QGridLayout;
class QStringListModel;

namespace casp::widgets {

/// A row for each setting of [data.csv]: its name, what was found in the file and why, and a field.
class DataReadings : public QScrollArea {
    Q_OBJECT
public:
    explicit DataReadings(QWidget* parent = nullptr);

    /// What was found, and why.
    [[nodiscard]] static QString reading_text(const data::Reading& reading);
    /// Shows the decisions of a file and its corrections. Emits nothing.
    void set_file(const DataFile& file);
    /// Field of a key such as "data.csv.decimal"; null: there is none.
    [[nodiscard]] OptionEditor* editor(const QString& key) const;
    [[nodiscard]] QPushButton* as_detected() { return as_detected_; }
    /// What is said of a key.
    [[nodiscard]] QString text_of(const QString& key) const;

Q_SIGNALS:
    void corrected(const casp::config::Config::DataCsv& options);

private:
    struct Row {
        const config::OptionSpec* option;
        QLabel* name;  ///< bold: corrected
        QLabel* reason;
        OptionEditor* editor;
    };
    void list_columns(const data::Table& table);
    void add_row(const config::OptionSpec& option, QGridLayout& grid);
    void apply(const config::OptionSpec& option, const config::Value& value);

    QPushButton* as_detected_;
    QStringListModel* columns_;  ///< their names, for fields that expect one
    std::vector<Row> rows_;
    config::Config shown_;
    config::Config::DataCsv asked_;  ///< what shown_ says, before a change
};

}  // namespace casp::widgets
