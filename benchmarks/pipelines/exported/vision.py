"""Models of torchvision and diffusers, and a U-Net."""

import torch
import torch.nn.functional as F
from torch import nn

from spec import Spec, image


def random_heads(model):
    """Some torchvision heads start as zeros, which would hide errors."""
    for p in model.parameters():
        if p.dim() > 1 and not p.any():
            nn.init.normal_(p, std=0.1)
    return model


def vit(dynamo):
    from torchvision.models import VisionTransformer

    model = VisionTransformer(
        image_size=32,
        patch_size=8,
        num_layers=3,
        num_heads=4,
        hidden_dim=32,
        mlp_dim=64,
        num_classes=10,
    )
    return Spec(random_heads(model), image(32), dynamo)


def convnext():
    from torchvision.models.convnext import CNBlockConfig, ConvNeXt

    model = ConvNeXt(
        [CNBlockConfig(16, 32, 1), CNBlockConfig(32, 48, 2), CNBlockConfig(48, None, 1)],
        stochastic_depth_prob=0.0,
        layer_scale=0.5,
        num_classes=10,
    )
    return Spec(model, image(32), True)


def swin(dynamo):
    from torchvision.models import SwinTransformer

    model = SwinTransformer(
        patch_size=[4, 4],
        embed_dim=16,
        depths=[2, 2],
        num_heads=[2, 4],
        window_size=[4, 4],
        stochastic_depth_prob=0.0,
        num_classes=10,
    )
    return Spec(model, image(32), dynamo)


def resnet18(train, dynamo=True, **options):
    from torchvision.models.resnet import BasicBlock, ResNet

    # The class and depths of resnet18. It has no width below 64, so that its four stages have
    # 11 million weights: the planes of its stages are divided by 8.
    class Narrow(ResNet):
        def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
            return super()._make_layer(block, planes // 8, blocks, stride, dilate)

    model = Narrow(BasicBlock, [2, 2, 2, 2], num_classes=10)
    model.fc = nn.Linear(64, 10)
    for m in model.modules():  # not the initial statistics, which are trivial
        if isinstance(m, nn.BatchNorm2d):
            nn.init.uniform_(m.running_mean, -0.2, 0.2)
            nn.init.uniform_(m.running_var, 0.5, 1.5)
            nn.init.uniform_(m.weight, 0.5, 1.5)
    # Torch 2.15's dynamo exporter writes batch norms as of inference even for a model in
    # training mode, and merges them into convolutions unless optimize=False. The legacy
    # exporter writes training_mode=1.
    return Spec(model, image(64), dynamo, training=train, options=options)


def unet():
    class Block(nn.Sequential):
        def __init__(self, i, o):
            super().__init__(
                nn.Conv2d(i, o, 3, padding=1),
                nn.GroupNorm(4, o),
                nn.SiLU(),
                nn.Conv2d(o, o, 3, padding=1),
                nn.GroupNorm(4, o),
                nn.SiLU(),
            )

    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.d1, self.d2, self.mid = Block(3, 16), Block(16, 24), Block(24, 32)
            self.up2, self.u2 = nn.ConvTranspose2d(32, 24, 2, 2), Block(48, 24)
            self.up1, self.u1 = nn.Upsample(scale_factor=2, mode="nearest"), Block(40, 16)
            self.out = nn.Conv2d(16, 2, 1)

        def forward(self, x):
            a = self.d1(x)
            b = self.d2(F.max_pool2d(a, 2))
            c = self.mid(F.avg_pool2d(b, 2))
            c = self.u2(torch.cat([self.up2(c), b], 1))
            return self.out(self.u1(torch.cat([self.up1(c), a], 1)))

    return Spec(UNet(), image(32), True)


def unet_diffusers():
    from diffusers import UNet2DModel

    class Denoise(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = UNet2DModel(
                sample_size=16,
                in_channels=3,
                out_channels=3,
                layers_per_block=1,
                block_out_channels=(16, 32),
                norm_num_groups=4,
                attention_head_dim=8,
                down_block_types=("DownBlock2D", "AttnDownBlock2D"),
                up_block_types=("AttnUpBlock2D", "UpBlock2D"),
            )

        def forward(self, sample, timestep):
            return self.model(sample, timestep).sample

    def inputs(b, s):
        return {"sample": torch.randn(b, 3, 16, 16), "timestep": torch.randint(0, 1000, (b,))}

    return Spec(Denoise(), inputs, True, outputs=("noise",))


class Levels(nn.Module):
    """A head of torchvision on three feature maps."""

    def __init__(self, head, outputs):
        super().__init__()
        self.head, self.outputs = head, outputs

    def forward(self, p3, p4, p5):
        found = self.head([p3, p4, p5])
        return tuple(found[o] for o in self.outputs)


def levels(b, s):
    return {f"p{i}": torch.randn(b, 16, n, n) for i, n in ((3, 8), (4, 4), (5, 2))}


def retinanet():
    from torchvision.models.detection.retinanet import RetinaNetHead

    head = RetinaNetHead(16, 3, 5, norm_layer=lambda c: nn.GroupNorm(4, c))
    names = ("cls_logits", "bbox_regression")
    return Spec(Levels(head, names), levels, False, outputs=names)


def fcos():
    from torchvision.models.detection.fcos import FCOSHead

    names = ("cls_logits", "bbox_regression", "bbox_ctrness")
    head = FCOSHead(32, 1, 5)  # its GroupNorm has 32 groups, so that 32 channels are the least

    def inputs(b, s):
        return {f"p{i}": torch.randn(b, 32, n, n) for i, n in ((3, 8), (4, 4), (5, 2))}

    return Spec(Levels(head, names), inputs, True, outputs=names)
