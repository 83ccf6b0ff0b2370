#pragma once
// Field "Go to channel", which finds a channel of a wide table by part of its name.

#include <QLineEdit>
#include <QStringList>
#include <QStringListModel>
#include <QWidget>

namespace casp::widgets {

/// Completes while typing. Enter goes to the channel of that name, else to the next one whose name contains
/// the text; Enter again goes to the following match, wrapping around. GUI thread.
class ChannelJump : public QWidget {
    Q_OBJECT
public:
    explicit ChannelJump(QWidget* parent = nullptr);

    /// Names in the order of the table; none: the field is disabled.
    void set_channels(const QStringList& names);
    [[nodiscard]] QLineEdit* field() const { return field_; }
    /// Gives the field the focus with all text selected.
    void take_keyboard();

Q_SIGNALS:
    void chosen(int channel);
    void message(const QString& text, bool is_error);

private:
    void go();
    [[nodiscard]] int exact(const QString& text) const;
    /// The first channel from `first` on that matches, wrapping around; −1: none.
    [[nodiscard]] int find(const QString& text, int first, Qt::MatchFlags how) const;

    QLineEdit* field_;
    QStringListModel* names_;
    QString searched_;  ///< last search text, and its match
    int found_ = -1;
};

}  // namespace casp::widgets
