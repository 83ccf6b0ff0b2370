#pragma once
// Controls that show how a file was read, and correct it.

#include <array>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "state/data_model.h"

namespace casp::widgets {

/// The first choice of every control is "auto: <detected value>". Any other choice requests another reading.
class DataFormat : public QWidget {
    Q_OBJECT
public:
    enum Field { delimiter, decimal, quote, header, encoding, time_column, clock_column, time_style, fields };

    explicit DataFormat(QWidget* parent = nullptr);

    /// Shows how the file was read, and its corrections. Emits nothing.
    void set_file(const DataFile& file);
    [[nodiscard]] QComboBox* control(Field field) { return controls_.at(static_cast<std::size_t>(field)); }
    [[nodiscard]] QPushButton* as_detected() { return as_detected_; }

Q_SIGNALS:
    void corrected(const casp::data::CsvOptions& options);

private:
    void fill(Field field, const QString& detected, const QVariant& chosen);
    void fill_columns(const DataFile& file);
    [[nodiscard]] data::CsvOptions options() const;

    std::array<QComboBox*, fields> controls_{};
    std::array<QLabel*, fields> labels_{};
    QPushButton* as_detected_;
    data::CsvOptions shown_;
};

}  // namespace casp::widgets
