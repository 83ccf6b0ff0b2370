#pragma once
// Fields for the numbers or dates of a split: row counts, fractions, or the first rows of validation and
// test.

#include <array>

#include <QLineEdit>
#include <QWidget>

#include "config/config.h"
#include "panels/experiment/option_text.h"

namespace casp::widgets {

/// The fields of one rule at a time, in a row; hidden for a rule that has only a name.
class SplitFields : public QWidget {
    Q_OBJECT
public:
    explicit SplitFields(QWidget* parent = nullptr);

    /// The rules of config::SplitSetting that have fields.
    [[nodiscard]] static bool has_fields(const QString& rule);
    /// Shows the fields of a rule and empties those of the others.
    void set_rule(const QString& rule);
    /// Rule and numbers or dates of a valid setting. Emits nothing.
    void show_setting(const config::SplitSetting& setting);
    /// The setting as typed, or what is wrong with it.
    [[nodiscard]] Parsed parse() const;
    /// The rule whose fields hold text; "rows" if all are empty.
    [[nodiscard]] QString typed_rule() const;
    /// All fields, in the order of rules: three row counts, three fractions, two dates.
    [[nodiscard]] QList<QLineEdit*> fields() const;
    /// Gives each field its accessible name and tooltip.
    void describe_fields();

Q_SIGNALS:
    void edited();    ///< text was typed
    void finished();  ///< Enter was pressed, or the focus was lost

private:
    struct Group {
        QString rule;
        QWidget* box;
        QList<QLineEdit*> fields;
    };
    [[nodiscard]] const Group* shown() const;
    std::array<Group, 3> groups_;
    QString rule_;
};

}  // namespace casp::widgets
