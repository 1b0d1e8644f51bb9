"""Nonlinear least squares with bounds: ``least_squares``.

Minimises ``norm(residual(x))`` by Gauss-Newton steps with a regulariser mu (Levenberg) and, if
bounds are given, box constraints. One iteration at x, with residual r and Jacobian J:

    g, H  = gradient and Gauss-Newton Hessian of norm(r(x)),   for the quadratic norm J'r and J'J
    dx    = argmin  g.dx + dx.(H + mu I)dx / 2   within the bounds
    ratio = (norm(r(x)) - norm(r(x + dx))) / -(g.dx + dx.H.dx / 2)

The ratio compares what the step gained with what the quadratic model promised: near one the model
is trusted and mu falls, ever faster; if it is small, mu grows. mu = 0 is a pure Gauss-Newton step.

With scales D the step is sought in z = x / D: J diag(D), bounds divided by D and dx = D dz take the
places of J, bounds and dx; mu and gtol belong to the scaled problem.
"""

from __future__ import annotations

import abc
import dataclasses
import enum
import math
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, TextIO, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

import condyle
from condyle._support import check

Array: TypeAlias = NDArray[np.float64]
Residual = Callable[[Array], Array]
Jacobian = Callable[[Array, Array], Array]

# a derivative matches if the sum of its errors is below this part of the sum of its entries
_MATCH, _MATCH_TEXT = 1e-5, "1e-5"

# a step must gain at least this part of the decrease that the gradient alone promises
_ARMIJO = 0.01

# ratios above which mu falls and below which it grows
_GOOD, _POOR = 0.75, 0.25


class Verbosity(enum.Enum):
    """How much is printed: nothing, the end, every iteration; FULLITER also fills the trace."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why the search ended."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_REASON = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclasses.dataclass(frozen=True)
class IterLog:
    """One iteration.

    Attributes
    ----------
    candidate
        The point x, a column (n, 1).
    objective
        norm(residual(x)).
    reduction
        How much the step from x lowered it; 0 in the last entry.
    regularizer
        mu of that step.
    residual, jacobian, grad, step
        r (nr, 1), J (nr, n), g (n, 1), dx (n, 1); None below Verbosity.FULLITER.
    """

    candidate: Array
    objective: float
    reduction: float
    regularizer: float
    residual: Array | None = None
    jacobian: Array | None = None
    grad: Array | None = None
    step: Array | None = None


class Norm(abc.ABC):
    """Measures the size of residual vectors."""

    @abc.abstractmethod
    def value(self, r: Array) -> Any:
        """Return the norm, a number, of a residual, a column (nr, 1)."""

    @abc.abstractmethod
    def grad_hess(self, r: Array, proj: Array) -> tuple[Array, Array]:
        """Return gradient and Hessian at r, projected.

        With gradient g (nr, 1) and Hessian H (nr, nr) of the norm with respect to r these are
        ``proj.T @ g`` (n, 1) and ``proj.T @ H @ proj`` (n, n). H is large but often sparse or
        diagonal, hence the projection is left to the norm, which knows its structure.
        """


class Quadratic(Norm):
    """Half the sum of squares, r.r / 2."""

    def value(self, r: Array) -> float:
        """Return r.r / 2."""
        if r.size != max(r.shape, default=1):
            raise ValueError(f"residual should be one vector, got shape {r.shape}.")
        return 0.5 * float(r.ravel() @ r.ravel())

    def grad_hess(self, r: Array, proj: Array) -> tuple[Array, Array]:
        """Return ``proj.T @ r`` and ``proj.T @ proj``."""
        return proj.T @ r, proj.T @ proj


def least_squares(
    x0: ArrayLike,
    residual: Residual,
    bounds: Sequence[ArrayLike] | None = None,
    jacobian: Jacobian | None = None,
    norm: Norm | None = None,
    eps: float = float(np.finfo(np.float64).eps ** 0.5),
    mu_min: float = 1e-6,
    mu_max: float = 1e8,
    mu_factor: float = 10**0.1,
    xtol: float = 1e-8,
    gtol: float = 1e-8,
    max_iter: int = 100,
    verbose: Verbosity | int = Verbosity.ITER,
    output: TextIO | None = None,
    iter_callback: Callable[[list[IterLog]], None] | None = None,
    check_derivatives: bool = False,
    x_scale: ArrayLike | str | None = None,
) -> tuple[Array, list[IterLog]]:
    """Minimise norm(residual(x)), optionally within bounds.

    Parameters
    ----------
    x0
        Where to begin, n numbers in any shape; moved into the bounds.
    residual
        Takes points as columns (n, k), returns their residuals as columns (nr, k) of float64.
    bounds
        Lower and upper bounds, n finite numbers each.
    jacobian
        Takes x (n, 1) and its residual r (nr, 1), returns dr/dx (nr, n). Without it the residual is
        differenced.
    norm
        Size of a residual; Quadratic() if None.
    eps
        Relative step of the differences.
    mu_min, mu_max, mu_factor
        Smallest regulariser above zero, the one at which the search gives up, and the factor by
        which it changes.
    xtol, gtol
        The search ends when |dx| < xtol (xtol + |x|), or when the norm of the gradient is at most
        gtol; components held by a bound do not count.
    max_iter
        Most iterations.
    verbose, output
        What to print and where; None is the standard output.
    iter_callback
        Called after each iteration with the trace so far.
    check_derivatives
        Compare the Jacobian at the start, and a norm's derivatives, with finite differences.
    x_scale
        Typical sizes of the unknowns: a number, or n of them; "jac": in each iteration the inverse
        lengths of the columns of the Jacobian. None is 1. With scales a step below xtol is taken.

    Returns
    -------
    x
        The best point found, float64 in the shape of x0.
    trace
        One entry per iteration and one for the returned point.

    Raises
    ------
    ValueError
        If an argument is wrong, or a derivative does not match.
    """
    max_iter = check.integer("max_iter", max_iter)
    eps, mu_min, mu_max, mu_factor, xtol, gtol = (
        check.number(name, value)
        for name, value in (
            ("eps", eps), ("mu_min", mu_min), ("mu_max", mu_max), ("mu_factor", mu_factor),
            ("xtol", xtol), ("gtol", gtol),
        )
    )  # fmt: skip
    if not eps > 0:
        raise ValueError(f"eps must be above 0, got {eps}")
    if norm is not None and not hasattr(norm, "value"):
        raise TypeError(f"norm must be a Norm, got {norm!r}")
    for name, function in (("residual", residual), ("jacobian", jacobian)):
        if not callable(function) and (name == "residual" or function is not None):
            raise TypeError(f"{name} must be a function, got {function!r}")
    search = _Search(
        residual, jacobian, norm or Quadratic(), eps, Verbosity(verbose), output, iter_callback
    )
    search.scale = _Scale(x_scale, np.size(x0), eps)
    return search.run(
        x0, bounds, (mu_min, mu_max, mu_factor), xtol, gtol, max_iter, check_derivatives
    )


def jacobian_fd(
    residual: Residual,
    x: Array,
    r: Array,
    eps: float,
    n_res: int,
    bounds: Sequence[Array] | None = None,
) -> tuple[Array, int]:
    """Difference a residual, with one call for all n steps.

    Parameters
    ----------
    residual
        As in least_squares.
    x, r
        The point (n, 1) and its residual (nr, 1).
    eps
        The step is eps * max(1, |x|), and goes down where x lies above the middle of its bounds.
        It ends at a bound.
    n_res
        Evaluations of the residual so far.
    bounds
        Lower and upper bounds, n numbers each.

    Returns
    -------
    jac
        dr/dx (nr, n).
    n_res
        Evaluations so far, these included.
    """
    x = x.reshape(-1, 1)
    step = eps * np.maximum(1.0, np.abs(x))
    if bounds is not None:
        lower, upper = (np.reshape(bound, (-1, 1)) for bound in bounds)
        step[x > 0.5 * (lower + upper)] *= -1
    # divide later by the step as rounding and bounds have made it, not by the intended one
    to = x + step if bounds is None else np.clip(x + step, lower, upper)
    step = to - x
    moved = _checked(residual(x + np.diag(step.ravel())))
    return (moved - r.reshape(-1, 1)) / step.T, n_res + x.size


def check_jacobian(
    residual: Residual,
    x: Array,
    r: Array,
    jac: Array,
    eps: float,
    n_res: int,
    bounds: Sequence[Array] | None = None,
    output: TextIO | None = None,
    name: str = "Jacobian",
) -> int:
    """Compare a Jacobian with finite differences; ValueError if they do not match.

    ``name`` is what messages call it; the other parameters are those of jacobian_fd, ``jac`` is
    the Jacobian at x. Returns the number of evaluations so far.
    """
    differences, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    for kind, matrix in (
        (f"User-provided {name}", jac),
        (f"Finite-difference {name}", differences),
    ):
        if not np.all(np.isfinite(matrix)):
            raise ValueError(f"{kind} must contain only finite values.")
    same_shape = np.shape(jac) == differences.shape
    if not (
        same_shape and np.abs(jac - differences).sum() <= _MATCH * np.abs(differences).sum() + eps
    ):
        raise ValueError(
            f"User-provided {name} does not match finite-differences"
            f" to a relative tolerance of {_MATCH_TEXT}."
            + ("" if same_shape else f" It has shape {np.shape(jac)}, not {differences.shape}.")
        )
    print(f"User-provided {name} matches finite-differences.", file=output or sys.stdout)
    return n_res


def check_norm(r: Array, norm: Norm, eps: float, output: TextIO | None = None) -> None:
    """Compare gradient and Hessian of a norm at the residual r with finite differences.

    ValueError if they do not match, or if the Hessian is not symmetric or has a negative
    eigenvalue.
    """
    r = r.reshape(-1, 1)
    identity = np.eye(r.size)
    grad, hess = norm.grad_hess(r, identity)
    if not np.all(np.isfinite(hess)):
        raise ValueError("User-provided norm Hessian must contain only finite values.")
    if not np.allclose(hess, hess.T):
        raise ValueError("User-provided norm Hessian is not symmetric.")
    smallest = float(np.linalg.eigvalsh(hess)[0]) if r.size else 0.0
    # a zero eigenvalue may come out slightly negative by rounding
    if smallest < -1e-12 * max(1.0, float(np.abs(hess).max(initial=0.0))):
        raise ValueError(
            "User-provided norm Hessian is not positive definite."
            f" Minimum eigenvalue is {smallest:g}"
        )

    def value(points: Array) -> Array:
        return np.array([[_number(norm.value(column[:, None])) for column in points.T]])

    def gradient(points: Array) -> Array:
        columns = [norm.grad_hess(column[:, None], identity)[0] for column in points.T]
        return np.hstack([np.reshape(column, (-1, 1)) for column in columns])

    at_r = np.array([[_number(norm.value(r))]])
    row = np.reshape(grad, (1, -1))
    check_jacobian(value, r, at_r, row, eps, 0, output=output, name="norm gradient")
    column = np.reshape(grad, (-1, 1))
    check_jacobian(gradient, r, column, hess, eps, 0, output=output, name="norm Hessian")


def _number(value: Any) -> float:
    """Number that a norm returned, also as an array of one element."""
    array = np.asarray(value, dtype=np.float64)
    if array.size != 1:
        raise ValueError(f"norm.value must return one number, got shape {array.shape}.")
    return float(array.reshape(()))


def _checked(r: Any) -> Array:
    array: Array = np.asarray(r)
    if array.dtype != np.float64:
        raise ValueError("residual function must return float64 arrays.")
    return array


def _box(bounds: Sequence[ArrayLike], n: int) -> tuple[Array, Array]:
    """Bounds as columns."""
    if len(bounds) != 2:
        raise ValueError("bounds must have 2 elements.")
    lower, upper = (np.array(bound, dtype=np.float64).reshape(-1, 1) for bound in bounds)
    if lower.size != n or upper.size != n:
        raise ValueError("bounds must have the same size as x0.")
    if not (np.all(np.isfinite(lower)) and np.all(np.isfinite(upper))):
        raise ValueError("bounds must be finite.")
    if not np.all(lower < upper):
        raise ValueError("bounds[0] must be smaller than bounds[1].")
    return lower, upper


class _Scale:
    """Typical sizes D of the unknowns, a column (n, 1)."""

    def __init__(self, given: ArrayLike | str | None, n: int, eps: float) -> None:
        self.given, self.eps = given is not None, eps
        self.from_jacobian = isinstance(given, str) and given == "jac"
        self.value: Array = np.ones((n, 1))
        if given is None or self.from_jacobian:
            return
        wrong = f"x_scale must be None, 'jac', a positive scalar, or array, got {given!r}."
        if isinstance(given, str):
            raise ValueError(wrong)
        try:
            array = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(wrong) from None
        if array.ndim and array.shape not in ((n,), (n, 1)):
            raise ValueError(f"x_scale array must have shape ({n},), got {array.shape}.")
        if not (np.all(np.isfinite(array)) and np.all(array > 0)):
            raise ValueError("x_scale must be positive and finite.")
        self.value = np.broadcast_to(array.reshape(-1, 1), (n, 1)).copy()

    def at(self, jac: Array) -> Array:
        """Return the scales for an iteration with this Jacobian."""
        if self.from_jacobian:
            lengths = np.linalg.norm(jac, axis=0).reshape(-1, 1)
            self.value = 1.0 / np.maximum(lengths, self.eps)
        return self.value


class _Regularizer:
    """mu: falls by mu_factor to the power 1, 2, 4, 8, ... while it keeps falling."""

    def __init__(self, smallest: float, largest: float, factor: float) -> None:
        if factor <= 1:
            raise ValueError("mu_factor must be > 1.")
        self.smallest, self.largest, self.factor = smallest, largest, factor
        self.value = 0.0
        self._falls = 0

    @property
    def exhausted(self) -> bool:
        """True if mu has reached its end."""
        return self.value >= self.largest

    def grow(self) -> None:
        self.value = max(self.smallest, self.value * self.factor)
        self._falls = 0

    def fall(self) -> None:
        if self.value == 0.0:
            return
        power = 2.0**self._falls
        # a larger power would overflow the divisor
        if power * math.log10(self.factor) > 300:
            self.value = 0.0
        else:
            self.value /= self.factor**power
        if self.value < self.smallest:
            self.value = 0.0
        self._falls += 1


class _Search:
    """State of one call of least_squares: problem, counts, times, trace."""

    def __init__(
        self,
        residual: Residual,
        jacobian: Jacobian | None,
        norm: Norm,
        eps: float,
        verbose: Verbosity,
        output: TextIO | None,
        callback: Callable[[list[IterLog]], None] | None,
    ) -> None:
        self.user_residual, self.user_jacobian, self.norm = residual, jacobian, norm
        self.eps, self.verbose, self.output = eps, verbose, output
        self.callback = callback
        self.bounds: tuple[Array, Array] | None = None
        self.scale = _Scale(None, 0, eps)
        self.trace: list[IterLog] = []
        self.n_res = self.n_jac = 0
        self.t_res = self.t_jac = 0.0

    def run(
        self,
        x0: ArrayLike,
        bounds: Sequence[ArrayLike] | None,
        mu_range: tuple[float, float, float],
        xtol: float,
        gtol: float,
        max_iter: int,
        check_derivatives: bool,
    ) -> tuple[Array, list[IterLog]]:
        start = time.time()
        mu = _Regularizer(*mu_range)
        x = np.array(x0, dtype=np.float64)
        shape = x.shape
        x = x.reshape(-1, 1)
        if bounds is not None:
            self.bounds = _box(bounds, x.size)
        if not np.all(np.isfinite(x)):
            raise ValueError("x0 must be finite.")
        x = self.inside(x)

        r = self.residual(x)
        y = self.value(r)
        dz = np.zeros_like(x)
        status = Status.MAX_ITER
        i = 0
        for i in range(max_iter):
            jac = self.jacobian(x, r)
            if i == 0 and check_derivatives:
                self.check(x, r, jac)
            d = self.scale.at(jac)
            grad, hess = self.norm.grad_hess(r, jac * d.T)

            # components that a bound holds against the gradient don't count
            slope = float(np.linalg.norm(grad[self.free(x, grad)]))
            if slope <= gtol:
                if slope == 0:
                    self.say("Zero gradient norm: exact minimum found?", Verbosity.FINAL)
                status = Status.G_TOL
                break

            failure, x_new, r_new, y_new = self.step(x, y, d, grad, hess, mu, dz)
            if failure is not None:
                status = failure
                break

            reduction = y - y_new
            promise = -float(np.vdot(grad, dz) + 0.5 * np.vdot(dz, hess @ dz))
            # if the promised decrease is below rounding the ratio says nothing: 0.5 leaves mu as it
            # is
            ratio = reduction / promise if promise != 0 else 0.5
            dx = d * dz
            self.log(IterLog(x, y, reduction, mu.value), r, jac, grad / d, dx)
            self.tell_iteration(i, ratio, dx)

            size = float(np.linalg.norm(dx))
            if size < xtol * (xtol + float(np.linalg.norm(x))):
                status = Status.DX_TOL
                if self.scale.given:
                    x, r, y = x_new, r_new, y_new
                break
            if ratio > _GOOD:
                mu.fall()
            elif ratio < _POOR:
                mu.grow()
            x, r, y = x_new, r_new, y_new

        self.finish(x, r, y, mu.value)
        self.tell_end(status, i, y, time.time() - start)
        return x.reshape(shape), self.trace

    def step(
        self,
        x: Array,
        y: float,
        d: Array,
        grad: Array,
        hess: Array,
        mu: _Regularizer,
        dz: Array,
    ) -> tuple[Status | None, Array, Array, float]:
        """Find a scaled step dz that lowers y enough; grow mu until there is one."""
        n = x.size
        factor = np.empty((n, n + 7))
        index = np.empty(n, dtype=np.int32)
        g = np.ascontiguousarray(grad, dtype=np.float64).reshape(n)
        lower = upper = None
        if self.bounds is not None:
            lower, upper = (((bound - x) / d).ravel() for bound in self.bounds)
        while True:
            shifted = np.ascontiguousarray(hess + mu.value * np.eye(n))
            flat = dz.reshape(n)
            if condyle.mju_boxQP(flat, factor, index, shifted, g, lower, upper) < 0:
                failure = Status.FACTORIZATION_FAILED
            else:
                x_new = self.inside(x + d * dz)
                r_new = self.residual(x_new)
                y_new = self.value(r_new)
                # written so that nan is no improvement
                if y - y_new + _ARMIJO * float(np.vdot(grad, dz)) >= 0:
                    return None, x_new, r_new, y_new
                failure = Status.NO_IMPROVEMENT
            if mu.exhausted:
                return failure, x, np.empty(0), y
            mu.grow()

    # the user's functions, counted and timed

    def residual(self, x: Array) -> Array:
        start = time.time()
        r = _checked(self.user_residual(x))
        self.t_res += time.time() - start
        self.n_res += x.shape[1]
        return r

    def value(self, r: Array) -> float:
        return _number(self.norm.value(r))

    def jacobian(self, x: Array, r: Array) -> Array:
        start = time.time()
        if self.user_jacobian is None:
            jac, self.n_res = jacobian_fd(
                self.user_residual, x, r, self.eps, self.n_res, self.bounds
            )
            self.t_res += time.time() - start
        else:
            jac = self.user_jacobian(x, r)
            self.t_jac += time.time() - start
            self.n_jac += 1
        return jac

    def check(self, x: Array, r: Array, jac: Array) -> None:
        if self.user_jacobian is not None:
            self.n_res = check_jacobian(
                self.user_residual, x, r, jac, self.eps, self.n_res, self.bounds, self.output
            )
        if type(self.norm) is not Quadratic:
            check_norm(r, self.norm, self.eps, self.output)

    # bounds

    def inside(self, x: Array) -> Array:
        return x if self.bounds is None else np.clip(x, *self.bounds)

    def free(self, x: Array, grad: Array) -> NDArray[np.bool_]:
        """Which components may move against the gradient."""
        if self.bounds is None:
            return np.ones(x.shape, dtype=bool)
        lower, upper = self.bounds
        return ~(((x <= lower) & (grad > 0)) | ((x >= upper) & (grad < 0)))

    # what the caller gets to see

    def log(
        self,
        entry: IterLog,
        residual: Array | None = None,
        jacobian: Array | None = None,
        grad: Array | None = None,
        step: Array | None = None,
    ) -> None:
        if self.verbose is Verbosity.FULLITER:
            entry = dataclasses.replace(
                entry, residual=residual, jacobian=jacobian, grad=grad, step=step
            )
        self.trace.append(entry)
        if self.callback is not None:
            self.callback(self.trace)

    def finish(self, x: Array, r: Array, y: float, mu: float) -> None:
        entry = IterLog(x, y, 0.0, mu)
        if self.verbose is Verbosity.FULLITER:
            jac = self.jacobian(x, r)
            self.log(entry, r, jac, self.norm.grad_hess(r, jac)[0])
        else:
            self.log(entry)

    def say(self, text: str, level: Verbosity) -> None:
        if self.verbose.value >= level.value:
            print(text, file=self.output or sys.stdout)

    def tell_iteration(self, i: int, ratio: float, dx: Array) -> None:
        entry = self.trace[-1]
        log_mu = np.log10(entry.regularizer) if entry.regularizer > 0 else -np.inf
        self.say(
            f"iter: {i:<3d}  y: {entry.objective:<9.4g}  log10mu: {log_mu:>4.1f}"
            f"  ratio: {ratio:<7.2g}  dx: {np.linalg.norm(dx):<7.2g}"
            f"  reduction: {entry.reduction:<7.2g}",
            Verbosity.ITER,
        )

    def tell_end(self, status: Status, i: int, y: float, seconds: float) -> None:
        text = f"Terminated after {i} iterations: {_REASON[status]} y: {y:.4g},"
        text += f" Residual evals: {self.n_res}"
        if self.user_jacobian is not None:
            text += f", Jacobian evals: {self.n_jac}"
        total = f"{seconds:.1f}s" if seconds >= 1 else f"{1e3 * seconds:.1f}ms"
        part = 100 / max(seconds, 1e-9)
        text += f"\ntotal time {total} of which residual {part * self.t_res:.1f}%"
        if self.user_jacobian is not None:
            text += f" Jacobian {part * self.t_jac:.1f}%"
        self.say(text, Verbosity.FINAL)
