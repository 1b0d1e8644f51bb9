"""Takes vectors, atomic operations and other things that only some compilers have out of parsed C,
for plain_c.py.

Expressions are given types, as far as vectors need them. A vector becomes a struct with an array,
and an operation a function of its own:

    Simd4 sum = a + 2 * b;    ->    Vec_d4 sum = vec_d4_add(a, vec_d4_mul(vec_d4_all(2), b));

Numbers are computed in the same order, so the bits are the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pycparser import c_ast, c_generator

SIZES = {"double": 8, "float": 4, "int64_t": 8, "uint64_t": 8, "int32_t": 4, "uint32_t": 4}
SHORT = {
    "double": "d",
    "float": "f",
    "int64_t": "l",
    "uint64_t": "ul",
    "int32_t": "i",
    "uint32_t": "u",
}
SAME = {"mjtNum": "double", "int": "int32_t", "unsigned": "uint32_t", "unsigned int": "uint32_t"}

ARITHMETIC = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "shl",
    ">>": "shr",
}
COMPARISONS = {"<": "lt", ">": "gt", "<=": "le", ">=": "ge", "==": "eq", "!=": "ne"}

# atomic operations on numbers: the arguments behind the first that are taken, what is done to *p
ATOMIC = {
    "compare_exchange": (
        2,
        "int {f}(volatile {T}* p, {T}* expected, {T} x)",
        "int same = *p == *expected;\n  *(same ? p : expected) = same ? x : *p;\n  return same;",
    ),
    "test_and_set": (
        0,
        "{T} {f}(volatile {T}* p)",
        "{T} before = *p;\n  *p = 1;\n  return before;",
    ),
    "exchange": (
        1,
        "{T} {f}(volatile {T}* p, {T} x)",
        "{T} before = *p;\n  *p = x;\n  return before;",
    ),
    "fetch_add": (
        1,
        "{T} {f}(volatile {T}* p, {T} x)",
        "{T} before = *p;\n  *p += x;\n  return before;",
    ),
    "fetch_sub": (
        1,
        "{T} {f}(volatile {T}* p, {T} x)",
        "{T} before = *p;\n  *p -= x;\n  return before;",
    ),
    "fetch_and": (
        1,
        "{T} {f}(volatile {T}* p, {T} x)",
        "{T} before = *p;\n  *p &= x;\n  return before;",
    ),
    "load": (0, "{T} {f}(const volatile {T}* p)", "return *p;"),
    "store": (1, "void {f}(volatile {T}* p, {T} x)", "*p = x;"),
    "init": (1, "void {f}(volatile {T}* p, {T} x)", "*p = x;"),
    "clear": (0, "void {f}(volatile {T}* p)", "*p = 0;"),
}
# and on pointers of any type, at the address p
READ = "void* before;\n  memcpy(&before, p, sizeof(before));\n  "
ATOMIC_POINTER = {
    "compare_exchange": (
        2,
        "int {f}(void* p, void* expected, const void* x)",
        "int same = !memcmp(p, expected, sizeof(x));\n"
        "  memcpy(same ? p : expected, same ? (void*)&x : p, sizeof(x));\n  return same;",
    ),
    "exchange": (
        1,
        "void* {f}(void* p, const void* x)",
        READ + "memcpy(p, &x, sizeof(x));\n  return before;",
    ),
    "load": (0, "void* {f}(const void* p)", READ + "return before;"),
    "store": (1, "void {f}(void* p, const void* x)", "memcpy(p, &x, sizeof(x));"),
}

# what GCC counts in the bits of x, which has the width that its name ends with
BITS = {
    "ctz": "int n = 0;\n  while (!(x >> n & 1)) {\n    n++;\n  }\n  return n;",
    "clz": "int n = 8 * sizeof(x) - 1;\n  for (; x >>= 1;) {\n    n--;\n  }\n  return n;",
    "popcount": "int n = 0;\n  for (; x; x &= x - 1) {\n    n++;\n  }\n  return n;",
}
WIDTHS = {"": "unsigned", "l": "unsigned long", "ll": "unsigned long long"}
SWAP = (
    "uint64_t out = 0;\n  for (int k = 0; k < 64; k += 8) {\n"
    "    out = out << 8 | (x >> k & 255);\n  }\n  return out;"
)


# Types, as far as vectors need them; None where nothing is known, as of the system's functions.


@dataclass(frozen=True)
class Number:
    name: str


@dataclass(frozen=True)
class Vector:
    of: str  # a key of SIZES
    n: int

    @property
    def name(self) -> str:
        return f"Vec_{SHORT[self.of]}{self.n}"

    @property
    def mask(self) -> Vector:
        """What comparing two of them gives."""
        return Vector("int64_t" if SIZES[self.of] == 8 else "int32_t", self.n)


@dataclass(frozen=True)
class Pointer:
    to: Type
    is_array: bool = False


@dataclass(frozen=True)
class Function:
    gives: Type


@dataclass(frozen=True)
class Record:
    tag: str


Type = Number | Vector | Pointer | Function | Record | None


def target(t: Type) -> Type:
    return t.to if isinstance(t, Pointer) else None


def call(name: str, *arguments: c_ast.Node) -> c_ast.FuncCall:
    return c_ast.FuncCall(c_ast.ID(name), c_ast.ExprList(list(arguments)))


def called(e: c_ast.Node) -> str:
    """The name of the function that an expression calls."""
    is_call = isinstance(e, c_ast.FuncCall) and isinstance(e.name, c_ast.ID)
    return e.name.name if is_call else ""


class Plain:
    """Rewrites a file, one declaration after the other, in place."""

    def __init__(self, vectors: dict[str, c_ast.Node]) -> None:
        self.vectors = vectors  # names of types, with their numbers of bytes
        self.types: dict[str, Type] = {}
        self.constants: dict[str, int] = {}
        self.members: dict[str, list[c_ast.Decl]] = {}  # of structs and unions, by their tags
        self.scopes: list[dict[str, Type]] = [{}]
        self.made: dict[str, str] = {}  # types and functions that stand for vectors and the like

    # types

    def type_of(self, n: c_ast.Node) -> Type:
        if isinstance(n, c_ast.PtrDecl):
            return Pointer(self.type_of(n.type))
        if isinstance(n, c_ast.ArrayDecl):
            return Pointer(self.type_of(n.type), is_array=True)
        if isinstance(n, c_ast.FuncDecl):
            return Function(self.type_of(n.type))
        if isinstance(n, c_ast.IdentifierType):
            name = " ".join(n.names)
            return self.types[name] if name in self.types else Number(SAME.get(name, name))
        if isinstance(n, c_ast.Enum):
            return Number("int32_t")
        if isinstance(n, (c_ast.Struct, c_ast.Union)):
            return Record(n.name or f"at {id(n)}")
        return self.type_of(n.type)

    def member(self, t: Type, name: str) -> Type:
        for d in self.members.get(t.tag, []) if isinstance(t, Record) else []:
            found = self.type_of(d.type) if d.name == name else None
            if not d.name:
                found = self.member(self.type_of(d.type), name)
            if found:
                return found
        return None

    def value(self, e: c_ast.Node) -> int:
        """The value of a constant expression, as sizes of vectors and indices into them are."""
        if isinstance(e, c_ast.Constant):
            return int(e.value.rstrip("uUlL"), 0)
        if isinstance(e, c_ast.ID):
            return self.constants[e.name]
        if isinstance(e, c_ast.UnaryOp) and e.op == "sizeof":
            t = self.type_of(e.expr)
            return SIZES[t.name] if isinstance(t, Number) else t.n * SIZES[t.of]
        if isinstance(e, c_ast.UnaryOp) and e.op == "-":
            return -self.value(e.expr)
        if isinstance(e, c_ast.BinaryOp) and e.op in ("+", "-", "*"):
            a, b = self.value(e.left), self.value(e.right)
            return a + b if e.op == "+" else a - b if e.op == "-" else a * b
        raise KeyError

    def define(self, n: c_ast.Node) -> None:
        """Notes what a type defines, and rewrites the expressions in it."""
        if isinstance(n, c_ast.Enum):
            self.enumerate(n)
        elif isinstance(n, (c_ast.Struct, c_ast.Union)):
            if n.decls is not None:
                self.members[n.name or f"at {id(n)}"] = n.decls
            for d in n.decls or []:
                self.define(d.type)
        elif isinstance(n, c_ast.FuncDecl):
            for p in n.args.params if n.args else []:
                if not isinstance(p, c_ast.EllipsisParam):
                    p.type = self.parameter(p.type)
                    self.define(p.type)
            self.define(n.type)
        elif isinstance(n, c_ast.ArrayDecl):
            n.dim = self.plain(n.dim)
            self.define(n.type)
        elif not isinstance(n, c_ast.IdentifierType):
            self.define(n.type)

    def enumerate(self, n: c_ast.Enum) -> None:
        value = -1
        for e in n.values.enumerators if n.values else []:
            try:
                value = self.value(e.value) if e.value else value + 1
                self.constants[e.name] = value
            except KeyError:  # not needed for vectors
                pass
            self.scopes[-1][e.name] = Number("int32_t")

    def parameter(self, n: c_ast.Node) -> c_ast.Node:
        """An array whose length is a parameter, too, is a pointer."""
        try:
            if isinstance(n, c_ast.ArrayDecl) and n.dim:
                self.value(n.dim)
            return n
        except KeyError:
            return c_ast.PtrDecl([], n.type)

    # vectors

    def make(self, name: str, head: str, body: str) -> str:
        """Makes a function, once."""
        self.made.setdefault(name, f"static {head} {{\n  {body}\n}}\n")
        return name

    def each(self, operation: str, result: Vector, parameters: str, component: str) -> str:
        """Makes a function that gives a vector by its components k."""
        self.use(result)
        name = f"{result.name.lower()}_{operation}"
        return self.make(
            name,
            f"{result.name} {name}({parameters})",
            f"{result.name} out;\n  for (int k = 0; k < {result.n}; k++) {{\n"
            f"    out.v[k] = {component};\n  }}\n  return out;",
        )

    def use(self, t: Vector) -> None:
        head = f"typedef struct {{\n  {t.of} v[{t.n}];\n}}"
        self.made.setdefault(f"({t.name}", f"{head} PLAIN_MAY_ALIAS {t.name};\n")

    def widened(self, e: c_ast.Node, t: Type, to: Vector) -> c_ast.Node:
        """A scalar in each component."""
        if isinstance(t, Vector):
            return self.reread(e, t, to)
        return call(self.each("all", to, f"{to.of} x", "x"), e)

    def reread(self, e: c_ast.Node, t: Type, to: Vector) -> c_ast.Node:
        """The bits of a vector as another one."""
        if t == to:
            return e
        if not isinstance(t, Vector) or t.n * SIZES[t.of] != to.n * SIZES[to.of]:
            raise TypeError(f"{e.coord}: {t} is no {to}")
        self.use(t)
        self.use(to)
        name = f"{to.name.lower()}_of_{t.name.lower()}"
        body = f"{to.name} out;\n  memcpy(&out, &x, sizeof(out));\n  return out;"
        return call(self.make(name, f"{to.name} {name}({t.name} x)", body), e)

    def operate(
        self, op: str, a: c_ast.Node, ta: Type, b: c_ast.Node, tb: Type
    ) -> tuple[c_ast.Node, Type]:
        t = ta if isinstance(ta, Vector) else tb
        a, b = self.widened(a, ta, t), self.widened(b, tb, t)
        parameters = f"{t.name} a, {t.name} b"
        if op in COMPARISONS:
            name = f"{COMPARISONS[op]}_{SHORT[t.of]}"
            return call(
                self.each(name, t.mask, parameters, f"a.v[k] {op} b.v[k] ? -1 : 0"), a, b
            ), t.mask
        return call(self.each(ARITHMETIC[op], t, parameters, f"a.v[k] {op} b.v[k]"), a, b), t

    def shuffle(self, e: c_ast.FuncCall) -> tuple[c_ast.Node, Type]:
        a, t = self.typed(e.args.exprs[0])
        b, _ = self.typed(e.args.exprs[1])
        index = [self.value(i) for i in e.args.exprs[2:]]
        result = Vector(t.of, len(index))
        self.use(result)
        name = f"{t.name.lower()}_pick_{'_'.join(map(str, index))}"
        picks = ", ".join(f"a.v[{i}]" if i < t.n else f"b.v[{i - t.n}]" for i in index)
        head = f"{result.name} {name}({t.name} a, {t.name} b)"
        body = f"{result.name} out = {{{{{picks}}}}};\n  return out;"
        return call(self.make(name, head, body), a, b), result

    def convert(self, e: c_ast.Cast, to: Vector) -> c_ast.Node:
        x, t = self.typed(e.expr.args.exprs[0])
        self.use(t)
        name = f"from_{SHORT[t.of]}"
        return call(self.each(name, to, f"{t.name} x", f"({to.of})x.v[k]"), x)

    # what compilers have built in

    def atomic(self, e: c_ast.FuncCall, t: Type) -> tuple[c_ast.Node, Type]:
        """t is the type of what the first argument points to: a number, or some pointer."""
        kind = next(kind for kind in ATOMIC if kind in called(e))
        T = t.name if isinstance(t, Number) else "pointer"
        more, head, body = (ATOMIC if isinstance(t, Number) else ATOMIC_POINTER)[kind]
        name = f"plain_{kind}_{T.replace(' ', '_')}"
        self.make(name, head.format(T=T, f=name), body.format(T=T))
        result = Number("int") if kind == "compare_exchange" else t
        return call(name, *e.args.exprs[: 1 + more]), result

    def count_bits(self, e: c_ast.FuncCall) -> tuple[c_ast.Node, Type]:
        word = called(e).removeprefix("__builtin_")
        name = f"plain_{word}"
        if word == "bswap64":
            self.make(name, f"uint64_t {name}(uint64_t x)", SWAP)
        else:
            kind = next(kind for kind in BITS if word.startswith(kind))
            self.make(name, f"int {name}({WIDTHS[word.removeprefix(kind)]} x)", BITS[kind])
        return c_ast.FuncCall(c_ast.ID(name), e.args), Number("int")

    # expressions: each gives what takes its place, and its type

    def plain(self, e: c_ast.Node | None) -> c_ast.Node | None:
        return self.typed(e)[0] if e is not None else None

    def typed(self, e: c_ast.Node) -> tuple[c_ast.Node, Type]:
        return getattr(self, f"typed_{type(e).__name__}")(e)

    def typed_Constant(self, e: c_ast.Constant) -> tuple[c_ast.Node, Type]:
        return e, Number(e.type)

    def typed_ID(self, e: c_ast.ID) -> tuple[c_ast.Node, Type]:
        return e, next((scope[e.name] for scope in reversed(self.scopes) if e.name in scope), None)

    def typed_Typename(self, e: c_ast.Typename) -> tuple[c_ast.Node, Type]:
        self.define(e.type)
        return e, self.type_of(e.type)

    def typed_ExprList(self, e: c_ast.ExprList) -> tuple[c_ast.Node, Type]:
        t = None
        for i, item in enumerate(e.exprs):
            e.exprs[i], t = self.typed(item)
        return e, t

    def typed_ArrayRef(self, e: c_ast.ArrayRef) -> tuple[c_ast.Node, Type]:
        e.name, t = self.typed(e.name)
        e.subscript = self.plain(e.subscript)
        if isinstance(t, Vector):
            components = c_ast.StructRef(e.name, ".", c_ast.ID("v"))
            return c_ast.ArrayRef(components, e.subscript), Number(t.of)
        return e, target(t)

    def typed_StructRef(self, e: c_ast.StructRef) -> tuple[c_ast.Node, Type]:
        e.name, t = self.typed(e.name)
        return e, self.member(target(t) if e.type == "->" else t, e.field.name)

    def typed_UnaryOp(self, e: c_ast.UnaryOp) -> tuple[c_ast.Node, Type]:
        e.expr, t = self.typed(e.expr)
        if e.op in ("sizeof", "_Alignof"):
            return e, Number("size_t")
        if e.op == "*":
            return e, t if isinstance(t, Function) else target(t)
        if e.op == "&":
            return e, Pointer(t)
        if isinstance(t, Vector):
            name = {"-": "neg", "~": "not"}[e.op]
            return call(self.each(name, t, f"{t.name} a", f"{e.op}a.v[k]"), e.expr), t
        return e, t

    def typed_BinaryOp(self, e: c_ast.BinaryOp) -> tuple[c_ast.Node, Type]:
        e.left, ta = self.typed(e.left)
        e.right, tb = self.typed(e.right)
        if isinstance(ta, Vector) or isinstance(tb, Vector):
            return self.operate(e.op, e.left, ta, e.right, tb)
        return e, tb if isinstance(tb, Pointer) and not isinstance(ta, Pointer) else ta

    def typed_Assignment(self, e: c_ast.Assignment) -> tuple[c_ast.Node, Type]:
        e.lvalue, ta = self.typed(e.lvalue)
        e.rvalue, tb = self.typed(e.rvalue)
        if isinstance(ta, Vector) and e.op == "=":
            e.rvalue = self.reread(e.rvalue, tb, ta)
        elif isinstance(ta, Vector):
            if re.search(r"\+\+|--", c_generator.CGenerator().visit(e.lvalue)):
                raise TypeError(f"{e.coord}: computed twice, and not the same")
            e.rvalue, _ = self.operate(e.op[:-1], e.lvalue, ta, e.rvalue, tb)
            e.op = "="
        return e, ta

    def typed_Cast(self, e: c_ast.Cast) -> tuple[c_ast.Node, Type]:
        _, to = self.typed(e.to_type)
        if called(e.expr) == "plain_convert":
            return self.convert(e, to), to
        e.expr, t = self.typed(e.expr)
        return self.reread(e.expr, t, to) if isinstance(to, Vector) else e, to

    def typed_TernaryOp(self, e: c_ast.TernaryOp) -> tuple[c_ast.Node, Type]:
        e.cond = self.plain(e.cond)
        e.iftrue, ta = self.typed(e.iftrue)
        e.iffalse, tb = self.typed(e.iffalse)
        return e, tb if ta is None or isinstance(tb, Pointer) else ta

    def typed_FuncCall(self, e: c_ast.FuncCall) -> tuple[c_ast.Node, Type]:
        name = called(e)
        if name == "offsetof":
            return e, Number("size_t")
        if name == "__builtin_shufflevector":
            return self.shuffle(e)
        e.name, t = self.typed(e.name)
        types = []
        for i, argument in enumerate(e.args.exprs if e.args else []):
            e.args.exprs[i], one = self.typed(argument)
            types.append(one)
        if name.startswith(("__atomic_", "atomic_")):
            return self.atomic(e, target(types[0]))
        if name.startswith("__builtin_"):
            return self.count_bits(e)
        while isinstance(t, Pointer):
            t = t.to
        return e, t.gives if isinstance(t, Function) else None

    def typed_CompoundLiteral(self, e: c_ast.CompoundLiteral) -> tuple[c_ast.Node, Type]:
        _, t = self.typed(e.type)
        e.init = self.initial(t, e.init)
        return e, t

    def initial(self, t: Type, e: c_ast.Node) -> c_ast.Node:
        """An initialiser of something of type t; lists have all their braces, or are {0}."""
        if not isinstance(e, c_ast.InitList):
            e, given = self.typed(e)
            return self.reread(e, given, t) if isinstance(t, Vector) else e
        if len(e.exprs) == 1 and isinstance(e.exprs[0], c_ast.Constant) and e.exprs[0].value == "0":
            return e
        if isinstance(t, Vector):
            return c_ast.InitList([c_ast.InitList([self.plain(x) for x in e.exprs])])
        names = [d.name for d in self.members.get(t.tag, [])] if isinstance(t, Record) else []
        at = 0
        for i, item in enumerate(e.exprs):
            if isinstance(item, c_ast.NamedInitializer):
                inner: Type = t
                for part in item.name:
                    is_member = isinstance(inner, Record)
                    at = names.index(part.name) + 1 if is_member and inner is t else at
                    inner = self.member(inner, part.name) if is_member else target(inner)
                item.expr = self.initial(inner, item.expr)
            else:
                inner = self.member(t, names[at]) if at < len(names) else target(t)
                at += 1
                e.exprs[i] = self.initial(inner, item)
        return e

    # declarations and statements

    def declare(self, d: c_ast.Decl) -> None:
        self.define(d.type)
        if d.name:
            self.scopes[-1][d.name] = self.type_of(d.type)
        if d.init is not None:
            d.init = self.initial(self.type_of(d.type), d.init)

    def define_type(self, n: c_ast.Typedef) -> None:
        self.define(n.type)
        t = self.type_of(n.type)
        if n.name in self.vectors:
            t = Vector(t.name, self.value(self.vectors[n.name]) // SIZES[t.name])
            self.use(t)
            n.type.type.names = [t.name]
        self.types[n.name] = t

    def define_function(self, n: c_ast.FuncDef) -> None:
        self.declare(n.decl)
        arguments = n.decl.type.args
        known = [p for p in (arguments.params if arguments else []) if isinstance(p, c_ast.Decl)]
        self.scopes.append({p.name: self.type_of(p.type) for p in known})
        self.run(n.body)
        self.scopes.pop()

    def run(self, s: c_ast.Node | None) -> c_ast.Node | None:
        """Rewrites a declaration or statement, and gives what takes its place."""
        if isinstance(s, c_ast.Typedef):
            self.define_type(s)
        elif isinstance(s, c_ast.Decl):
            self.declare(s)
        elif isinstance(s, c_ast.FuncDef):
            self.define_function(s)
        elif isinstance(s, (c_ast.Compound, c_ast.For)):
            self.scopes.append({})
            self.run_inside(s)
            self.scopes.pop()
        elif type(s).__name__ in STATEMENTS:
            self.run_inside(s)
        elif s is not None:
            return self.plain(s)
        return s

    def run_inside(self, s: c_ast.Node) -> None:
        for name, child in s.children():
            place = re.fullmatch(r"(\w+)\[(\d+)\]", name)
            if place:
                getattr(s, place[1])[int(place[2])] = self.run(child)
            else:
                setattr(s, name, self.run(child))


STATEMENTS = """Break Case Continue DeclList Default DoWhile EmptyStatement For Goto If Label Return
StaticAssert Switch While""".split()
