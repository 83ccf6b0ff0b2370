#pragma once
// Groups of items with equal keys, in order of first appearance: runs by their settings, tests by their
// metric.

#include <algorithm>
#include <cstddef>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

namespace casp {

/// Appends the item unless the list has it.
template <class T>
void add_once(std::vector<T>& list, const std::type_identity_t<T>& item) {
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

/// Pairs of a key and pointers to the items that have it, both in order of first appearance. `key_of(item)`
/// gives the key of an item of `items`, which must outlive the groups.
template <class Items, class KeyOf>
[[nodiscard]] auto grouped(const Items& items, KeyOf key_of) {
    using Item = std::remove_reference_t<decltype(*items.begin())>;
    using Key = std::decay_t<decltype(key_of(*items.begin()))>;
    std::vector<std::pair<Key, std::vector<Item*>>> groups;
    std::map<Key, std::size_t> places;
    for (auto& item : items) {
        const auto [place, is_new] = places.emplace(key_of(item), groups.size());
        if (is_new) groups.push_back({place->first, {}});
        groups[place->second].second.push_back(&item);
    }
    return groups;
}

}  // namespace casp
