"""Models of transformers."""

from torch import nn

from spec import MASKED_AXES, Pick, Spec, ids, masked


def gpt2(dynamo):
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(
        vocab_size=96,
        n_positions=32,
        n_embd=32,
        n_layer=3,
        n_head=4,
        use_cache=False,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=0,
        eos_token_id=0,
        tie_word_embeddings=True,
    )
    model = GPT2LMHeadModel(config)
    assert model.lm_head.weight is model.transformer.wte.weight  # tied
    if dynamo:
        return Spec(model, lambda b, s: {"input_ids": ids(96, b, s)}, True, {"input_ids": [1]})
    # Without a mask, transformers 5 looks for packed sequences with aten::diff, which the
    # legacy exporter does not know.
    return Spec(
        Pick(model, ["input_ids", "attention_mask"], "logits"), masked(96), False, MASKED_AXES
    )


def bert_config(**extra):
    from transformers import BertConfig

    return BertConfig(
        vocab_size=100,
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=32,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        **extra
    )


def bert_mask_legacy():
    from transformers import BertForSequenceClassification

    model = BertForSequenceClassification(bert_config(num_labels=3))
    return Spec(
        Pick(model, ["input_ids", "attention_mask"], "logits"), masked(100), False, MASKED_AXES
    )


def bert_mlm():
    from transformers import BertForMaskedLM

    return Spec(BertForMaskedLM(bert_config()), masked(100), True, MASKED_AXES)


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM

    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=96,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=3,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=32,
            use_cache=False,
            tie_word_embeddings=False,
        )
    )
    return Spec(model, lambda b, s: {"input_ids": ids(96, b, s)}, True, {"input_ids": [1]})


def t5_config():
    # With attn_implementation="sdpa", the default, torch 2.15 fails to decompose the exported
    # program: "Cannot view a tensor with shape [s, 12, 4, 8] and strides (384, 8, 96, 1)".
    from transformers import T5Config

    return T5Config(
        vocab_size=96,
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=3,
        num_decoder_layers=2,
        num_heads=4,
        relative_attention_num_buckets=8,
        relative_attention_max_distance=16,
        dropout_rate=0.0,
        use_cache=False,
        decoder_start_token_id=0,
        pad_token_id=0,
        attn_implementation="eager",
    )


def t5():
    from transformers import T5EncoderModel

    return Spec(T5EncoderModel(t5_config()), masked(96), True, MASKED_AXES, ("last_hidden_state",))


def t5_full():
    from transformers import T5ForConditionalGeneration

    names = ["input_ids", "attention_mask", "decoder_input_ids"]

    class Seq2Seq(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = T5ForConditionalGeneration(t5_config())

        def forward(self, input_ids, attention_mask, decoder_input_ids):
            return self.model(
                input_ids=input_ids,
                attention_mask=attention_mask,
                decoder_input_ids=decoder_input_ids,
            ).logits

    def inputs(b, s):
        return masked(96)(b, s) | {"decoder_input_ids": ids(96, b, s)}

    return Spec(Seq2Seq(), inputs, True, {n: [1] for n in names})
