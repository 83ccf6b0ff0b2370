#pragma once
// The program in a terminal of a given size: what a person would see, and when.

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <functional>

#include "batch_fixture.h"

namespace casp::test {

/// What stands in a terminal after what a program wrote: carriage returns go back, text overwrites, lines
/// that are too long go on in the next row. Without escape sequences: the program uses none.
class Screen {
public:
    explicit Screen(int columns) : columns_(columns), rows_(1) {}

    /// A row as it was when the cursor left it or returned to its beginning, once per content.
    struct Drawn {
        qsizetype row = 0;
        QString text;         ///< without blanks at its end
        qsizetype reach = 0;  ///< columns that were written, with such blanks
    };

    void feed(const QByteArray& bytes) {
        for (const auto c : QString(decoder_.decode(bytes))) put(c);
    }

    [[nodiscard]] const QStringList& rows() const { return rows_; }
    [[nodiscard]] const QList<Drawn>& drawn() const { return drawn_; }
    [[nodiscard]] int escapes() const { return escapes_; }
    /// Rows as they are now, for a message.
    [[nodiscard]] QByteArray text() const { return rows_.join('\n').toUtf8(); }

private:
    void put(QChar c) {
        if (c == '\r') {
            note();
            column_ = 0;
        } else if (c == '\n') {
            note();
            down();
        } else if (c < ' ') {
            ++escapes_;
        } else {
            if (column_ >= columns_) {  // the program did not end its line in time
                note();
                down();
                column_ = 0;
            }
            auto& text = rows_[row_];
            if (text.size() <= column_) text = text.leftJustified(column_ + 1, ' ');
            text[column_++] = c;
        }
    }
    void down() {
        ++row_;
        if (row_ == rows_.size()) rows_.append(QString());
    }
    void note() {
        auto text = rows_[row_];
        while (text.endsWith(' ')) text.chop(1);
        if (text.isEmpty() || (!drawn_.isEmpty() && drawn_.last().row == row_ && drawn_.last().text == text))
            return;
        drawn_.append({row_, text, column_});
    }

    qsizetype columns_, row_ = 0, column_ = 0;
    QStringList rows_;
    QList<Drawn> drawn_;
    QStringDecoder decoder_{QStringDecoder::Utf8};
    int escapes_ = 0;
};

/// The program with a pseudo-terminal as its controlling terminal.
class Terminal {
public:
    explicit Terminal(int columns) : screen(columns) {
        size_.ws_row = 24;
        size_.ws_col = static_cast<unsigned short>(columns);
    }
    ~Terminal() {
        if (child_ > 0) {
            ::kill(child_, SIGKILL);
            ::waitpid(child_, nullptr, 0);
        }
        if (master_ >= 0) ::close(master_);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    /// Standard output or error (1, 2) goes to `file` instead, where one is given. False: there are no
    /// pseudo-terminals here.
    bool start(const Workplace& place, const QStringList& arguments, int redirected = 0,
               const QString& file = {}) {
        QProcess process;  // only for its environment
        place.prepare(process, arguments);
        std::vector<std::string> words{CASP_EXECUTABLE}, variables;
        for (const auto& word : arguments) words.push_back(word.toStdString());
        for (const auto& entry : process.processEnvironment().toStringList())
            variables.push_back(entry.toStdString());
        const auto pointers = [](std::vector<std::string>& texts) {
            std::vector<char*> list;
            for (auto& text : texts) list.push_back(text.data());
            list.push_back(nullptr);
            return list;
        };
        auto argv = pointers(words), environment = pointers(variables);
        const auto folder = process.workingDirectory().toStdString(), target = file.toStdString();
        child_ = ::forkpty(&master_, nullptr, nullptr, &size_);
        if (child_ != 0) return child_ > 0;
        const int fd = redirected == 0 ? -1 : ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const bool ready =
            ::chdir(folder.c_str()) == 0 && (redirected == 0 || ::dup2(fd, redirected) == redirected);
        if (ready) ::execve(argv[0], argv.data(), environment.data());
        ::_exit(99);
    }

    /// Shows what the program writes until `enough` says so or it ends; false: it ended, or took ten minutes.
    bool show_until(const std::function<bool()>& enough) {
        QElapsedTimer timer;
        timer.start();
        while (!enough()) {
            pollfd waiting{master_, POLLIN, 0};
            if (timer.elapsed() > 600000) return false;
            if (::poll(&waiting, 1, 100) <= 0) continue;
            QByteArray bytes(4096, '\0');
            const auto count = ::read(master_, bytes.data(), static_cast<std::size_t>(bytes.size()));
            if (count <= 0) return false;  // nobody has the other end open
            bytes.truncate(count);
            screen.feed(bytes);
        }
        return true;
    }

    /// Shows the rest; the exit status, -1 where there was none.
    int finish() {
        (void)show_until([] { return false; });
        int status = 0;
        pid_t ended = 0;
        QElapsedTimer timer;
        timer.start();
        while ((ended = ::waitpid(child_, &status, WNOHANG)) == 0 && timer.elapsed() < 30000)
            QTest::qSleep(5);
        if (ended != child_) return -1;
        child_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    void type(char key) const { (void)!::write(master_, &key, 1); }
    /// The screen keeps its width: what the program had written until then may be read later.
    void resize(int columns) {
        size_.ws_col = static_cast<unsigned short>(columns);
        ::ioctl(master_, TIOCSWINSZ, &size_);
    }

    Screen screen;

private:
    winsize size_{};
    int master_ = -1;
    pid_t child_ = -1;
};

}  // namespace casp::test
