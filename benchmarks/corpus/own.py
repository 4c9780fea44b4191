"""Architectures of kinds that the libraries of models have no small class for, written
from their papers."""
import torch
from torch import nn
import torch.nn.functional as F


class _Double(nn.Sequential):
    def __init__(self, into, out):
        super().__init__(nn.Conv2d(into, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU(),
                         nn.Conv2d(out, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU())


class _UNet(nn.Module):
    """Ronneberger and others, 2015, with bilinear and transposed upsampling."""

    def __init__(self, base=32):
        super().__init__()
        sizes = [base * 2**k for k in range(4)]
        self.down = nn.ModuleList(_Double(i, o) for i, o in zip([3] + sizes, sizes))
        self.middle = _Double(sizes[-1], 2 * sizes[-1])
        self.rise = nn.ModuleList(nn.ConvTranspose2d(2 * s, s, 2, 2) for s in sizes[2:])
        self.reduce = nn.ModuleList(nn.Conv2d(2 * s, s, 1) for s in sizes[:2])
        self.up = nn.ModuleList(_Double(2 * s, s) for s in sizes)
        self.out = nn.Conv2d(base, 2, 1)

    def forward(self, x):
        kept = []
        for block in self.down:
            x = block(x)
            kept.append(x)
            x = F.max_pool2d(x, 2)
        x = self.middle(x)
        for level in (3, 2, 1, 0):
            if level >= 2:
                x = self.rise[level - 2](x)
            else:
                x = F.interpolate(self.reduce[level](x), scale_factor=2, mode="bilinear")
            x = self.up[level](torch.cat([kept[level], x], 1))
        return self.out(x)


def unet():
    return _UNet(), (torch.randn(1, 3, 64, 64),)


class _Residual(nn.Module):
    def __init__(self, into, out, time):
        super().__init__()
        self.first = nn.Sequential(nn.GroupNorm(8, into), nn.SiLU(),
                                   nn.Conv2d(into, out, 3, padding=1))
        self.time = nn.Linear(time, out)
        self.second = nn.Sequential(nn.GroupNorm(8, out), nn.SiLU(),
                                    nn.Conv2d(out, out, 3, padding=1))
        self.skip = nn.Conv2d(into, out, 1) if into != out else nn.Identity()

    def forward(self, x, t):
        y = self.first(x) + self.time(F.silu(t))[:, :, None, None]
        return self.skip(x) + self.second(y)


class _Attention(nn.Module):
    def __init__(self, width, heads=4):
        super().__init__()
        self.norm, self.heads = nn.GroupNorm(8, width), heads
        self.qkv, self.out = nn.Conv1d(width, 3 * width, 1), nn.Conv1d(width, width, 1)

    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.norm(x).reshape(b, c, h * w)).reshape(
            b, 3, self.heads, c // self.heads, h * w).transpose(-1, -2).unbind(1)
        y = F.scaled_dot_product_attention(q, k, v).transpose(-1, -2).reshape(b, c, h * w)
        return x + self.out(y).reshape(b, c, h, w)


class _DiffusionUNet(nn.Module):
    """The shape of Ho and others, 2020: residual blocks with the time, attention at low
    resolution, nearest upsampling."""

    def __init__(self, base=64, time=128):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(time, time), nn.SiLU(), nn.Linear(time, time))
        self.enter = nn.Conv2d(4, base, 3, padding=1)
        a, b, c = base, 2 * base, 4 * base
        self.d1, self.d2, self.d3 = _Residual(a, a, time), _Residual(a, b, time), _Residual(
            b, c, time)
        self.s1, self.s2 = nn.Conv2d(a, a, 3, 2, 1), nn.Conv2d(b, b, 3, 2, 1)
        self.attend, self.middle = _Attention(c), _Residual(c, c, time)
        self.u3, self.u2, self.u1 = _Residual(2 * c, b, time), _Residual(
            2 * b, a, time), _Residual(2 * a, a, time)
        self.out = nn.Sequential(nn.GroupNorm(8, a), nn.SiLU(), nn.Conv2d(a, 4, 3, padding=1))

    def forward(self, x, t):
        t = self.time(t)
        one = self.d1(self.enter(x), t)
        two = self.d2(self.s1(one), t)
        three = self.d3(self.s2(two), t)
        x = self.middle(self.attend(three), t)
        x = F.interpolate(self.u3(torch.cat([x, three], 1), t), scale_factor=2)
        x = F.interpolate(self.u2(torch.cat([x, two], 1), t), scale_factor=2)
        return self.out(self.u1(torch.cat([x, one], 1), t))


def diffusion_unet():
    return _DiffusionUNet(), (torch.randn(1, 4, 32, 32), torch.randn(1, 128))


class _Edsr(nn.Module):
    """Lim and others, 2017: residual blocks without norms, then pixel shuffle."""

    class Block(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.a, self.b = nn.Conv2d(width, width, 3, padding=1), nn.Conv2d(
                width, width, 3, padding=1)

        def forward(self, x):
            return x + 0.1 * self.b(F.relu(self.a(x)))

    def __init__(self, width=64, depth=8):
        super().__init__()
        self.enter = nn.Conv2d(3, width, 3, padding=1)
        self.blocks = nn.Sequential(*(self.Block(width) for _ in range(depth)))
        self.up = nn.Conv2d(width, 4 * width, 3, padding=1)
        self.out = nn.Conv2d(width, 3, 3, padding=1)

    def forward(self, x):
        x = self.enter(x)
        return self.out(F.pixel_shuffle(self.up(x + self.blocks(x)), 2))


def edsr():
    return _Edsr(), (torch.randn(1, 3, 96, 96),)


class _Espcn(nn.Module):
    """Shi and others, 2016."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Conv2d(1, 64, 5, padding=2), nn.Conv2d(
            64, 32, 3, padding=1), nn.Conv2d(32, 9, 3, padding=1)

    def forward(self, x):
        x = torch.tanh(self.b(torch.tanh(self.a(x))))
        return torch.sigmoid(F.pixel_shuffle(self.c(x), 3))


def espcn():
    return _Espcn(), (torch.randn(1, 1, 120, 160),)


class _Dlrm(nn.Module):
    """Naumov and others, 2019."""

    def __init__(self, tables=26, rows=2000, width=64):
        super().__init__()
        self.bottom = nn.Sequential(nn.Linear(13, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(),
                                    nn.Linear(256, width), nn.ReLU())
        self.tables = nn.ModuleList(nn.Embedding(rows, width) for _ in range(tables))
        pairs = (tables + 1) * tables // 2
        self.top = nn.Sequential(nn.Linear(pairs + width, 512), nn.ReLU(), nn.Linear(512, 256),
                                 nn.ReLU(), nn.Linear(256, 1), nn.Sigmoid())
        self.register_buffer("rows", torch.tril_indices(tables + 1, tables + 1, -1)[0])
        self.register_buffer("columns", torch.tril_indices(tables + 1, tables + 1, -1)[1])

    def forward(self, dense, sparse):
        x = self.bottom(dense)
        parts = [x] + [table(sparse[:, k]) for k, table in enumerate(self.tables)]
        z = torch.stack(parts, 1)
        products = torch.bmm(z, z.transpose(1, 2))[:, self.rows, self.columns]
        return self.top(torch.cat([x, products], 1))


def dlrm():
    return _Dlrm(), (torch.randn(1, 13), torch.randint(0, 2000, (1, 26)))


class _WideAndDeep(nn.Module):
    """Cheng and others, 2016."""

    def __init__(self, fields=20, rows=5000, width=32):
        super().__init__()
        self.wide = nn.Embedding(fields * rows, 1)
        self.deep = nn.Embedding(fields * rows, width)
        self.register_buffer("offsets", rows * torch.arange(fields))
        self.net = nn.Sequential(nn.Linear(fields * width + 16, 1024), nn.ReLU(),
                                 nn.Linear(1024, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(),
                                 nn.Linear(256, 1))

    def forward(self, ids, numbers):
        ids = ids + self.offsets
        deep = torch.cat([self.deep(ids).flatten(1), numbers], 1)
        return torch.sigmoid(self.net(deep) + self.wide(ids).sum(1))


def wide_and_deep():
    return _WideAndDeep(), (torch.randint(0, 5000, (64, 20)), torch.randn(64, 16))


class _SsdHead(nn.Module):
    """SSDLite (Sandler and others, 2018): a backbone, extra layers, and for every map a
    head of classes and one of boxes, without what selects boxes."""

    def __init__(self, classes=91, anchors=6):
        super().__init__()
        import torchvision

        features = torchvision.models.mobilenet_v3_large(weights=None).features
        self.low, self.high = features[:13], features[13:]
        widths = [112, 960, 512, 256, 256, 128]
        self.extra = nn.ModuleList(
            nn.Sequential(nn.Conv2d(i, o // 2, 1), nn.ReLU6(),
                          nn.Conv2d(o // 2, o // 2, 3, 2, 1, groups=o // 2), nn.ReLU6(),
                          nn.Conv2d(o // 2, o, 1), nn.ReLU6())
            for i, o in zip(widths[1:], widths[2:]))

        def head(width, out):
            return nn.Sequential(nn.Conv2d(width, width, 3, padding=1, groups=width),
                                 nn.BatchNorm2d(width), nn.ReLU6(),
                                 nn.Conv2d(width, anchors * out, 1))
        self.classes = nn.ModuleList(head(w, classes) for w in widths)
        self.boxes = nn.ModuleList(head(w, 4) for w in widths)
        self.sizes = classes, 4

    def forward(self, x):
        maps = [self.low(x)]
        maps.append(self.high(maps[0]))
        for layer in self.extra:
            maps.append(layer(maps[-1]))
        found = []
        for heads, size in ((self.classes, self.sizes[0]), (self.boxes, self.sizes[1])):
            rows = [h(m).permute(0, 2, 3, 1).reshape(1, -1, size) for h, m in zip(heads, maps)]
            found.append(torch.cat(rows, 1))
        return torch.softmax(found[0], -1), found[1]


def ssd_head():
    return _SsdHead(), (torch.randn(1, 3, 320, 320),)
