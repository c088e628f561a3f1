#include "grammar/markup/latex_command.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/contains.h"

namespace shard {
namespace {

// Commands that stand for a sign or a word of the notation.
constexpr std::pair<std::string_view, std::string_view> kTexts[] = {{"approx", "≈"},
                                                                    {"ast", "*"},
                                                                    {"bullet", "•"},
                                                                    {"cdot", "·"},
                                                                    {"cdots", "…"},
                                                                    {"colon", ":"},
                                                                    {"coloneqq", "="},
                                                                    {"div", "/"},
                                                                    {"dots", "…"},
                                                                    {"dotsc", "…"},
                                                                    {"ell", "l"},
                                                                    {"eq", "="},
                                                                    {"ge", "≥"},
                                                                    {"geq", "≥"},
                                                                    {"gets", "←"},
                                                                    {"gt", ">"},
                                                                    {"lbrace", "{"},
                                                                    {"lbrack", "["},
                                                                    {"ldots", "…"},
                                                                    {"le", "≤"},
                                                                    {"leftarrow", "←"},
                                                                    {"leq", "≤"},
                                                                    {"longleftarrow", "←"},
                                                                    {"longrightarrow", "→"},
                                                                    {"lt", "<"},
                                                                    {"ln", "log"},
                                                                    {"log", "log"},
                                                                    {"lvert", "|"},
                                                                    {"max", "max"},
                                                                    {"min", "min"},
                                                                    {"mid", "|"},
                                                                    {"mod", " mod "},
                                                                    {"ne", "≠"},
                                                                    {"neq", "≠"},
                                                                    {"odot", "⊙"},
                                                                    {"pm", "±"},
                                                                    {"prime", "'"},
                                                                    {"rbrace", "}"},
                                                                    {"rbrack", "]"},
                                                                    {"rightarrow", "→"},
                                                                    {"rvert", "|"},
                                                                    {"sim", "~"},
                                                                    {"textasteriskcentered", "*"},
                                                                    {"times", "×"},
                                                                    {"to", "→"},
                                                                    {"triangleq", "="},
                                                                    {"vert", "|"},
                                                                    {"exp", "exp"},
                                                                    {"alpha", "alpha"},
                                                                    {"beta", "beta"},
                                                                    {"gamma", "gamma"},
                                                                    {"delta", "delta"},
                                                                    {"epsilon", "epsilon"},
                                                                    {"eta", "eta"},
                                                                    {"theta", "theta"},
                                                                    {"kappa", "kappa"},
                                                                    {"lambda", "lambda"},
                                                                    {"mu", "mu"},
                                                                    {"nu", "nu"},
                                                                    {"xi", "xi"},
                                                                    {"pi", "pi"},
                                                                    {"rho", "rho"},
                                                                    {"sigma", "sigma"},
                                                                    {"tau", "tau"},
                                                                    {"phi", "phi"},
                                                                    {"varphi", "phi"},
                                                                    {"psi", "psi"},
                                                                    {"omega", "omega"},
                                                                    {"Delta", "Delta"},
                                                                    {"Gamma", "Gamma"},
                                                                    {"Theta", "Theta"},
                                                                    {"Lambda", "Lambda"},
                                                                    {"Phi", "Phi"},
                                                                    {"Psi", "Psi"},
                                                                    {"Omega", "Omega"},
                                                                    {"Sigma", "Sigma"}};

// Commands that change the look of their argument.
constexpr std::string_view kWrappers[] = {
    "blue",       "bm",     "boldsymbol", "cyan",   "emph",   "fbox",         "gray",
    "green",      "hbox",   "magenta",    "mathbb", "mathbf", "mathcal",      "mathit",
    "mathnormal", "mathrm", "mathsf",     "mathtt", "mbox",   "operatorname", "orange",
    "pmb",        "purple", "red",        "text",   "textbf", "textit",       "textmd",
    "textnormal", "textrm", "textsc",     "textsf", "textsl", "texttt",       "textup",
    "underline",  "boxed"};

// Commands that set a mark on a name, which is another name then: \hat{m} is m_hat.
constexpr std::pair<std::string_view, std::string_view> kAccents[] = {
    {"hat", "_hat"},     {"widehat", "_hat"},     {"bar", "_bar"},    {"overline", "_bar"},
    {"tilde", "_tilde"}, {"widetilde", "_tilde"}, {"vec", "_vec"},    {"dot", "_dot"},
    {"ddot", "_ddot"},   {"check", "_check"},     {"breve", "_breve"}};

// Commands that change the look of what follows.
constexpr std::string_view kSwitches[] = {
    "Big",        "Bigg",      "Biggl",        "Biggr",        "Bigl",       "Bigr",
    "Huge",       "LARGE",     "Large",        "big",          "bigg",       "biggl",
    "biggr",      "bigl",      "bigr",         "bf",           "bfseries",   "bigskip",
    "boldmath",   "centering", "displaystyle", "footnotesize", "hfill",      "hline",
    "huge",       "it",        "large",        "left",         "limits",     "medskip",
    "middle",     "noindent",  "nolimits",     "nonumber",     "normalsize", "notag",
    "par",        "right",     "rm",           "scriptsize",   "sf",         "small",
    "smallskip",  "strut",     "textstyle",    "tiny",         "toprule",    "midrule",
    "bottomrule", "tt"};

constexpr std::string_view kSpaces[] = {"enskip", "enspace",    "medspace",  "qquad",       "quad",
                                        "space",  "thickspace", "thinspace", "negthinspace"};

// Commands with arguments that are not notation, and how many.
constexpr std::pair<std::string_view, int> kAsides[] = {
    {"color", 1}, {"hphantom", 1},  {"hspace", 1},   {"label", 1},  {"phantom", 1},
    {"tag", 1},   {"textcolor", 1}, {"vphantom", 1}, {"vspace", 1}, {"colorbox", 1}};

template <class Table>
auto entry_of(const Table& table, std::string_view name) {
  const auto entry = std::find_if(std::begin(table), std::end(table),
                                  [&](const auto& known) { return known.first == name; });
  return entry == std::end(table) ? std::nullopt : std::optional(entry->second);
}

}  // namespace

std::optional<LatexCommand> latex_command(std::string_view name) {
  using Kind = LatexCommand::Kind;
  if (const auto text = entry_of(kTexts, name)) return LatexCommand{Kind::Text, *text, 0};
  if (contains(kSpaces, name)) return LatexCommand{Kind::Text, " ", 0};
  if (contains(kWrappers, name)) return LatexCommand{Kind::Wrapper, {}, 0};
  if (const auto mark = entry_of(kAccents, name)) return LatexCommand{Kind::Accent, *mark, 0};
  if (contains(kSwitches, name)) return LatexCommand{Kind::Switch, {}, 0};
  if (const auto arguments = entry_of(kAsides, name))
    return LatexCommand{Kind::Aside, {}, *arguments};
  return std::nullopt;
}

}  // namespace shard
