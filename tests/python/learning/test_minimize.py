"""Least squares: paths, texts and refusals. Numbers without a formula are the reference's."""

from __future__ import annotations

import io
import itertools
import re
import time
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from condyle import minimize
from condyle.minimize import IterLog, Norm, Quadratic, Status, Verbosity, least_squares

Array = NDArray[np.float64]
BOX = [np.array([-0.5, -0.5]), np.array([0.5, 0.5])]


def rosenbrock(x: Array) -> Array:
    return np.stack([1 - x[0, :], 10 * (x[1, :] - x[0, :] ** 2)])


def slope(x: Array, r: Array) -> Array:
    return np.array([[-1, 0], [-20 * x[0, 0], 10]])


def solve(
    x0: Any = (0.0, 0.0), residual: Any = rosenbrock, **options: Any
) -> tuple[Array, list[IterLog], str]:
    """Solution, trace and what was printed, without the times."""
    output = io.StringIO()
    x, trace = least_squares(np.asarray(x0), residual, output=output, **options)
    return x, trace, re.sub(r"[\d.]+(ms|s|%)", r"#\1", output.getvalue())


class Soft(Norm):
    """Sum of sqrt(r^2 + 0.01) - 0.1: quadratic near zero, linear far away."""

    def value(self, r: Array) -> Any:
        return np.sum(np.sqrt(r**2 + 0.01) - 0.1)

    def grad_hess(self, r: Array, proj: Array) -> tuple[Array, Array]:
        s = np.sqrt(r**2 + 0.01)
        return proj.T @ (r / s), proj.T @ ((1 / s - r**2 / s**3) * proj)


def test_the_path_and_its_text_are_the_references() -> None:
    x, trace, text = solve()
    np.testing.assert_allclose(x, [1, 1], atol=1e-8)
    assert len(trace) == 15
    lines = text.splitlines()
    assert lines[0] == (
        "iter: 0    y: 0.5        log10mu:  0.5  ratio: 0.21     dx: 0.24     reduction: 0.045  "
    )
    assert lines[9] == (
        "iter: 9    y: 0.0001554  log10mu: -1.0  ratio: 0.99     dx: 0.025    reduction: 0.00014"
    )
    assert lines[13] == (
        "iter: 13   y: 3.03e-16   log10mu: -inf  ratio: 1        dx: 5.2e-08  reduction: 3e-16  "
    )
    assert lines[14].startswith("Terminated after 14 iterations: norm(gradient) < tol. y: ")
    assert lines[14].endswith(", Residual evals: 112")
    assert lines[15:] == ["total time #ms of which residual #%"]
    assert trace[1].regularizer == pytest.approx(10**0.6, rel=1e-12)
    assert trace[6].regularizer == pytest.approx(10**-0.8, rel=1e-12)


def test_a_jacobian_of_the_users_is_counted_and_timed() -> None:
    _, trace, text = solve(jacobian=slope, verbose=Verbosity.FINAL)
    assert text.splitlines()[0].endswith("Residual evals: 82, Jacobian evals: 15")
    assert text.splitlines()[1] == "total time #ms of which residual #% Jacobian #%"
    assert trace[1].objective == pytest.approx(0.455196501, abs=1e-9)


def test_seconds_are_written_as_such() -> None:
    def slow(x: Array) -> Array:
        time.sleep(0.51)
        return x - 1.0

    _, _, text = solve([0.0], slow, max_iter=1, verbose=1)
    assert "total time #s of which residual #%" in text


@pytest.mark.parametrize("shape", [(2,), (2, 1), (1, 2)])
def test_the_solution_has_the_shape_of_the_start(shape: tuple[int, ...]) -> None:
    x, trace, _ = solve(np.zeros(shape, dtype=np.float32))
    assert x.shape == shape and x.dtype == np.float64
    assert trace[0].candidate.shape == (2, 1)


def test_a_start_may_be_a_list_or_a_number() -> None:
    x, _ = least_squares([0.0, 0.0], rosenbrock, verbose=0)
    np.testing.assert_allclose(x, [1, 1], atol=1e-8)
    y, _ = least_squares(0.5, lambda x: x - 1, verbose=0)
    assert (y.shape, float(y)) == ((), 1.0)


def test_the_argument_x0_is_not_written_to() -> None:
    x0 = np.array([3.0, 3.0])
    solve(x0, bounds=BOX)
    assert x0.tolist() == [3.0, 3.0]


def test_bounds_hold_and_their_gradient_does_not_count() -> None:
    x, trace, text = solve(bounds=BOX)
    np.testing.assert_allclose(x, [0.5, 0.25], atol=1e-8)
    assert len(trace) == 8
    assert "Terminated after 7 iterations: norm(gradient) < tol. y: 0.125, Resid" in text
    seen: list[Array] = []

    def watched(x: Array) -> Array:
        seen.append(x)
        return rosenbrock(x)

    solve([3.0, 3.0], watched, bounds=BOX)
    assert all((np.abs(x) <= 0.5).all() for x in seen)


def test_differences_step_down_above_the_middle_of_the_bounds() -> None:
    x = np.array([[0.0], [5.0], [-3.0], [1e6], [7.0]])
    steps: list[Array] = []

    def twice(points: Array) -> Array:
        steps.append(np.diag(points - x))
        return 2.0 * points

    jac, count = minimize.jacobian_fd(twice, x, 2 * x, 1e-8, 3)
    assert count == 8
    assert (steps[-1] > 0).all()
    np.testing.assert_allclose(steps[-1], [1e-8, 5e-8, 3e-8, 1e-2, 7e-8], rtol=1e-7)
    np.testing.assert_allclose(jac, 2 * np.eye(5), atol=1e-7)
    low, high = np.full((5, 1), -10.0), np.array([[10.0], [10], [10], [1e6], [100]])
    minimize.jacobian_fd(twice, x, 2 * x, 1e-8, 0, [low, high])
    assert (steps[-1] > 0).tolist() == [True, False, True, False, True]


def test_an_exact_minimum_is_said_and_ends_the_search() -> None:
    _, trace, text = solve([1.0, 1.0], verbose=Verbosity.FINAL)
    assert text.startswith(
        "Zero gradient norm: exact minimum found?\n"
        "Terminated after 0 iterations: norm(gradient) < tol. y: 0, Residual evals: 3\n"
    )
    assert (len(trace), trace[0].reduction) == (1, 0.0)
    assert solve([1.0, 1.0], verbose=Verbosity.SILENT)[2] == ""


def test_a_small_step_is_not_taken() -> None:
    _, trace, text = solve(gtol=1e-300, xtol=1e-2)
    assert "Terminated after 10 iterations: norm(dx) < tol. y: 1.652e-05, Residual evals: 101" in (
        text
    )
    assert (trace[-1].candidate == trace[-2].candidate).all()


def test_iterations_are_bounded() -> None:
    _, trace, text = solve(max_iter=1)
    assert "Terminated after 0 iterations: maximum iterations reached. y: 0.4552, Resid" in text
    assert len(trace) == 2
    assert len(solve(max_iter=0)[1]) == 1


def test_a_direction_that_does_not_descend_ends_without_improvement() -> None:
    x, trace, text = solve(jacobian=lambda x, r: -slope(x, r))
    assert x.tolist() == [0.0, 0.0]
    assert "insufficient reduction. y: 0.5, Residual evals: 143, Jacobian evals: 1" in text
    assert trace[-1].regularizer >= 1e8


def test_the_regularizer_ends_at_its_largest_value() -> None:
    def step(x: Array) -> Array:
        return np.stack([np.where(x[0] == 0, 1.0, 5.0), x[1] * 0])

    def flat(x: Array, r: Array) -> Array:
        return np.array([[1.0, 0.0], [0.0, 0.0]])

    counts = []
    for largest in (1e-3, 1.1e-3, 9e-4, 5e-4, 1e-6, 1e-7):
        _, _, text = solve(residual=step, jacobian=flat, mu_max=largest)
        match = re.search(r"Residual evals: (\d+)", text)
        assert match is not None
        counts.append(int(match.group(1)))
    assert counts == [32, 33, 32, 29, 2, 2]


def test_a_singular_problem_is_regularized() -> None:
    x, trace, _ = solve(np.zeros(3), lambda x: np.stack([x[0] + x[1] - 1, 0 * x[2]]))
    np.testing.assert_allclose(x, [0.5, 0.5, 0], atol=1e-9)
    assert [entry.regularizer for entry in trace] == [1e-6, 1e-6, 0.0]


def test_points_without_a_residual_are_no_improvement() -> None:
    x, _, _ = solve(residual=lambda x: np.where(x[:1] > 0.1, np.nan, rosenbrock(x)))
    assert np.isfinite(x).all() and 0 < x[0] <= 0.1
    x, _, text = solve(residual=lambda x: rosenbrock(x) * np.nan)
    assert x.tolist() == [0.0, 0.0]
    assert "insufficient reduction." in text or "factorization failed." in text


def test_the_full_trace_has_what_was_computed_at_each_point() -> None:
    _, trace, text = solve(verbose=Verbosity.FULLITER, max_iter=3)
    assert "Residual evals: 78" in text
    for entry, after in itertools.pairwise(trace):
        assert entry.step is not None and entry.residual is not None
        np.testing.assert_allclose(entry.candidate + entry.step, after.candidate, rtol=1e-14)
        np.testing.assert_array_equal(entry.residual, rosenbrock(entry.candidate))
        assert entry.reduction == pytest.approx(entry.objective - after.objective, rel=1e-12)
    last = trace[-1]
    assert last.step is None and last.grad is not None and last.jacobian is not None
    np.testing.assert_allclose(last.grad, last.jacobian.T @ rosenbrock(last.candidate))
    plain = solve(verbose=Verbosity.ITER, max_iter=3)[1]
    assert all(entry.residual is None and entry.step is None for entry in plain)


def test_the_callback_sees_the_trace_grow() -> None:
    lengths: list[int] = []
    solve(max_iter=2, iter_callback=lambda trace: lengths.append(len(trace)))
    assert lengths == [1, 2, 3]


def test_other_norms_are_minimised() -> None:
    def line(x: Array) -> Array:
        t = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
        miss: Array = x[0] + x[1] * t - np.array([[0.0], [1.0], [30.0], [3.0], [4.0]])
        return miss

    far, _, _ = solve(residual=line)
    near, _, text = solve(residual=line, norm=Soft(), check_derivatives=True)
    np.testing.assert_allclose(far, [5.6, 1], atol=1e-6)
    np.testing.assert_allclose(near, [0, 1], atol=0.1)
    assert text.startswith(
        "User-provided norm gradient matches finite-differences.\n"
        "User-provided norm Hessian matches finite-differences.\n"
    )


def test_the_value_of_a_norm_may_be_an_array_of_one_number() -> None:
    class Column(Soft):
        def value(self, r: Array) -> Any:
            return np.sum(np.sqrt(r**2 + 0.01) - 0.1, axis=0)

    np.testing.assert_allclose(solve(norm=Column())[0], [1, 1], atol=1e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda g, h: (1.01 * g, h), "norm gradient does not match finite-differences to a rel"),
        (lambda g, h: (g, 1.01 * h), "norm Hessian does not match finite-differences to a rel"),
        (lambda g, h: (g, h + np.triu(h * 0 + 1, 1)), "norm Hessian is not symmetric."),
        (lambda g, h: (g, -h), "norm Hessian is not positive definite. Minimum eigenvalue is -10"),
    ],
)
def test_wrong_derivatives_of_a_norm_are_found(change: Any, message: str) -> None:
    class Wrong(Soft):
        def grad_hess(self, r: Array, proj: Array) -> tuple[Array, Array]:
            grad, hess = change(*super().grad_hess(r, proj))
            return grad, hess

    with pytest.raises(ValueError, match=re.escape(message)):
        solve(norm=Wrong(), check_derivatives=True)


def test_a_wrong_jacobian_is_found() -> None:
    expected = "User-provided Jacobian does not match finite-differences to a relative tolerance"
    with pytest.raises(ValueError, match=expected + " of 1e-5."):
        solve(jacobian=lambda x, r: slope(x, r) + 1e-3, check_derivatives=True)
    with pytest.raises(ValueError, match=expected):
        solve(jacobian=lambda x, r: slope(x, r)[:1], check_derivatives=True)
    finite = "User-provided Jacobian must contain only finite values."
    with pytest.raises(ValueError, match=finite):
        solve(jacobian=lambda x, r: slope(x, r) * np.nan, check_derivatives=True)
    text = solve(jacobian=slope, check_derivatives=True, max_iter=1)[2]
    assert text.startswith("User-provided Jacobian matches finite-differences.\niter: 0 ")
    assert "Jacobian" not in solve(check_derivatives=True)[2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mu_factor": 1.0}, "mu_factor must be > 1."),
        ({"bounds": BOX[:1]}, "bounds must have 2 elements."),
        ({"bounds": [np.zeros(3), np.ones(3)]}, "bounds must have the same size as x0."),
        ({"bounds": BOX[::-1]}, "bounds[0] must be smaller than bounds[1]."),
        ({"bounds": [[-0.5, -0.5], [-0.5, 1]]}, "bounds[0] must be smaller than bounds[1]."),
        ({"bounds": [[-np.inf, 0], [1, 1]]}, "bounds must be finite."),
        ({"x0": [np.nan, 0]}, "x0 must be finite."),
        (
            {"residual": lambda x: x.astype(np.float32)},
            "residual function must return float64 arrays.",
        ),
        ({"verbose": 7}, "7 is not a valid Verbosity"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        solve(**options)


def test_names_are_those_of_the_reference() -> None:
    assert [(v.name, v.value) for v in Verbosity] == [
        ("SILENT", 0),
        ("FINAL", 1),
        ("ITER", 2),
        ("FULLITER", 3),
    ]
    assert [s.name for s in Status] == [
        "FACTORIZATION_FAILED",
        "NO_IMPROVEMENT",
        "MAX_ITER",
        "DX_TOL",
        "G_TOL",
    ]
    assert Quadratic().value(np.array([[1.0], [2.0]])) == 2.5
    with pytest.raises(TypeError):
        Norm()  # type: ignore[abstract]


# scales: numbers are those of release 4.0.0 of the reference


def test_scales_by_the_jacobian_take_the_references_path() -> None:
    start = np.array([-1.2, 1.0])
    x, trace, _ = solve(start, max_iter=5, verbose=0)
    np.testing.assert_allclose(x, [0.746324192547, 0.530813651999], rtol=1e-8)
    assert (len(trace), trace[-1].objective) == (6, pytest.approx(0.0664614259984, rel=1e-7))
    x, trace, _ = solve(start, max_iter=5, verbose=0, x_scale="jac")
    np.testing.assert_allclose(x, [0.568479381987, 0.319198633198], rtol=1e-6)
    assert (len(trace), trace[-1].objective) == (6, pytest.approx(0.0938931361817, rel=1e-7))
    assert len(solve(start, verbose=0)[1]) == 13
    x, trace, _ = solve(start, verbose=0, x_scale="jac")
    np.testing.assert_allclose(x, [1, 1], rtol=1e-8)
    assert len(trace) == 16


def test_bounded_numbers_are_the_references() -> None:
    x, trace, _ = solve([-1.2, 1.0], bounds=[[-2, -2], [0.5, 2]], verbose=0)
    np.testing.assert_allclose(x, [0.5, 0.249999999968], rtol=1e-10)
    assert (len(trace), trace[-1].objective) == (8, pytest.approx(0.125, rel=1e-10))


@pytest.mark.parametrize("scale", [1.0, 3.0, [2.0, 0.1], np.array([[2.0], [0.1]])])
def test_any_scales_find_the_minimum(scale: Any) -> None:
    x, trace, _ = solve([-1.2, 1.0], x_scale=scale, verbose=Verbosity.FULLITER)
    np.testing.assert_allclose(x, [1, 1], rtol=1e-7)
    # gradients and steps in the trace are those of x
    first = trace[0]
    assert first.grad is not None and first.jacobian is not None and first.residual is not None
    np.testing.assert_allclose(first.grad, first.jacobian.T @ first.residual, rtol=1e-12)
    assert first.step is not None
    np.testing.assert_allclose(trace[1].candidate, first.candidate + first.step, rtol=1e-12)


def test_a_scale_of_one_changes_no_bit() -> None:
    plain, scaled = solve([-1.2, 1.0])[1], solve([-1.2, 1.0], x_scale=1)[1]
    for a, b in zip(plain[:-1], scaled, strict=False):
        assert a.candidate.tobytes() == b.candidate.tobytes()


@pytest.mark.parametrize(
    ("scale", "message"),
    [
        ("foo", "x_scale must be None, 'jac', a positive scalar, or array, got 'foo'."),
        (np.ones(3), "x_scale array must have shape (2,), got (3,)."),
        (0, "x_scale must be positive and finite."),
        ([1, np.inf], "x_scale must be positive and finite."),
    ],
)
def test_wrong_scales_are_refused(scale: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        solve(x_scale=scale)


def test_differences_stay_within_the_bounds() -> None:
    seen: list[Array] = []

    def watched(points: Array) -> Array:
        seen.append(points)
        return rosenbrock(points)

    x = np.array([[0.5], [0.2]])
    box = [np.array([[0.4], [0]]), np.array([[0.55], [1]])]
    jac, count = minimize.jacobian_fd(watched, x, rosenbrock(x), 0.1, 0, box)
    np.testing.assert_allclose(jac, [[-1, 0], [-9, 10]], atol=1e-12)
    assert count == 2
    np.testing.assert_allclose(seen[-1], [[0.4, 0.5], [0.2, 0.3]], atol=1e-15)
    minimize.jacobian_fd(watched, x, rosenbrock(x), 0.4, 0, box)
    assert (seen[-1] >= box[0]).all() and (seen[-1] <= box[1]).all()
