// Perceptual colour maps. viridis, magma (Smith and van der Walt, CC0) and cividis (Nuñez, Anderton and
// Renslow, 2018): every fifth of their 256 entries, interpolated; blue-white-red: Brewer's RdBu reversed;
// blues: one hue of CIELAB, evenly falling in lightness.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "figures/style.h"

namespace casp::figures {
namespace {

constexpr std::array<std::uint32_t, 52> viridis = {
    0x440154, 0x46085c, 0x471063, 0x481769, 0x481d6f, 0x482475, 0x472a7a, 0x46307e, 0x453781,
    0x433d84, 0x414287, 0x3f4889, 0x3d4e8a, 0x3a538b, 0x38598c, 0x355e8d, 0x33638d, 0x31688e,
    0x2e6d8e, 0x2c718e, 0x2a768e, 0x297b8e, 0x27808e, 0x25848e, 0x23898e, 0x218e8d, 0x20928c,
    0x1f978b, 0x1e9c89, 0x1fa188, 0x21a585, 0x24aa83, 0x28ae80, 0x2eb37c, 0x35b779, 0x3dbc74,
    0x46c06f, 0x50c46a, 0x5ac864, 0x65cb5e, 0x70cf57, 0x7cd250, 0x89d548, 0x95d840, 0xa2da37,
    0xb0dd2f, 0xbddf26, 0xcae11f, 0xd8e219, 0xe5e419, 0xf1e51d, 0xfde725};

constexpr std::array<std::uint32_t, 52> cividis = {
    0x00224e, 0x002656, 0x002a5f, 0x002d68, 0x003070, 0x083370, 0x163770, 0x203a6f, 0x273e6e,
    0x2e416d, 0x34456c, 0x3a486c, 0x3f4c6c, 0x444f6c, 0x49536c, 0x4e566c, 0x535a6d, 0x575d6d,
    0x5c616e, 0x60646f, 0x656870, 0x696b71, 0x6d6f72, 0x727274, 0x767676, 0x7a7a78, 0x7e7d78,
    0x838179, 0x888578, 0x8d8878, 0x928c78, 0x969077, 0x9b9476, 0xa09875, 0xa59c74, 0xaaa073,
    0xafa471, 0xb5a86f, 0xbaac6d, 0xbfb06b, 0xc4b468, 0xc9b965, 0xcfbd62, 0xd4c15f, 0xdac65b,
    0xdfca57, 0xe5cf52, 0xead34c, 0xf0d846, 0xf6dd3f, 0xfce236, 0xfee838};

constexpr std::array<std::uint32_t, 52> magma = {
    0x000004, 0x02020b, 0x050416, 0x090720, 0x0e0b2b, 0x140e36, 0x1a1042, 0x21114e, 0x29115a,
    0x311165, 0x390f6e, 0x420f75, 0x4a1079, 0x52137c, 0x5a167e, 0x621980, 0x6a1c81, 0x721f81,
    0x792282, 0x812581, 0x892881, 0x912b81, 0x992d80, 0xa1307e, 0xaa337d, 0xb2357b, 0xba3878,
    0xc23b75, 0xca3e72, 0xd2426f, 0xd9466b, 0xe04c67, 0xe75263, 0xec5860, 0xf1605d, 0xf4695c,
    0xf7725c, 0xf97b5d, 0xfb8560, 0xfc8e64, 0xfd9869, 0xfea16e, 0xfeaa74, 0xfeb47b, 0xfebd82,
    0xfec68a, 0xfecf92, 0xfed89a, 0xfde2a3, 0xfdebac, 0xfcf4b6, 0xfcfdbf};
constexpr std::array<std::uint32_t, 11> blue_white_red = {0x053061, 0x2166ac, 0x4393c3, 0x92c5de,
                                                          0xd1e5f0, 0xf7f7f7, 0xfddbc7, 0xf4a582,
                                                          0xd6604d, 0xb2182b, 0x67001f};

constexpr std::array<std::uint32_t, 14> blues = {0xf0fbff, 0xd2ebff, 0xb4dbfd, 0x98caf8, 0x7dbaf1,
                                                 0x64a9e8, 0x4e98dd, 0x3c87cf, 0x2f77be, 0x2866ab,
                                                 0x265695, 0x25477e, 0x243865, 0x212a4c};

std::span<const std::uint32_t> table_of(const QString& map) {
    if (map == QLatin1String("cividis")) return cividis;
    if (map == QLatin1String("magma")) return magma;
    if (map == QLatin1String("blue-white-red")) return blue_white_red;
    if (map == QLatin1String("blues")) return blues;
    return viridis;
}

}  // namespace

QRgb map_colour(const QString& map, double value) {
    if (!std::isfinite(value)) return qRgba(0, 0, 0, 0);
    const auto table = table_of(map);
    const double at = std::clamp(value, 0.0, 1.0) * static_cast<double>(table.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), table.size() - 2);
    const double share = at - static_cast<double>(below);
    const QRgb a = table[below], b = table[below + 1];
    const auto mix = [share](int x, int y) { return static_cast<int>(std::lround(x + share * (y - x))); };
    return qRgb(mix(qRed(a), qRed(b)), mix(qGreen(a), qGreen(b)), mix(qBlue(a), qBlue(b)));
}

}  // namespace casp::figures
