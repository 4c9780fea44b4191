"""The architectures of the corpus: a function for each that returns a module and its
inputs. Weights are drawn, so that nothing is downloaded."""


def _vision(name, size=224, **more):
    def make():
        import torch
        import torchvision

        return (torchvision.models.get_model(name, weights=None, **more),
                (torch.randn(1, 3, size, size),))
    return make


def _segmentation(name, size=224):
    def make():
        import torch
        import torchvision

        class Out(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.model = torchvision.models.get_model(name, weights=None,
                                                          weights_backbone=None)

            def forward(self, x):
                return self.model(x)["out"]
        return Out(), (torch.randn(1, 3, size, size),)
    return make


def _timm(name, size=224):
    def make():
        import timm
        import torch

        return timm.create_model(name, pretrained=False), (torch.randn(1, 3, size, size),)
    return make


def _language(model, config, length=128, pick="last_hidden_state", **sizes):
    def make():
        import torch
        import transformers

        class First(torch.nn.Module):
            def __init__(self):
                super().__init__()
                own = getattr(transformers, config)(**sizes)
                own._attn_implementation = "sdpa"
                self.model = getattr(transformers, model)(own)

            def forward(self, ids):
                more = {} if model.endswith("EncoderModel") else {"use_cache": False}
                if model in ("BertModel", "DistilBertModel", "RobertaModel", "ElectraModel",
                             "AlbertModel"):
                    more = {}
                return getattr(self.model(ids, **more), pick)
        return First(), (torch.randint(0, 1000, (1, length)),)
    return make


def _speech(model, config, shape, **sizes):
    def make():
        import torch
        import transformers

        class First(torch.nn.Module):
            def __init__(self):
                super().__init__()
                own = getattr(transformers, config)(**sizes)
                made = getattr(transformers, model)(own)
                self.model = made.encoder if model == "WhisperModel" else made

            def forward(self, x):
                return self.model(x).last_hidden_state
        return First(), (torch.randn(*shape),)
    return make


def _own(name):
    def make():
        import own

        return getattr(own, name)()
    return make


_TUNED = {
    "mobilenet_v2": _vision("mobilenet_v2"),
    "mobilenet_v3_small": _vision("mobilenet_v3_small"),
    "efficientnet_b0": _vision("efficientnet_b0"),
    "convnext_tiny": _vision("convnext_tiny"),
    "regnet_y_400mf": _vision("regnet_y_400mf"),
    "densenet121": _vision("densenet121"),
    "swin_t": _vision("swin_t"),
    "resnet18": _vision("resnet18"),
    "resnet50": _vision("resnet50"),
    "resnext50_32x4d": _vision("resnext50_32x4d"),
    "vit_b_16": _vision("vit_b_16"),
    "shufflenet_v2_x1_0": _vision("shufflenet_v2_x1_0"),
    "mnasnet1_0": _vision("mnasnet1_0"),
    "squeezenet1_1": _vision("squeezenet1_1"),
    "vgg11_bn": _vision("vgg11_bn"),
    "googlenet": _vision("googlenet", aux_logits=False, init_weights=False),
    "lraspp_mobilenet_v3": _segmentation("lraspp_mobilenet_v3_large"),
    "deeplabv3_mobilenet_v3": _segmentation("deeplabv3_mobilenet_v3_large"),
    "mixer_s32": _timm("mixer_s32_224"),
    "deit_tiny": _timm("deit_tiny_patch16_224"),
    "mobilevit_xs": _timm("mobilevit_xs", 256),
    "ghostnet_100": _timm("ghostnet_100"),
    "repvgg_a0": _timm("repvgg_a0"),
    "poolformer_s12": _timm("poolformer_s12"),
    "bert_small": _language("BertModel", "BertConfig", hidden_size=512, num_hidden_layers=4,
                            num_attention_heads=8, intermediate_size=2048),
    "distilbert": _language("DistilBertModel", "DistilBertConfig", n_layers=3),
    "gpt2_small": _language("GPT2Model", "GPT2Config", n_layer=4),
    "llama_small": _language("LlamaModel", "LlamaConfig", hidden_size=512, num_hidden_layers=4,
                             num_attention_heads=8, num_key_value_heads=4,
                             intermediate_size=1376, vocab_size=8000),
    "whisper_tiny_encoder": _speech("WhisperModel", "WhisperConfig", (1, 80, 3000),
                                    d_model=384, encoder_layers=4, encoder_attention_heads=6,
                                    encoder_ffn_dim=1536, decoder_layers=1),
    "unet": _own("unet"),
    "diffusion_unet": _own("diffusion_unet"),
    "edsr": _own("edsr"),
    "dlrm": _own("dlrm"),
    "ssd_head": _own("ssd_head"),
}

_UNSEEN = {
    "alexnet": _vision("alexnet"),
    "inception_v3": _vision("inception_v3", 299, aux_logits=False, init_weights=False),
    "efficientnet_v2_s": _vision("efficientnet_v2_s"),
    "regnet_x_800mf": _vision("regnet_x_800mf"),
    "maxvit_t": _vision("maxvit_t"),
    "swin_v2_t": _vision("swin_v2_t", 256),
    "fcn_resnet50": _segmentation("fcn_resnet50"),
    "mobilenet_v3_large": _vision("mobilenet_v3_large"),
    "levit_128s": _timm("levit_128s"),
    "efficientformer_l1": _timm("efficientformer_l1"),
    "resmlp_12": _timm("resmlp_12_224"),
    "edgenext_xx_small": _timm("edgenext_xx_small", 256),
    "albert": _language("AlbertModel", "AlbertConfig", hidden_size=768, num_hidden_layers=4,
                        num_attention_heads=12, intermediate_size=3072),
    "electra_small": _language("ElectraModel", "ElectraConfig"),
    "opt_small": _language("OPTModel", "OPTConfig", hidden_size=512, num_hidden_layers=4,
                           num_attention_heads=8, ffn_dim=2048, word_embed_proj_dim=512),
    "wav2vec2": _speech("Wav2Vec2Model", "Wav2Vec2Config", (1, 16000), num_hidden_layers=4),
    "wide_and_deep": _own("wide_and_deep"),
    "espcn": _own("espcn"),
}

ALL = {**_TUNED, **_UNSEEN}


def names(which):
    return list({"all": ALL, "tuned": _TUNED, "unseen": _UNSEEN}[which])


def make(name):
    """The module, with the same weights each time, and its inputs."""
    import torch

    torch.manual_seed(0)
    module, inputs = ALL[name]()
    module = module.eval()
    for _, buffer in module.named_buffers():
        # Running variances of 1 would make every batch norm nearly an identity.
        if buffer.dtype == torch.float32 and buffer.dim() == 1 and buffer.numel() > 1:
            buffer.data.mul_(1 + 0.2 * torch.rand_like(buffer))
    return module, inputs
