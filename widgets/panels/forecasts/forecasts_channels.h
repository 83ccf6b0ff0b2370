#pragma once
// Channel selection of the Forecasts page: a button with a list that stays open while checking.

#include <cstdint>
#include <set>

#include <QStringList>
#include <QToolButton>

class QLineEdit;
class QListWidget;

namespace casp::widgets {

/// The button shows the plotted channels: by default the last one. GUI thread.
class ChannelChooser : public QToolButton {
    Q_OBJECT
public:
    explicit ChannelChooser(QWidget* parent = nullptr);

    void set_channels(const QStringList& names);
    /// Numbers of channels; empty: the last one.
    void set_chosen(const std::set<std::int64_t>& channels);
    [[nodiscard]] QListWidget& list() const { return *list_; }

Q_SIGNALS:
    /// The user changed the selection; empty: only the last channel.
    void chosen(const std::set<std::int64_t>& channels);

private:
    void connect_parts();
    void take_ticks();
    void show_matching(const QString& text);
    void show_text();

    QStringList names_;
    std::set<std::int64_t> chosen_;
    QLineEdit* search_;
    QListWidget* list_;
};

}  // namespace casp::widgets
