// caspstudio --fetch through the real program: what it says and how it ends. No byte leaves this machine: the
// way out is a proxy of ours that never answers, or refuses. What arrives, cut, slow or wrong, is the matter
// of test_download.
#include <csignal>

#include <QTcpServer>
#include <QTcpSocket>
#include <QtTest>

#include "batch_fixture.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

namespace {

/// Takes every connection; answers with `answer`, or never.
class Proxy : public QTcpServer {
public:
    explicit Proxy(QByteArray answer = {}) : answer_(std::move(answer)) { listen(QHostAddress::LocalHost); }
    [[nodiscard]] QString address() const { return QStringLiteral("http://127.0.0.1:%1").arg(serverPort()); }
    QByteArray asked;

protected:
    void incomingConnection(qintptr handle) override {
        auto* socket = new QTcpSocket(this);
        socket->setSocketDescriptor(handle);
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
            asked += socket->readAll();
            if (answer_.isEmpty() || !asked.endsWith("\r\n\r\n")) return;
            socket->write(answer_);
            socket->disconnectFromHost();
        });
    }

private:
    QByteArray answer_;
};

}  // namespace

class TestFetch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_proxy_that_refuses() {
        Proxy proxy("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        QProcess process;
        start(process, {"--fetch", "ETTh1", "--to", "data"}, proxy);
        QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning, 120000);
        const auto said = process.readAllStandardError();
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QVERIFY2(process.exitCode() == 2, said.constData());  // as for any address that is closed to one
        QVERIFY2(proxy.asked.startsWith("CONNECT "), proxy.asked.constData());
        VERIFY_HAS(said, "403");
        QCOMPARE(process.readAllStandardOutput(), QByteArray());
        QVERIFY(QDir(place_.path("data")).entryList({"*.csv"}, QDir::Files).isEmpty());
    }

    void interruption_ends_with_130() {
        Proxy silent;
        QProcess process;
        start(process, {"--fetch", "ETTh1", "--to", "data"}, silent);
        QTRY_VERIFY_WITH_TIMEOUT(!silent.asked.isEmpty(), 60000);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning, 30000);
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(QDir(place_.path("data")).entryList({"*.csv"}, QDir::Files).isEmpty());
    }

    void present_file_is_not_downloaded_again() {
        const QString known = QStringLiteral(CASP_SHARED_DATA "/ETTh1.csv");
        if (!QFile::exists(known)) QSKIP("the shared ETTh1.csv is not here");
        QVERIFY(QDir().mkpath(place_.path("data")));
        QVERIFY(QFile::copy(known, place_.path("data/ETTh1.csv")));
        Proxy proxy;
        QProcess process;
        start(process, {"--fetch", "ETTh1", "--to", "data"}, proxy);
        QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning, 120000);
        const auto said = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, said.constData());
        VERIFY_HAS(said, "already present");
        QCOMPARE(process.readAllStandardOutput().trimmed(), QByteArray("data/ETTh1.csv"));
        QVERIFY(proxy.asked.isEmpty());
    }

private:
    void start(QProcess& process, const QStringList& arguments, const Proxy& proxy) const {
        place_.prepare(process, arguments);
        auto environment = process.processEnvironment();
        for (const char* name : {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"})
            environment.insert(name, proxy.address());
        for (const char* name : {"no_proxy", "NO_PROXY"}) environment.remove(name);
        process.setProcessEnvironment(environment);
        process.start();
    }
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestFetch)
#include "test_fetch.moc"
