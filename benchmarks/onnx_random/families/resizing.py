"""Resampling of images, and grids."""
import numpy as np

from draw import F32, FLOATS, is_float
from families.movement import ints

SCALES = (0.5, 0.6, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
COORDINATES = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"]
DECIDED_CUBIC = "beyond the border, cubic interpolation takes the elements there, as PyTorch does"
DECIDED_LOWER = ("opset 10 does not say which element is nearest; ONNX Runtime takes the upper one "
                 "if the result is smaller")
DECIDED_ROUNDED = "interpolated integers are rounded to nearest, which the standard leaves open"


def rounded(dtype, mode):
    return DECIDED_ROUNDED if mode not in (None, "nearest") and not is_float(dtype) else ""


def resize(draw):
    spatial = draw.pick(1, 2, 2, 2, 3)
    mode = draw.pick("nearest", "linear", "cubic") if spatial == 2 and draw.opset >= 11 \
        else draw.pick("nearest", "linear")
    sizes = [draw.randint(1, 6) for _ in range(spatial)]
    shape = (draw.randint(1, 2), draw.randint(1, 3), *sizes)
    rank = len(shape)
    factors = [draw.choice(SCALES) for _ in range(spatial)]
    factors = [f if int(f * s) >= 1 else 1.0 for f, s in zip(factors, sizes)]
    dtype = draw.type("T1" if draw.opset >= 11 else "T")
    x = draw.array(dtype, shape, scale=3)
    if not is_float(dtype) and dtype != bool:
        x = draw.array(dtype, shape, low=0, high=100)
    scales = np.array([1, 1, *factors], F32)
    given = {"mode": mode if mode != "nearest" or draw.chance(0.5) else None}
    decided = rounded(dtype, mode)
    if draw.opset == 10:
        if mode == "nearest":
            decided = DECIDED_LOWER
        return draw.node([x, scales], known=(1,), decided=decided, **given)
    ways = COORDINATES + (["half_pixel_symmetric"] if draw.opset >= 19 else [])
    if mode != "nearest":
        ways = ways + ["tf_crop_and_resize"]
    way = draw.maybe(draw.choice(ways), 0.8)
    given["coordinate_transformation_mode"] = way
    roi = None
    if way == "tf_crop_and_resize":
        low = [round(draw.uniform(-0.2, 0.4), 2) for _ in range(rank)]
        high = [round(draw.uniform(0.5, 1.2), 2) for _ in range(rank)]
        low[:2], high[:2] = [0, 0], [1, 1]
        roi = np.array(low + high, F32)
        given["extrapolation_value"] = draw.maybe(7.0)
    elif draw.opset < 13:
        # These opsets require the input.
        roi = np.zeros(0, F32)
    if mode == "nearest":
        given["nearest_mode"] = draw.maybe(draw.pick("round_prefer_floor", "round_prefer_ceil",
                                                     "floor", "ceil"))
    if mode == "cubic":
        given.update(cubic_coeff_a=draw.maybe(-0.5), exclude_outside=draw.maybe(draw.pick(0, 1)))
    axes = list(range(rank))
    if draw.opset >= 18:
        if mode != "nearest" and way != "tf_crop_and_resize" and draw.chance(0.25):
            given["antialias"] = 1
        if draw.chance(0.25) and roi is None:
            axes = list(range(2, rank))
            given["axes"] = axes
    if draw.chance(0.35):
        wanted = [shape[a] if a < 2 else draw.randint(1, 9) for a in axes]
        if draw.opset >= 18 and draw.chance(0.25):
            given["keep_aspect_ratio_policy"] = draw.pick("stretch", "not_larger", "not_smaller")
        return draw.node([x, roi, np.zeros(0, F32) if draw.opset < 13 else None, ints(wanted)],
                         known=(1, 2, 3), decided=decided, **given)
    return draw.node([x, roi, scales[axes]], known=(1, 2), decided=decided, **given)


def upsample(draw):
    spatial = draw.pick(1, 2, 2)
    shape = (draw.randint(1, 2), draw.randint(1, 3), *(draw.randint(1, 5) for _ in range(spatial)))
    scales = np.array([1, 1, *(draw.pick(1, 1.5, 2, 3) for _ in range(spatial))], F32)
    x = draw.array(draw.type(), shape, **({} if draw.chance(0.5) else {"low": 0, "high": 50}))
    mode = draw.maybe(draw.pick("nearest", "linear"), 0.8)
    if draw.opset < 9:
        return draw.node([x], decided=rounded(x.dtype, mode), scales=list(map(float, scales)),
                         mode=mode)
    return draw.node([x, scales], known=(1,), decided=rounded(x.dtype, mode), mode=mode)


def grid_sample(draw):
    spatial = draw.pick(2, 2, 3, 1) if draw.opset >= 20 else 2
    if draw.opset >= 20:
        names = ["linear", "nearest", "cubic"] if spatial == 2 else ["linear", "nearest"]
    else:
        names = ["bilinear", "nearest", "bicubic"]
    mode = draw.maybe(draw.choice(names), 0.8)
    batch = draw.randint(1, 2)
    sizes = [draw.randint(1, 5) for _ in range(spatial)]
    dtype = draw.type("T1", FLOATS if draw.chance(0.8) else None)
    x = draw.array(dtype, (batch, draw.randint(1, 3), *sizes))
    kind = draw.type("T2") if draw.chance(0.2) else (
        x.dtype if is_float(x.dtype) and draw.opset >= 16 else F32)
    outer = [draw.randint(1, 4) for _ in range(spatial)]
    reach = draw.pick(0.9, 1.4, 2.5)
    grid = draw.array(kind, (batch, *outer, spatial), low=-reach, high=reach)
    padding = draw.maybe(draw.pick("zeros", "border", "reflection"), 0.8)
    decided = DECIDED_CUBIC if mode in ("cubic", "bicubic") and padding in (
        "border", "reflection") else rounded(x.dtype, mode or "linear")
    return draw.node([x, grid], decided=decided, mode=mode, padding_mode=padding,
                     align_corners=draw.maybe(draw.pick(0, 1)))


def affine_grid(draw):
    spatial = draw.pick(2, 2, 3)
    batch = draw.randint(1, 3)
    corners = draw.maybe(draw.pick(0, 1))
    # Between the corners of one point there is no step.
    least = 2 if corners else 1
    size = [batch, draw.randint(1, 3), *(draw.randint(least, 5) for _ in range(spatial))]
    theta = draw.array(draw.type("T1"), (batch, spatial, spatial + 1))
    return draw.node([theta, ints(size)], known=(1,), align_corners=corners)


OPS = {"AffineGrid": affine_grid, "GridSample": grid_sample, "Resize": resize,
       "Upsample": upsample}
