#pragma once
// Spin box for integers and numbers that never rounds, clips or reformats typed text.

#include <QAbstractSpinBox>
#include <QLabel>

#include "panels/experiment/option_text.h"

namespace casp::widgets {

class OptionNumberEdit : public QAbstractSpinBox {
    Q_OBJECT
public:
    /// `option` must be an integer or a number.
    explicit OptionNumberEdit(const config::OptionSpec& option, QWidget* parent = nullptr);

    /// This value is shown and typed as "auto".
    void set_automatic(const config::Value& value) { automatic_ = value; }
    void show_text(const QString& text);  ///< emits no signal
    [[nodiscard]] Parsed parsed() const;
    /// One step changes an integer by 1 and a number by 1 in its first digit: 0.1 → 0.2, 1e-4 → 9e-5. Never
    /// leaves the range.
    void stepBy(int steps) override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
    void set_characters(int characters);  ///< width of the field in digits; default 8
    [[nodiscard]] QString unit() const { return unit_ == nullptr ? QString() : unit_->text(); }

Q_SIGNALS:
    void typed(const QString& text);  ///< by keys or steps, not by show_text()

protected:
    [[nodiscard]] StepEnabled stepEnabled() const override;
    QValidator::State validate(QString&, int&) const override { return QValidator::Acceptable; }
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void place_unit();
    const config::OptionSpec& option_;
    std::optional<config::Value> automatic_;
    QLabel* unit_ = nullptr;
    int characters_ = 8;
};

}  // namespace casp::widgets
