"""Small models around layers of torch.nn and torch_geometric, and recommenders."""

import torch
import torch.nn.functional as F
from torch import nn

from spec import Spec, ids, right_padded


def mha():
    class Attend(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Linear(12, 32)
            self.attention = nn.ModuleList(
                nn.MultiheadAttention(32, 4) for _ in range(3)
            )  # [time, batch, width]
            self.norms = nn.ModuleList(nn.LayerNorm(32) for _ in range(3))
            self.head = nn.Linear(32, 5)

        def forward(self, x):
            h = self.embed(x).transpose(0, 1)
            for attention, norm in zip(self.attention, self.norms):
                n = norm(h)
                h = h + attention(n, n, n, need_weights=False)[0]
            return self.head(h.mean(0))

    return Spec(Attend(), lambda b, s: {"x": torch.randn(b, s, 12)}, True, {"x": [1]})


def encoder():
    class Encode(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(80, 32)
            layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0)  # batch_first=False
            self.encoder = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)
            self.head = nn.Linear(32, 5)

        def forward(self, tokens):
            return self.head(self.encoder(self.embed(tokens).transpose(0, 1)).transpose(0, 1))

    return Spec(Encode(), lambda b, s: {"tokens": ids(80, b, s)}, False, {"tokens": [1]})


def lstm():
    class Lstm(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(80, 24)
            self.lstm = nn.LSTM(24, 32, num_layers=2)  # batch_first=False
            self.head = nn.Linear(32, 5)

        def forward(self, tokens):
            h, _ = self.lstm(self.embed(tokens).transpose(0, 1))
            return self.head(h.transpose(0, 1))

    return Spec(Lstm(), lambda b, s: {"tokens": ids(80, b, s)}, False, {"tokens": [1]})


def gru():
    class Gru(nn.Module):
        def __init__(self):
            super().__init__()
            self.gru = nn.GRU(16, 24, num_layers=2, batch_first=True, bidirectional=True)
            self.head = nn.Linear(48, 5)

        def forward(self, x):
            h, _ = self.gru(x)
            return self.head(h[:, -1])

    return Spec(Gru(), lambda b, s: {"x": torch.randn(b, s, 16)}, True)


def dlrm(bag):
    class Dlrm(nn.Module):
        def __init__(self, tables=4, width=16):
            super().__init__()
            make = (
                (lambda: nn.EmbeddingBag(60, width, mode="sum"))
                if bag
                else (lambda: nn.Embedding(60, width))
            )
            self.tables = nn.ModuleList(make() for _ in range(tables))
            self.bottom = nn.Sequential(
                nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, width), nn.ReLU()
            )
            self.register_buffer(
                "pairs", torch.tril_indices(tables + 1, tables + 1, -1), persistent=False
            )
            n = tables + 1
            self.top = nn.Sequential(
                nn.Linear(width + n * (n - 1) // 2, 32), nn.ReLU(), nn.Linear(32, 1)
            )

        def forward(self, dense, sparse):
            d = self.bottom(dense)
            e = [
                t(sparse[:, i]) if bag else t(sparse[:, i]).sum(1)
                for i, t in enumerate(self.tables)
            ]
            t = torch.stack([d, *e], 1)
            z = torch.bmm(t, t.transpose(1, 2))[:, self.pairs[0], self.pairs[1]]
            return self.top(torch.cat([d, z], 1)).squeeze(1)

    return Spec(
        Dlrm(), lambda b, s: {"dense": torch.randn(b, 13), "sparse": ids(60, b, 4, 3)}, True
    )


def ncf():
    class Ncf(nn.Module):
        """Neural collaborative filtering: a product of embeddings, and an MLP of others."""

        def __init__(self):
            super().__init__()
            self.user_gmf, self.item_gmf = nn.Embedding(100, 16), nn.Embedding(120, 16)
            self.user_mlp, self.item_mlp = nn.Embedding(100, 24), nn.Embedding(120, 24)
            self.mlp = nn.Sequential(nn.Linear(48, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
            self.head = nn.Linear(32, 1)

        def forward(self, user, item):
            gmf = self.user_gmf(user) * self.item_gmf(item)
            mlp = self.mlp(torch.cat([self.user_mlp(user), self.item_mlp(item)], -1))
            return torch.sigmoid(self.head(torch.cat([gmf, mlp], -1))).squeeze(-1)

    return Spec(
        Ncf(), lambda b, s: {"user": ids(100, b), "item": ids(120, b)}, False, outputs=("score",)
    )


def two_tower():
    class Tower(nn.Module):
        def __init__(self, count):
            super().__init__()
            self.embed = nn.Embedding(count, 24, padding_idx=0)
            self.mlp = nn.Sequential(
                nn.Linear(24, 48), nn.GELU(), nn.LayerNorm(48), nn.Linear(48, 16)
            )

        def forward(self, history):
            some = (history != 0).float().unsqueeze(-1)
            mean = (self.embed(history) * some).sum(1) / some.sum(1).clamp(min=1)
            return F.normalize(self.mlp(mean), dim=-1)

    class TwoTower(nn.Module):
        def __init__(self):
            super().__init__()
            self.user, self.item = Tower(90), Tower(70)

        def forward(self, user, item):
            return (self.user(user) * self.item(item)).sum(-1) / 0.1

    def inputs(b, s):
        return {"user": ids(90, b, 8) * right_padded(b, 8), "item": ids(70, b, 8)}

    return Spec(TwoTower(), inputs, False, outputs=("score",))


def gnn():
    from torch_geometric.nn import DenseGCNConv, DenseSAGEConv

    class Gnn(nn.Module):
        def __init__(self):
            super().__init__()
            self.c1, self.c2, self.c3 = (
                DenseGCNConv(8, 32),
                DenseSAGEConv(32, 32),
                DenseSAGEConv(32, 32),
            )
            self.head = nn.Linear(32, 4)

        def forward(self, x, adj):
            h = F.relu(self.c1(x, adj))
            h = F.relu(self.c2(h, adj))
            h = F.relu(self.c3(h, adj)) + h
            return self.head(h.max(dim=1).values)

    def inputs(b, s):
        adj = (torch.rand(b, 10, 10) < 0.3).float()
        return {"x": torch.randn(b, 10, 8), "adj": ((adj + adj.transpose(1, 2)) > 0).float()}

    return Spec(Gnn(), inputs, True)
