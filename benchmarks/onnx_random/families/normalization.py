"""Normalization, softmax and its kin, losses."""

import numpy as np

from draw import I32, I64


def softmax(draw):
    shape = draw.shape(1, 4, zero=0)
    rank = len(shape)
    axis = draw.axis(rank, draw.opset >= 11)
    x = draw.array(draw.type(), shape, scale=4)
    if draw.op == "Hardmax" and draw.chance(0.3):
        x = np.round(x.astype(float) / 3).astype(x.dtype)
    return draw.node([x], axis=draw.maybe(axis, 0.8) if rank > 1 or draw.opset >= 13 else axis)


def epsilon(draw):
    return draw.maybe(draw.pick(1e-5, 1e-3, 0.1))


def batch_normalization(draw):
    shape = draw.shape(2, 5, 4)
    dtype = draw.type("T")
    channels = (shape[1],)
    second = "T1" if draw.opset >= 15 else "U" if draw.opset >= 14 else "T"
    third = "T2" if draw.opset >= 15 else "U" if draw.opset >= 14 else "T"
    same = draw.chance(0.6)
    scale_type = dtype if same or second == "U" else draw.type(second)
    mean_type = dtype if same else draw.type(third)
    inputs = [draw.array(dtype, shape), draw.array(scale_type, channels),
              draw.array(scale_type, channels), draw.array(mean_type, channels),
              draw.array(mean_type, channels, low=0.1, high=4)]
    if draw.opset == 14:
        inputs[1], inputs[2] = (i.astype(dtype) for i in inputs[1:3])
    given = {"epsilon": epsilon(draw), "momentum": draw.maybe(0.8)}
    if draw.opset >= 14:
        given["training_mode"] = draw.maybe(0)
    elif draw.opset < 9:
        given["spatial"] = draw.maybe(1)
        if draw.opset < 7:
            given["is_test"] = 1
    return draw.node(inputs, **given)


def instance_normalization(draw):
    shape = draw.shape(3, 5, 4, zero=0)
    dtype = draw.type()
    return draw.node([draw.array(dtype, shape), draw.array(dtype, (shape[1],)),
                      draw.array(dtype, (shape[1],))], epsilon=epsilon(draw))


def group_normalization(draw):
    groups = draw.randint(1, 3)
    n, *rest = draw.shape(2, 4, 4, zero=0)
    channels = groups * draw.randint(1, 3)
    dtype = draw.type()
    sizes = (groups if draw.opset < 21 else channels,)
    return draw.node([draw.array(dtype, (n, channels, *rest)), draw.array(dtype, sizes),
                      draw.array(dtype, sizes)], num_groups=groups, epsilon=epsilon(draw),
                     stash_type=draw.maybe(1) if draw.opset >= 21 else None)


def layer_normalization(draw):
    shape = draw.shape(1, 4, zero=0)
    axis = draw.axis(len(shape))
    normal = shape[axis:]
    dtype = draw.type("T")
    rms = draw.op == "RMSNormalization"
    scale_type = draw.type("V") if rms and draw.chance(0.2) else dtype
    scale = draw.array(scale_type, normal if draw.chance(0.7) else draw.broadcastable(normal))
    bias = draw.maybe(draw.array(dtype, normal if draw.chance(0.7) else draw.broadcastable(normal)))
    outputs = 1 if rms else draw.pick([True], [True], [True, True, True], [True, False, True])
    x = draw.array(dtype, shape, scale=draw.pick(1, 20))
    given = {"axis": axis if axis != -1 or draw.chance(0.5) else None, "epsilon": epsilon(draw),
             "stash_type": draw.maybe(1)}
    return draw.node([x, scale] + ([] if rms else [bias]), outputs, **given)


def lp_normalization(draw):
    shape = draw.shape(1, 4)
    return draw.node([draw.array(draw.type(), shape)], p=draw.maybe(draw.pick(1, 2)),
                     axis=draw.maybe(draw.axis(len(shape)), 0.8))


def mean_variance(draw):
    shape = draw.shape(4, 4, zero=0)
    axes = draw.maybe(draw.axes(4, 1))
    return draw.node([draw.array(draw.type(), shape)], axes=axes)


def lrn(draw):
    shape = draw.shape(3, 5, 6)
    return draw.node([draw.array(draw.type(), shape, scale=2)], size=draw.pick(1, 3, 5, 2, 4),
                     **draw.some(alpha=0.02, beta=0.6, bias=1.5))


def loss(draw):
    classes = draw.randint(1, 5)
    batch = draw.size(4, 0)
    rest = draw.shape(0, 2, 4, zero=0)
    dtype = draw.type("T")
    ignored = draw.maybe(draw.pick(-1, 0, classes - 1, 100))
    target = draw.array(draw.type("Tind", (I64, I32)), (batch, *rest), low=0, high=classes - 1)
    if ignored is not None and draw.chance(0.6):
        target = np.where(draw.numpy.random(target.shape) < 0.3, ignored, target).astype(
            target.dtype)
    weight = draw.maybe(draw.array(dtype, (classes,), low=0.2, high=2))
    mode = draw.maybe(draw.pick("none", "sum", "mean"), 0.8)
    counted = target != (ignored if ignored is not None else -7)
    if mode in (None, "mean") and not counted.any():
        mode = "sum"
    log = draw.op == "SoftmaxCrossEntropyLoss" and draw.chance(0.4)
    return draw.node([draw.array(dtype, (batch, classes, *rest)), target, weight],
                     2 if log else 1, ignore_index=ignored, reduction=mode)


OPS = {
    "BatchNormalization": batch_normalization, "GroupNormalization": group_normalization,
    "Hardmax": softmax, "InstanceNormalization": instance_normalization,
    "LayerNormalization": layer_normalization, "LogSoftmax": softmax,
    "LpNormalization": lp_normalization, "LRN": lrn,
    "MeanVarianceNormalization": mean_variance, "NegativeLogLikelihoodLoss": loss,
    "RMSNormalization": layer_normalization, "Softmax": softmax,
    "SoftmaxCrossEntropyLoss": loss,
}
