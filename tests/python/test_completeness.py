"""Every public member of the C++ headers has a name in Python, or a reason why not, in python/members.txt."""

import inspect
import os
import re
import unittest

import headers
import openmi
from support import BINARY, SOURCE

_SECTION = re.compile(r"\[([^]]*)\]")
_RULE = re.compile(r"(\S+) (?:= (\S+)|- (.+))")


class Rule:
    """A line of members.txt."""

    def __init__(self, line, text):
        found = _RULE.fullmatch(text)
        if found is None:
            raise ValueError(f"members.txt:{line}: expected 'member = name' or 'member - reason', found '{text}'")
        self.line = line
        self.member, self.name, self.reason = found.groups()
        self.pattern = re.compile(re.escape(self.member).replace(r"\*", "(.*)"))
        self.uses = 0

    def name_of(self, member):
        """The name in Python: each `*` is the text that stood there, as Python writes it."""
        parts = list(self.pattern.fullmatch(member).groups())
        name = self.name
        while "*" in name:
            part = parts.pop(0)
            is_class = name.index("*") < name.rfind(".") or "." not in name.replace("openmi.", "")
            name = name.replace("*", part if is_class else snake(part), 1)
        return name


def snake(name):
    """'RealTimeFactor' as 'real_time_factor'."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def read_rules():
    """The rules by their header, in order."""
    sections = {}
    with open(os.path.join(SOURCE, "python", "members.txt"), encoding="utf-8") as file:
        lines = re.sub(r"\[[^]]*\]", lambda found: found.group().replace("\n", "\v"), file.read()).split("\n")
    rules, line = [], 0
    for text in lines:
        line += 1
        section = _SECTION.fullmatch(text)
        if section:
            rules = []
            for header in section.group(1).split():
                sections.setdefault(header, rules)
        elif text and not text.startswith("#"):
            rules.append(Rule(line, text))
        line += text.count("\v")
    return sections


def rule_for(rules, member):
    exact = [rule for rule in rules if rule.member == member]
    return (exact or [rule for rule in rules if rule.pattern.fullmatch(member)] or [None])[0]


def has(name):
    """Whether Python has a name: 'openmi.Run.step', 'openmi.Composition.run(results)'."""
    name, _, parameter = name.rstrip(")").partition("(")
    found = openmi
    for part in name.split(".")[1:]:
        kept = found
        found = getattr(kept, part, None)
        if found is None and inspect.isclass(kept) and any(part in getattr(base, "__annotations__", ())
                                                            for base in kept.__mro__):
            found = part  # an attribute of objects
        if found is None:
            return False
    return not parameter or parameter in inspect.signature(found).parameters


def public_headers():
    with open(os.path.join(BINARY, "public-headers.txt"), encoding="utf-8") as file:
        paths = [os.path.relpath(os.path.normpath(line.strip()), SOURCE) for line in file if line.strip()]
    return paths


class Completeness(unittest.TestCase):
    def test_no_member_was_forgotten(self):
        sections = read_rules()
        wrong = []
        for header in [*public_headers(), *sections]:
            if header not in sections:
                wrong.append(f"{header}: is public, and not in python/members.txt")
        for header, rules in sections.items():
            with open(os.path.join(SOURCE, header), encoding="utf-8") as file:
                members = headers.members(file.read())
            for member in members:
                rule = rule_for(rules, member)
                if rule is None:
                    wrong.append(f"{header}: {member} has no name in Python; bind it, or add a line with the reason to "
                                 "python/members.txt")
                    continue
                rule.uses += 1
                if rule.name and not has(rule.name_of(member)):
                    wrong.append(f"members.txt:{rule.line}: {header}: {member}: Python has no {rule.name_of(member)}")
        for rule in {id(rule): rule for rules in sections.values() for rule in rules}.values():
            if rule.uses == 0:
                wrong.append(f"members.txt:{rule.line}: no member is called {rule.member}")
        self.assertFalse(wrong, "\n" + "\n".join(wrong))

    def test_public_headers_are_found(self):
        self.assertIn("openmi/sdk/Error.hpp", public_headers())
        self.assertGreater(len(public_headers()), 100)

    def test_a_forgotten_member_would_be_noticed(self):
        rules = [Rule(1, "Where = openmi.Error"), Rule(2, "Where::* = openmi.Error.*")]
        self.assertEqual(rule_for(rules, "Where::file").name_of("Where::file"), "openmi.Error.file")
        self.assertTrue(has("openmi.Error.file"))
        self.assertFalse(has(rule_for(rules, "Where::column").name_of("Where::column")))
        self.assertIsNone(rule_for(rules, "Column"))
        self.assertTrue(has("openmi.Composition.run(results)"))
        self.assertFalse(has("openmi.Composition.run(column)"))


class TypesOfTheModule(unittest.TestCase):
    """The file of types (.pyi) of the module in C++ names what the module has."""

    def test_it_has_the_classes_and_members_of_the_module(self):
        import ast

        from openmi import _openmi

        with open(os.path.join(SOURCE, "python", "openmi", "_openmi.pyi"), encoding="utf-8") as file:
            tree = ast.parse(file.read())

        def names(body):
            found = set()
            for node in body:
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    found.add(node.name)
                elif isinstance(node, ast.AnnAssign):
                    found.add(node.target.id)
            return {name for name in found if not name.startswith("_")}

        def has_of(thing):
            return {name for name in dir(thing) if not name.startswith("_")}

        self.assertEqual(names(tree.body), has_of(_openmi))
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name != "RunState":
                self.assertEqual(names(node.body), has_of(getattr(_openmi, node.name)), node.name)


class Reader(unittest.TestCase):
    """The reader of headers itself."""

    def test_finds_what_is_public_and_nothing_else(self):
        text = """
#define NOT_THIS(x) \\
  int nor_this
namespace openmi {
namespace detail { int hidden(); }
class Known;  // int commented();
/* int commented_too(); */
enum class Colour : int { Red = 1, Green };
inline constexpr double kFactor = 3.6;
inline constexpr EnumNames<Colour> kColours{"red", "green; class Not { int x; }"};
using Numbers = std::vector<double>;
template <class T>
  requires(sizeof(T) > 1)
T Twice(T value) { return value + value; }
std::optional<int> Find(const std::map<int, std::vector<int>>& in, const char* text = "a;b(");
struct Place {
  std::string file = {}, line;
  std::function<void(int, double)> call;
  int numbers[3] = {1, 2, 3};
  bool is_there : 1;
  friend bool operator==(const Place&, const Place&) = default;
  struct Inner { int depth{7}; };
};
class Box final : public Base<int> {
  int hidden_first_;
 public:
  explicit Box(int size);
  ~Box() override;
  Box& operator=(const Box&) = delete;
  [[nodiscard]] int Size() const noexcept { return size_; }
  virtual void Do() = 0;
  template <class Work>
  auto With(Work&& work) -> decltype(work()) { if (true) { return work(); } }
  static constexpr int kMost = 4;
  using Base::Base;
 protected:
  void Guarded();
 private:
  int size_ = 0;
};
}
extern "C" {
typedef enum { A_NOTE = 0, A_WARNING = 1 } a_severity;
typedef struct a_run a_run;
typedef void (*a_observer)(void* user, double mjd);
size_t a_function(const char* path);
}
"""
        self.assertEqual(headers.members(text), [
            "Colour", "Colour::Red", "Colour::Green", "kFactor", "kColours", "Numbers", "Twice", "Find", "Place",
            "Place::file", "Place::line", "Place::call", "Place::numbers", "Place::is_there", "Place::Inner",
            "Place::Inner::depth", "Box", "Box::Size", "Box::Do", "Box::With", "Box::kMost", "A_NOTE", "A_WARNING",
            "a_severity", "a_run", "a_observer", "a_function"])
