#include "figures/svg_groups.h"

namespace casp::figures {

QByteArray with_few_groups(const QByteArray& svg) {
    const QByteArray begin = QByteArrayLiteral("<g "), end = QByteArrayLiteral("</g>");
    QByteArray result, open;  // the group that is still open
    result.reserve(svg.size());
    const auto close = [&] {
        if (!open.isEmpty()) result += end + '\n';
        open.clear();
    };
    qsizetype from = 0;
    for (qsizetype at = svg.indexOf(begin); at >= 0; at = svg.indexOf(begin, from)) {
        if (const auto between = svg.mid(from, at - from); !between.trimmed().isEmpty()) {
            close();
            result += between;
        }
        const auto body = svg.indexOf('>', at) + 1, stop = svg.indexOf(end, body),
                   inner = svg.indexOf(begin, body);
        from = inner >= 0 && inner < stop ? body : stop + end.size();
        auto head = svg.mid(at, body - at);
        if (from == body) {  // a group of groups
            close();
            result += head;
            continue;
        }
        auto content = svg.mid(body, stop - body).trimmed();
        if (content.isEmpty()) continue;
        if (const auto font = head.indexOf("\nfont-family"); font > 0 && !content.contains("<text"))
            head.remove(font, head.indexOf('\n', font + 1) - font);
        // The dashes that make one path of a line (plot_item.cpp).
        constexpr double longest_dash = 1e4;
        const QByteArray dashes = QByteArrayLiteral(" stroke-dasharray=\"");
        const auto dash = head.indexOf(dashes), width = head.indexOf(" stroke-width=");
        if (dash >= 0 && head.mid(dash + dashes.size()).split(',').front().toDouble() > longest_dash)
            head.remove(dash, width - dash);
        const auto place = head.indexOf(" transform=");
        const bool one = content.startsWith("<path ") && content.indexOf('<', 1) < 0 && place > 0;
        if (one) {
            content.insert(5, head.mid(place, head.size() - 1 - place));
            head = head.left(place) + '>';
        }
        if (!one || head != open) {
            close();
            result += head + '\n';
            open = head;
        }
        result += content + '\n';
        if (!one) close();
    }
    close();
    return result += svg.mid(from);
}

}  // namespace casp::figures
