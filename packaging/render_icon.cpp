// render_icon IN.svg SIZE OUT.png: renders an icon during the build, with the Qt that the window uses.

#include <cstdio>

#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

int main(int argc, char** argv) {
    const int size = argc == 4 ? QByteArray(argv[2]).toInt() : 0;
    if (size < 1 || size > 4096) {
        std::fputs("render_icon: expected IN.svg SIZE OUT.png\n", stderr);
        return 2;
    }
    QSvgRenderer renderer(QString::fromLocal8Bit(argv[1]));
    QImage image(size, size, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    {
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        renderer.render(&painter);
    }
    if (!renderer.isValid() || !image.save(QString::fromLocal8Bit(argv[3]), "PNG", 0)) {
        std::fprintf(stderr, "render_icon: %s cannot be rendered to %s\n", argv[1], argv[3]);
        return 1;
    }
    return 0;
}
