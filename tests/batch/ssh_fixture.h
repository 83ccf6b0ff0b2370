#pragma once
// A real sshd on this machine, reached through a relay that adds latency and can be cut.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <list>
#include <string>
#include <thread>

#include <QtTest>

namespace casp::test {

/// A listening TCP socket on a free port of 127.0.0.1.
struct Listener {
    int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int port = 0;
    Listener() {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(socket, 16) != 0 ||
            ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            qFatal("no port");
        port = ntohs(address.sin_port);
    }
};

/// Passes TCP connections on to a port, each direction later by the same time. All work is done on its
/// thread.
class Relay {
public:
    Relay(int to, std::chrono::milliseconds delay) : to_(to), delay_(delay) {}
    ~Relay() {
        thread_.request_stop();
        thread_.join();
        ::close(listener_.socket);
    }
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;

    [[nodiscard]] int port() const { return listener_.port; }
    /// Ends all connections, in the middle of whatever they carry.
    void cut() {
        cut_ = true;
        while (cut_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    void set_delay(std::chrono::milliseconds delay) { delay_ = delay; }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }  ///< passed on, in both directions

private:
    using Clock = std::chrono::steady_clock;
    struct Way {
        int from = -1, to = -1;
        std::deque<std::pair<Clock::time_point, std::string>> late;
        std::size_t held = 0;
        bool ended = false;
    };
    struct Link {
        std::array<Way, 2> ways;
        bool broken = false;
    };

    void accept() {
        const int client = ::accept4(listener_.socket, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) return;
        const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(to_));
        if (::connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
            ::close(client);
            ::close(server);
            return;
        }
        const int on = 1;
        for (const int end : {client, server}) ::setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        links_.push_back({{Way{client, server, {}, 0, false}, Way{server, client, {}, 0, false}}, false});
    }
    void pass_on(Link& link) {
        std::array<char, 1u << 16u> buffer;
        constexpr std::size_t max_held = 16u << 20u;
        for (auto& way : link.ways) {
            while (!way.ended && way.held < max_held) {
                const auto got = ::recv(way.from, buffer.data(), buffer.size(), MSG_DONTWAIT);
                if (got < 0) break;
                way.ended = got == 0;
                if (got > 0)
                    way.late.emplace_back(Clock::now() + delay_.load(),
                                          std::string(buffer.data(), static_cast<std::size_t>(got)));
                way.held += static_cast<std::size_t>(got);
            }
            while (!way.late.empty() && way.late.front().first <= Clock::now()) {
                auto& bytes = way.late.front().second;
                const auto sent = ::send(way.to, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
                if (sent < 0 && errno != EAGAIN) link.broken = true;
                if (sent <= 0) break;
                bytes_ += sent;
                way.held -= static_cast<std::size_t>(sent);
                bytes.erase(0, static_cast<std::size_t>(sent));
                if (!bytes.empty()) break;
                way.late.pop_front();
            }
            if (way.ended && way.late.empty()) link.broken = true;
        }
    }
    static void close(const Link& link) {
        for (const auto& way : link.ways) {
            const linger reset{1, 0};  // as a lost network: what is on its way is lost
            ::setsockopt(way.from, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
            ::close(way.from);
        }
    }
    void run(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            std::vector<pollfd> watched{{listener_.socket, POLLIN, 0}};
            for (const auto& link : links_)
                for (const auto& way : link.ways)
                    if (!way.ended) watched.push_back({way.from, POLLIN, 0});
            const bool late = std::any_of(links_.begin(), links_.end(), [](const Link& link) {
                return !link.ways[0].late.empty() || !link.ways[1].late.empty();
            });
            (void)::poll(watched.data(), watched.size(), late ? 1 : 20);
            if (watched.front().revents != 0) accept();
            for (auto& link : links_) pass_on(link);
            if (cut_ || stop.stop_requested())
                for (auto& link : links_) link.broken = true;
            links_.remove_if([](const Link& link) {
                if (link.broken) close(link);
                return link.broken;
            });
            cut_ = false;
        }
        for (const auto& link : links_) close(link);
    }

    const int to_;
    std::atomic<std::chrono::milliseconds> delay_;
    std::atomic<bool> cut_{false};
    std::atomic<std::int64_t> bytes_{0};
    Listener listener_;
    std::list<Link> links_;
    std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};
};

/// sshd with a port, host key and authorized_keys of its own in a temporary folder, and an ssh configuration
/// with the host `cluster` that leads to it. Ends with this object.
class SshServer {
public:
    /// Why sshd cannot be started here; empty: it can.
    [[nodiscard]] static QString missing() {
        for (const auto* program : {"ssh", "ssh-keygen"})
            if (QStandardPaths::findExecutable(program).isEmpty())
                return QStringLiteral("%1 is not installed (openssh-client)").arg(program);
        return sshd_path().isEmpty() ? QStringLiteral("sshd is not installed (openssh-server)") : QString();
    }

    /// False: it does not answer; log() says why.
    bool start() {
        // sshd of root insists on this empty folder.
        if (::geteuid() == 0) QDir().mkpath(QStringLiteral("/run/sshd"));
        for (const auto* key : {"host_key", "user_key", "other_key"}) {
            QProcess keygen;
            keygen.start(QStringLiteral("ssh-keygen"), {"-q", "-t", "ed25519", "-N", "", "-f", path(key)});
            if (!keygen.waitForFinished() || keygen.exitCode() != 0) return false;
        }
        QFile::copy(path("user_key.pub"), path("authorized_keys"));
        {
            const Listener free;
            port_ = free.port;
            ::close(free.socket);
        }
        write("sshd_config",
              QStringLiteral("Port %1\nListenAddress 127.0.0.1\nHostKey %2\nAuthorizedKeysFile %3\n"
                             "PidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
                             "KbdInteractiveAuthentication no\nPermitRootLogin yes\nMaxStartups 100\n")
                  .arg(port_)
                  .arg(path("host_key"), path("authorized_keys")));
        server_.setProcessChannelMode(QProcess::MergedChannels);
        server_.start(sshd_path(), {"-D", "-e", "-f", path("sshd_config")});
        if (!server_.waitForStarted()) return false;
        write_config(port_, "user_key");
        qputenv("CASPSTUDIO_SSH", ("ssh -F " + path("ssh_config")).toUtf8());
        for (int attempt = 0; attempt < 100; ++attempt) {
            if (QProcess::execute("ssh", {"-F", path("ssh_config"), "cluster", "true"}) == 0) return true;
            QTest::qWait(100);
        }
        return false;
    }
    ~SshServer() {
        server_.kill();
        server_.waitForFinished();
    }

    /// From now on, `cluster` is reached at this port, with this key.
    void write_config(int port, const QString& key) const {
        write("ssh_config",
              QStringLiteral("Host cluster\n HostName 127.0.0.1\n Port %1\n IdentityFile %2\n"
                             " IdentitiesOnly yes\n IdentityAgent none\n UserKnownHostsFile %3\n"
                             " HostKeyAlias cluster\n StrictHostKeyChecking %4\n LogLevel ERROR\n")
                  .arg(port)
                  .arg(path(key), path("known_hosts"), known_ ? "yes" : "accept-new"));
        known_ = true;
    }
    void forget_host() const { write("known_hosts", {}); }
    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] QString path(const QString& name) const { return dir_.filePath(name); }
    [[nodiscard]] QByteArray log() { return server_.readAll(); }

private:
    [[nodiscard]] static QString sshd_path() {
        return QStandardPaths::findExecutable("sshd", {"/usr/sbin", "/usr/local/sbin", "/usr/bin"});
    }
    void write(const QString& name, const QString& text) const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0) qFatal("cannot write");
    }

    QTemporaryDir dir_;
    QProcess server_;
    int port_ = 0;
    mutable bool known_ = false;
};

}  // namespace casp::test
