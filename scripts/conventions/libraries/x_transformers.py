import torch
from case import Function
from x_transformers.attend import Attend


def attend(case, flash):
    q, k, v = (torch.from_numpy(x)[None, None] for x in case.arrays(scaled=False))
    mask = None if case.mask is None else torch.from_numpy(case.mask)[None, None]
    return Attend(causal=case.causal, flash=flash, scale=1.0).eval()(q, k, v, mask=mask)[0][0, 0].numpy()


FUNCTIONS = {
    "x-transformers-attend": Function(lambda case: attend(case, False)),
    "x-transformers-attend-flash": Function(lambda case: attend(case, True)),
}
