"""arrays.py [FILE SIZES]...: writes f32 arrays of these sizes, such as 4 or 2x3."""

import sys

import numpy

for name, sizes in zip(sys.argv[1::2], sys.argv[2::2]):
    shape = [int(size) for size in sizes.split("x")]
    numpy.save(name, numpy.arange(numpy.prod(shape), dtype="float32").reshape(shape))
