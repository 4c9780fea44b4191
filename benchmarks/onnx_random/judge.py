"""The judges: ONNX's reference evaluator and ONNX Runtime, in a process of their own, since
either may crash or hang. If ONNX Runtime has no kernel for f64, f16 or bf16, it computes the
case in f32."""
import concurrent.futures
import dataclasses
import warnings
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import onnx
from onnx import defs, helper

import models
from draw import BF16, F16, F32, F64, is_float
from faults import fault

SECONDS = 30
# Relative to the element, relative to the largest. ONNX Runtime may have computed f64 in f32.
TOLERANCES = {F64: (1e-4, 1e-6), F16: (5e-3, 1e-2), BF16: (3e-2, 3e-2)}


def difference(got, wanted, tolerances):
    """Why two results differ, or an empty text."""
    if got.dtype != wanted.dtype:
        return f"type {got.dtype}, expected {wanted.dtype}"
    if got.shape != wanted.shape:
        return f"shape {got.shape}, expected {wanted.shape}"
    if is_float(wanted.dtype):
        relative, absolute = tolerances
        a, b = got.astype(np.float64), wanted.astype(np.float64)
        finite = np.abs(b[np.isfinite(b)])
        largest = finite.max() if finite.size else 0
        if wanted.dtype not in (F16, BF16):
            largest = max(1.0, largest)
        with np.errstate(invalid="ignore", over="ignore"):
            same = (a == b) | (np.isnan(a) & np.isnan(b)) | (
                np.isfinite(a) & np.isfinite(b)
                & (np.abs(a - b) <= relative * np.abs(b) + absolute * largest))
    else:
        same = got == wanted
    if np.all(same):
        return ""
    where = tuple(int(i[0]) for i in np.nonzero(~same)) if wanted.ndim else ()
    count = int(np.size(same) - np.count_nonzero(same))
    return f"{got[where]}, expected {wanted[where]} at {list(where)} ({count} of {wanted.size})"


def differences(case, got, wanted):
    """As `difference`, of all results; none is more accurate than the inputs."""
    coarse = max((TOLERANCES[a.dtype] for a in case.inputs.values() if a.dtype in TOLERANCES),
                 default=(0, 0))
    for name in wanted:
        usual = TOLERANCES.get(wanted[name].dtype, (1e-3, 1e-5))
        text = difference(got[name], wanted[name], max(usual, coarse))
        if text:
            return f"{name}: {text}"
    return ""


def _reference(model, inputs):
    from onnx.reference import ReferenceEvaluator

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return ReferenceEvaluator(model).run(None, inputs)


def _runtime(model, inputs):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def _judge(name, text, inputs, elements):
    """What one judge gives, or the reason why it can't."""
    model = onnx.ModelProto.FromString(text)
    try:
        results = (_reference if name == "reference" else _runtime)(model, inputs)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    found = {}
    for (key, element), value in zip(elements.items(), results):
        value = np.asarray(value)
        expected = np.dtype(helper.tensor_dtype_to_np_dtype(element))
        # The evaluator may leave 16 bits for more, but the numbers count.
        if value.dtype != expected and not (is_float(value.dtype) and is_float(expected)):
            return f"type {value.dtype} instead of {expected}"
        found[key] = value.astype(expected, copy=False)
    return found


# What these make of a type is not what f32 makes of it.
NOT_IN_F32 = {"Cast", "CastLike", "Constant", "ConstantOfShape", "EyeLike", "HammingWindow",
              "HannWindow", "BlackmanWindow", "If", "Loop", "Scan", "SequenceMap",
              "SequenceEmpty", "Dropout"}


def elsewhere(case):
    """The case where ONNX Runtime has more kernels: its model, the elements' types of its
    outputs, and its inputs; None if there is no such place. Opset 22 only added bf16 to what
    it defined anew."""
    inputs, opset = case.inputs, case.opset
    if case.op not in NOT_IN_F32:
        inputs = {n: a.astype(F32) if is_float(a.dtype) else a for n, a in inputs.items()}
    if defs.get_schema(case.op, opset).since_version == 22:
        opset = 21
    same = all(inputs[n].dtype == a.dtype for n, a in case.inputs.items())
    if same and opset == case.opset:
        return None
    try:
        return *models.for_judges(dataclasses.replace(case, inputs=inputs, opset=opset)), inputs
    except Exception:
        return None


def _judge_many(tasks):
    return [_judge(*task) for task in tasks]


class Judges:
    CHUNK = 50  # what is asked at once

    def __init__(self):
        self.pool = None

    def ask(self, cases):
        """Fills in the answers of the judges: results by name, or why there are none."""
        for name in ("reference", "runtime"):
            asked = []
            for case in cases:
                excuse = fault(name, case)
                if excuse:
                    case.unable[name] = excuse
                else:
                    asked.append(case)
            self._record(name, asked, [(*c.judged, c.inputs) for c in asked])
        # The evaluator rounds every step to 16 bits.
        for name, again in (
                ("runtime", [c for c in cases if "runtime" in c.unable]),
                ("reference", [c for c in cases if "reference" in c.answers and any(
                    a.dtype in (F16, BF16) for a in c.inputs.values())])):
            tasks = [(case, elsewhere(case)) for case in again if not fault(name, case)]
            tasks = [(case, task) for case, task in tasks if task]
            self._record(name, [case for case, _ in tasks], [task for _, task in tasks],
                         " in f32")

    def _record(self, name, cases, tasks, where=""):
        work = []
        for case, (model, elements, inputs) in zip(cases, tasks):
            inputs = {models.prefix_of(case) + n: a for n, a in inputs.items()
                      if n not in case.constants}
            work.append((name, model.SerializeToString(), inputs, elements))
        for start in range(0, len(work), self.CHUNK):
            found = self._run(work[start:start + self.CHUNK])
            for case, answer in zip(cases[start:], found):
                if isinstance(answer, str):
                    case.unable.setdefault(name + where, answer)
                    continue
                types = case.judged[1]
                with np.errstate(over="ignore"):
                    case.answers[name + where] = {
                        n: v.astype(helper.tensor_dtype_to_np_dtype(types[n]), copy=False)
                        for n, v in answer.items()}

    def _run(self, tasks):
        """The answers; if the process dies of one task, it is given them one by one."""
        if self.pool is None:
            self.pool = concurrent.futures.ProcessPoolExecutor(1)
        work = self.pool.submit(_judge_many, tasks)
        try:
            return work.result(SECONDS * (1 + len(tasks) // 10))
        except BrokenProcessPool:
            why = "crash"
        except concurrent.futures.TimeoutError:
            for process in self.pool._processes.values():
                process.kill()
            why = "timeout"
        self.close()
        return [why] if len(tasks) == 1 else [self._run([task])[0] for task in tasks]

    def close(self):
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
        self.pool = None
