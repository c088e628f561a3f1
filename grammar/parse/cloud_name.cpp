#include "grammar/parse/cloud_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/words.h"

namespace shard {

namespace {

struct Family {
  std::string_view word;  // only small letters and digits
  std::string_view chip;
  std::string_view spoken;
  int cores;  // per chip, in the count after the name
  int axes;   // of the torus; 0: a switch
  std::string_view declaration = "";
  std::int64_t chips = 0;  // stated by the name itself
};

constexpr std::string_view kA100 =
    "chip A100 {pod: 8, HBM: 80 GB, W_hbm: 2e12 B/s, C: 3.12e14 FLOP/s, W1: 3e11 B/s, wrap: "
    "switch}";
constexpr std::string_view kH200 = "chip H200 = H100 {HBM: 141 GB, W_hbm: 4.8e12 B/s}";

// A name comes before its prefixes, as the first match is taken.
constexpr Family kFamilies[] = {{"v5litepod", "TPUv5e", "TPU v5e", 1, 2},
                                {"v5lite", "TPUv5e", "TPU v5e", 1, 2},
                                {"ct5lp", "TPUv5e", "TPU v5e", 1, 2},
                                {"ct5l", "TPUv5e", "TPU v5e", 1, 2},
                                {"v5e", "TPUv5e", "TPU v5e", 1, 2},
                                {"ct5p", "TPUv5p", "TPU v5p", 2, 3},
                                {"v5p", "TPUv5p", "TPU v5p", 2, 3},
                                {"ct6e", "TPUv6e", "TPU v6e", 1, 2},
                                {"v6e", "TPUv6e", "TPU v6e", 1, 2},
                                {"v6lite", "TPUv6e", "TPU v6e", 1, 2},
                                {"trillium", "TPUv6e", "TPU v6e", 1, 2},
                                {"ct4p", "TPUv4p", "TPU v4", 2, 3},
                                {"v4p", "TPUv4p", "TPU v4", 2, 3},
                                {"v4", "TPUv4p", "TPU v4", 2, 3},
                                {"ct3", "TPUv3", "TPU v3", 2, 2},
                                {"v3", "TPUv3", "TPU v3", 2, 2},
                                {"v2", "TPUv2", "TPU v2", 2, 2},
                                {"v7x", "TPU7x", "TPU7x", 1, 3},
                                {"7x", "TPU7x", "TPU7x", 1, 3},
                                {"ironwood", "TPU7x", "TPU7x", 1, 3},
                                {"h100", "H100", "H100", 1, 0},
                                {"a3highgpu", "H100", "H100", 1, 0},
                                {"a3megagpu", "H100", "H100", 1, 0},
                                {"p548xlarge", "H100", "H100", 1, 0, "", 8},
                                {"h200", "H200", "H200", 1, 0, kH200},
                                {"a3ultragpu", "H200", "H200", 1, 0, kH200},
                                {"gb200", "GB200", "GB200", 1, 0},
                                {"gb300", "GB300", "GB300", 1, 0},
                                {"b200", "B200", "B200", 1, 0},
                                {"a4highgpu", "B200", "B200", 1, 0},
                                {"a100", "A100", "A100", 1, 0, kA100},
                                {"a2highgpu", "A100", "A100", 1, 0, kA100},
                                {"a2ultragpu", "A100", "A100", 1, 0, kA100},
                                {"mi300x", "MI300X", "MI300X", 1, 0},
                                {"mi355x", "MI355X", "MI355X", 1, 0},
                                {"trn248xlarge", "Trainium2", "Trainium2", 1, 2, "", 16},
                                {"trainium2", "Trainium2", "Trainium2", 1, 2},
                                {"trn2", "Trainium2", "Trainium2", 1, 2}};

// What may precede the name of a chip.
constexpr std::string_view kMakers[] = {"google", "cloud", "gcp", "gke", "tpu",    "nvidia",  "dgx",
                                        "hgx",    "gpu",   "amd", "aws", "amazon", "instinct"};

// The usual slices by number of chips, for a torus of two and of three axes.
struct UsualSlice {
  std::int64_t chips;
  std::string_view flat;
  std::string_view cubic;
};
constexpr UsualSlice kUsualSlices[] = {
    {1, "1x1", "1x1x1"},     {2, "1x2", "1x1x2"},       {4, "2x2", "2x2x1"},
    {8, "2x4", "2x2x2"},     {16, "4x4", "2x2x4"},      {32, "4x8", "2x4x4"},
    {64, "8x8", "4x4x4"},    {128, "8x16", "4x4x8"},    {256, "16x16", "4x8x8"},
    {512, "16x32", "8x8x8"}, {1024, "32x32", "8x8x16"}, {2048, "", "8x16x16"},
    {4096, "", "16x16x16"},  {8960, "", "16x20x28"}};

// Small letters and digits: the words between everything else.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (is_letter(c) || is_digit(c))
      words.back() += static_cast<char>(is_letter(c) ? c | ' ' : c);
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::int64_t number_of(std::string_view digits) {
  // Longer numbers are not counts of chips; ten times the largest pod is covered.
  constexpr std::size_t kMostDigits = 5;
  if (digits.empty() || digits.size() > kMostDigits) return 0;
  if (!std::all_of(digits.begin(), digits.end(), [](char c) { return is_digit(c); })) return 0;
  return std::stoll(std::string(digits));
}

// `4x4` and the like.
bool is_slice(std::string_view word) {
  return word.find('x') != std::string_view::npos && is_digit(word.front()) &&
         is_digit(word.back()) &&
         std::all_of(word.begin(), word.end(), [](char c) { return is_digit(c) || c == 'x'; });
}

// A name, word by word.
class NameReader {
 public:
  explicit NameReader(std::string_view text) : words_(words_of(text)) {}

  std::optional<CloudMachine> read() {
    skip_makers();
    const Family* family = find_family();
    if (family == nullptr) return std::nullopt;
    read_rest(*family);
    CloudMachine result{std::string(family->chip), std::string(family->declaration), ""};
    const std::int64_t chips = chips_ == 0 ? family->chips : chips_;
    if (slice_.empty()) slice_ = usual_slice(*family, chips);
    if (!slice_.empty()) result.machine += " " + slice_;
    const std::string count =
        chips == 0 ? "" : fmt::format("{} chip{} of ", chips, chips == 1 ? "" : "s");
    result.meaning = (cores_ == 0 ? "" : fmt::format("{} TensorCores, two to a chip: ", cores_)) +
                     count + std::string(family->spoken);
    if (nodes_ > 0 && chips > 0) {
      result.meaning = fmt::format("{} node{} of {}{}", nodes_, nodes_ == 1 ? "" : "s",
                                   result.meaning, nodes_ == 1 ? "" : " each");
      result.mesh = fmt::format("mesh {{P: {} dcn, X: {}}}", nodes_, chips);
    }
    return result;
  }

 private:
  // `8x` and `NVIDIA` too.
  void skip_makers() {
    while (first_ < words_.size()) {
      std::string& word = words_[first_];
      const auto maker =
          std::find_if(std::begin(kMakers), std::end(kMakers),
                       [&](std::string_view known) { return word.starts_with(known); });
      const std::size_t digits = word.find_first_not_of("0123456789");
      const bool times =
          digits != 0 && digits != std::string::npos && word[digits] == 'x' && word != "7x";
      if (maker != std::end(kMakers)) {
        word.erase(0, maker->size());
      } else if (times) {
        chips_ = number_of(word.substr(0, digits));
        word.erase(0, digits + 1);
      } else {
        return;
      }
      if (word.empty()) ++first_;
    }
  }

  const Family* find_family() {
    std::string joined;
    for (std::size_t i = first_; i < words_.size(); ++i) joined += words_[i];
    for (const Family& known : kFamilies) {
      if (joined.starts_with(known.word) && ends(known.word.size())) return &known;
    }
    return nullptr;
  }

  // Skips the first `length` letters if a name ends there and not in the middle of another word.
  bool ends(std::size_t length) {
    std::size_t word = first_;
    while (word < words_.size() && length >= words_[word].size()) length -= words_[word++].size();
    if (length > 0) {
      const std::string_view rest = std::string_view(words_[word]).substr(length);
      if (number_of(rest) == 0 && rest != "pod") return false;
      words_[word].erase(0, length);
    }
    first_ = word;
    return true;
  }

  void read_rest(const Family& family) {
    for (; first_ < words_.size(); ++first_) {
      const std::string& word = words_[first_];
      if (is_slice(word)) {
        slice_ = word;
        continue;
      }
      // `x8`, and `NVL72` of a rack.
      const std::size_t sign = word.starts_with("nvl") ? 3 : word.front() == 'x' ? 1 : 0;
      if (family.axes == 0 && sign > 0 && number_of(word.substr(sign)) > 0) {
        chips_ = number_of(word.substr(sign));
        continue;
      }
      // `4t` and `8g` count the chips of a virtual machine.
      const bool host = word.size() > 1 && (word.back() == 't' || word.back() == 'g');
      const std::int64_t number = number_of(host ? word.substr(0, word.size() - 1) : word);
      if (number == 0) continue;
      // `8 x 4 nodes`
      if (first_ + 1 < words_.size() && words_[first_ + 1].starts_with("node")) {
        nodes_ = number;
        continue;
      }
      const bool counts_cores = !host && family.cores > 1;
      chips_ = counts_cores ? std::max<std::int64_t>(1, number / family.cores) : number;
      cores_ = counts_cores ? number : 0;
    }
  }

  static std::string usual_slice(const Family& family, std::int64_t chips) {
    if (chips == 0) return "";
    if (family.axes == 0) return std::to_string(chips);
    const auto usual = std::find_if(std::begin(kUsualSlices), std::end(kUsualSlices),
                                    [&](const UsualSlice& known) { return known.chips == chips; });
    if (usual == std::end(kUsualSlices)) return "";
    return std::string(family.axes == 2 ? usual->flat : usual->cubic);
  }

  std::vector<std::string> words_;
  std::size_t first_ = 0;
  std::int64_t chips_ = 0;
  std::int64_t cores_ = 0;
  std::int64_t nodes_ = 0;
  std::string slice_;
};

}  // namespace

std::optional<CloudMachine> read_cloud_name(std::string_view text) {
  return NameReader(text).read();
}

}  // namespace shard
