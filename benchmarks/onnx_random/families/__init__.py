"""How cases of each operator are drawn, by the operator's name. Another operator is a function
of a Draw that gives a case, and an entry in the table of its family:

    def gelu(draw):
        x = draw.array(draw.type("T"))
        return draw.node([x], **draw.some(approximate=draw.pick("none", "tanh")))
    OPS["Gelu"] = gelu
"""
from families import (constants, control, elementwise, indexing, linear, movement, normalization,
                      recurrent, reductions, resizing, windows)

OPS = {}
for _family in (constants, control, elementwise, indexing, linear, movement, normalization,
                recurrent, reductions, resizing, windows):
    OPS.update(_family.OPS)
