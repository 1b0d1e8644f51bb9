"""``optimize``: the fit, and ``calculate_intervals``: how certain it is."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from condyle import minimize
from condyle.sysid import _student
from condyle.sysid._problem import JacobianKind, Problem
from condyle.sysid._residual import ResidualFunction
from condyle.sysid._rollouts import Count
from condyle.sysid.parameter import ParameterDict

Array: TypeAlias = NDArray[np.float64]
Optimizer: TypeAlias = Literal["mujoco", "scipy", "scipy_parallel_fd"]

_LOG = logging.getLogger("condyle.sysid")
_STEP = float(np.finfo(np.float64).eps ** 0.5)

# a start within this part of its range of a bound may stick to it
_NEAR_BOUND = 1e-3
_ILL_CONDITIONED = 1e12


class OptimizeResult(dict[str, Any]):
    """What a search found; entries are attributes, too.

    x, jac, grad
        The point (n,), and Jacobian (numbers, n) and gradient (n, 1) there.
    extras
        ``objective`` and ``candidate``: half the sum of squares and the point of each iteration.
    count
        How many rollouts, passes of exact derivatives over a rollout, and models compiled it took;
        None for a residual function of one's own.
    """

    def __getattr__(self, name: str) -> Any:
        """Return an entry."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an entry."""
        self[name] = value

    def __dir__(self) -> list[str]:
        """Names of entries."""
        return [*super().__dir__(), *self]


def optimize(
    initial_params: ParameterDict,
    residual_fn: Callable[..., Any],
    optimizer: Optimizer = "mujoco",
    verbose: bool = True,
    check_conditioning: bool = False,
    *,
    jacobian: JacobianKind = "auto",
    **optimizer_kwargs: Any,
) -> tuple[ParameterDict, Any]:
    """Find parameters within bounds that minimise half the sum of squared residuals.

    Parameters
    ----------
    initial_params
        Parameters; their values are where the search begins. They stay as they are.
    residual_fn
        What ``build_residual_fn`` returns, or ``f(x, params)`` that returns a list of residuals
        first and takes (n, k) points.
    optimizer
        "mujoco": ``minimize.least_squares``; "scipy", "scipy_parallel_fd": the trust-region method
        of SciPy, which must be installed.
    verbose
        Print iterations, and log a table of the parameters.
    check_conditioning
        Warn if some combination of parameters has hardly an effect at the start.
    jacobian
        "exact": derivatives of the engine, by all parameters that have them and where nothing is in
        the way (contacts that stick, plugins); "differences": of rollouts; "auto": what takes less
        time. Parameters without exact derivatives are differenced in any case.
    optimizer_kwargs
        ``max_iters`` (200), ``x_scale``, ``diff_step``, ``loss`` and others of the optimizer.

    Returns
    -------
    params, result
        A copy with the values found, and an OptimizeResult, SciPy's own from its method.
    """
    if optimizer not in ("mujoco", "scipy", "scipy_parallel_fd"):
        raise ValueError(
            f"Unsupported optimizer: {optimizer!r}. Expected one of: 'scipy', 'scipy_parallel_fd',"
            " or 'mujoco'."
        )
    if jacobian not in ("auto", "exact", "differences"):
        raise ValueError(f"jacobian must be 'auto', 'exact' or 'differences', got {jacobian!r}")
    params = initial_params.copy()
    x0 = params.as_vector()
    if not params.size:
        _LOG.warning("There are no parameters to fit: all are frozen.")
        empty = OptimizeResult(x=np.empty(0), jac=np.empty((0, 0)), grad=np.empty((0, 1)))
        return params, empty
    _warn_near_bounds(params, x0)
    step = optimizer_kwargs.pop("diff_step", None) or optimizer_kwargs.get("eps", _STEP)
    functions = _functions(params, residual_fn, jacobian, float(step))
    if check_conditioning:
        _check_conditioning(functions.jacobian(np.clip(x0, *params.get_bounds())))
    search = _by_minimize if optimizer == "mujoco" else _by_scipy
    x, result = search(functions, x0, params.get_bounds(), verbose, dict(optimizer_kwargs))
    # a model that is not what was thought sends the search on from here
    while not functions.settle(x):
        x, result = search(functions, x, params.get_bounds(), verbose, dict(optimizer_kwargs))
    params.update_from_vector(x)
    if verbose:
        _LOG.info("%s", params.compare_parameters(x0, x))
    return params, result


class _Functions:
    """Residual (n, k) -> (numbers, k) and Jacobian (n,) -> (numbers, n) of any residual_fn."""

    count: Count | None = None

    def __init__(self, params: ParameterDict, residual_fn: Callable[..., Any], eps: float) -> None:
        self.params, self.function, self.eps = params, residual_fn, eps

    def residual(self, x: Array) -> Array:
        parts = self.function(x, self.params)[0]
        parts = [parts] if isinstance(parts, np.ndarray) else parts
        return np.concatenate([np.reshape(part, (-1, x.shape[1])) for part in parts])

    def jacobian(self, x: Array) -> Array:
        at = x[:, None]
        found, _ = minimize.jacobian_fd(
            self.residual, at, self.residual(at), self.eps, 0, self.params.get_bounds()
        )
        return found

    def settle(self, x: Array) -> bool:
        return True


class _Fast(_Functions):
    """Those of a ``ResidualFunction``, by ``Problem``."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.count = problem, problem.count

    def residual(self, x: Array) -> Array:
        return self.problem.residual(x)

    def jacobian(self, x: Array) -> Array:
        return self.problem.jacobian(x)

    def settle(self, x: Array) -> bool:
        return self.problem.settle(x)


def _functions(
    params: ParameterDict, residual_fn: Callable[..., Any], jacobian: JacobianKind, eps: float
) -> _Functions:
    if isinstance(residual_fn, ResidualFunction):
        arguments = residual_fn.arguments
        if arguments.get("custom_rollout") is None and arguments.get("models_sequences"):
            return _Fast(Problem(params, arguments, jacobian, eps))
    return _Functions(params, residual_fn, eps)


def _by_minimize(
    functions: _Functions,
    x0: Array,
    bounds: tuple[Array, Array],
    verbose: bool,
    options: dict[str, Any],
) -> tuple[Array, OptimizeResult]:
    """Search by ``minimize.least_squares``."""
    options.setdefault("max_iter", options.pop("max_iters", 200))
    options.setdefault("verbose", minimize.Verbosity.ITER if verbose else minimize.Verbosity.SILENT)
    limits = None
    if np.isfinite(bounds).all():
        limits = list(bounds)
    elif np.isfinite(bounds).any():
        raise ValueError("bounds must all be finite, or none, for the optimizer 'mujoco'")
    x, trace = minimize.least_squares(
        x0,
        functions.residual,
        bounds=limits,
        jacobian=lambda at, _: functions.jacobian(at.ravel()),
        **options,
    )
    x = np.clip(x, *bounds)
    jac = functions.jacobian(x)
    return x, OptimizeResult(
        x=x,
        jac=jac,
        grad=jac.T @ functions.residual(x[:, None]),
        extras={
            "objective": [entry.objective for entry in trace],
            "candidate": [entry.candidate.ravel() for entry in trace],
        },
        count=functions.count,
    )


def _by_scipy(
    functions: _Functions,
    x0: Array,
    bounds: tuple[Array, Array],
    verbose: bool,
    options: dict[str, Any],
) -> tuple[Array, Any]:
    try:
        from scipy.optimize import least_squares
    except ImportError:
        raise ImportError(
            "optimizers 'scipy' and 'scipy_parallel_fd' need SciPy: pip install scipy"
        ) from None
    options.setdefault("max_nfev", options.pop("max_iters", 200))
    options.setdefault("verbose", 2 if verbose else 0)
    options.pop("eps", None)
    result = least_squares(
        lambda x: functions.residual(x[:, None])[:, 0],
        x0,
        jac=functions.jacobian,
        bounds=bounds,
        **options,
    )
    result["count"] = functions.count
    return np.asarray(result.x), result


def _warn_near_bounds(params: ParameterDict, x: Array) -> None:
    for name, value, low, high in zip(
        params.get_non_frozen_parameter_names(), x, *params.get_bounds(), strict=True
    ):
        if min(value - low, high - value) < _NEAR_BOUND * (high - low):
            _LOG.warning("%s starts at %g, close to a bound of [%g, %g].", name, value, low, high)


def _check_conditioning(jac: Array) -> None:
    values = np.linalg.svd(jac, compute_uv=False)
    smallest = float(values[-1]) if len(values) else 0.0
    condition = float("inf") if not smallest else float(values[0] / smallest) ** 2
    if condition > _ILL_CONDITIONED:
        _LOG.warning(
            "J'J has the condition number %.3g: some parameters can't be told apart.", condition
        )


def calculate_intervals(
    residuals_star: Sequence[ArrayLike] | ArrayLike,
    J: ArrayLike | None,  # noqa: N803
    alpha: float = 0.05,
    lambda_zero_thresh: float = 1e-15,
    v_zero_thresh: float = 1e-8,
) -> tuple[Array, Array]:
    """Return covariance (p, p) and half widths (p,) of confidence intervals of a fit.

    With r the N residuals, taken as independent and of one variance, and J = dr/dx at the fit:

        s^2 = r'r / (N - p)      J'J = V diag(lambda) V'      covariance = s^2 V diag(1/lambda) V'
        half width_j = t(1 - alpha/2; N - p) s sqrt(sum_i V_ji^2 / lambda_i)

    Parameters
    ----------
    residuals_star
        Residuals at the fit, one array or several.
    J
        Jacobian (N, p); None or empty gives empty results.
    alpha
        One minus the confidence.
    lambda_zero_thresh
        Eigenvalues below this part of the largest are zero: what they mix is not known at all.
    v_zero_thresh
        Entries of V below this part of the largest in their column are zero.

    Notes
    -----
    Bounds are not considered: a parameter at a bound has the interval of a free one.
    """
    jac = np.zeros((0, 0)) if J is None else np.asarray(J, dtype=np.float64)
    if not jac.size:
        return np.empty((0, 0)), np.empty(0)
    parts = residuals_star if isinstance(residuals_star, (list, tuple)) else [residuals_star]
    r = np.concatenate([np.ravel(np.asarray(part, dtype=np.float64)) for part in parts])
    p = jac.shape[1]
    freedom = len(r) - p
    if freedom < 1:
        raise ValueError(f"{len(r)} residuals can't give intervals of {p} parameters")
    variance = float(r @ r) / freedom
    values, vectors = np.linalg.eigh(jac.T @ jac)
    values = np.maximum(values, 0)
    covariance = variance * (vectors / np.where(values == 0, 1e-15, values)) @ vectors.T
    is_zero = values <= lambda_zero_thresh * values.max()
    shares = vectors**2
    shares[np.abs(vectors) < v_zero_thresh * np.abs(vectors).max(axis=0)] = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares == 0, 0, shares / np.where(is_zero, 0, values))
    width = _student.quantile(1 - alpha / 2, freedom) * np.sqrt(variance * terms.sum(axis=1))
    return covariance, np.asarray(width)
