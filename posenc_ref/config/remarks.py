"""What is wrong in a config: errors, which stop the reading, and remarks, which come with a result.

Each has a name and values; its sentence is here, in both languages. The library uses English,
`python -m posenc_ref` the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SENTENCES: dict[str, tuple[str, str]] = {
    # errors
    "not_a_config": (
        "a config is a dict or the path of a JSON file that holds one, got {got}",
        "配置应是字典，或存有字典的JSON文件的路径，得到的是{got}",
    ),
    "not_a_number": (
        "{field} must be a finite number, got {value!r}",
        "{field}应是有限的数，得到的是{value!r}",
    ),
    "not_a_share": (
        "{field} must be above 0 and at most 1, got {value!r}",
        "{field}应大于0且不超过1，得到的是{value!r}",
    ),
    "not_pairs": (
        "rope type {rope_type!r} turns pairs of channels, and {count} is odd",
        "rope类型{rope_type!r}转动成对的通道，{count}却是奇数",
    ),
    "not_a_name": ("{field} must be a name, got {value!r}", "{field}应是名称，得到的是{value!r}"),
    "not_a_list": ("{field} must be a list, got {value!r}", "{field}应是列表，得到的是{value!r}"),
    "not_positive": ("{field} must be above 0, got {value!r}", "{field}应大于0，得到的是{value!r}"),
    "not_an_integer": (
        "{field} must be a positive integer, got {value!r}",
        "{field}应是正整数，得到的是{value!r}",
    ),
    "not_a_dict": ("{field} must be a dict, got {value!r}", "{field}应是字典，得到的是{value!r}"),
    "not_a_base": (
        "{field} must be a number above 1, got {value!r}",
        "{field}应是大于1的数，得到的是{value!r}",
    ),
    "out_of_order": (
        "{low} = {a} must be above 0 and below {high} = {b}",
        "{low}={a}应大于0且小于{high}={b}",
    ),
    "unknown_rope_type": (
        "{field} is {value!r}, which is not one of {choices}",
        "{field}是{value!r}，不在{choices}之中",
    ),
    "types_differ": (
        "rope_type is {rope_type!r} and type is {type!r}: which of the two holds?",
        "rope_type是{rope_type!r}，type却是{type!r}：到底以哪个为准？",
    ),
    "spellings_differ": (
        "rope_parameters and rope_scaling say different things: {differing}",
        "rope_parameters与rope_scaling说法不一：{differing}",
    ),
    "missing": (
        "rope type {rope_type!r} needs {field}, and the config does not give it",
        "rope类型{rope_type!r}需要{field}，配置里没有",
    ),
    "factor_below_one": (
        "{field} is {value}: new length / trained length is at least 1",
        "{field}是{value}：新长度÷训练长度至少是1",
    ),
    "wrong_count": (
        "{field} has {got} entries, and {wanted} are needed",
        "{field}有{got}项，应有{wanted}项",
    ),
    # remarks
    "unknown_field": (
        "{field} is not known to this reader, and nothing was made of it",
        "不认识{field}，未作任何解释",
    ),
    "unread_field": (
        "{field} is not a parameter of rope type {rope_type!r}; upstream warns and ignores it",
        "{field}不是rope类型{rope_type!r}的参数；上游会警告并忽略",
    ),
    "base_twice": (
        "{inner} is {a} and {outer} is {b}; the inner one holds, as in transformers",
        "{inner}是{a}，{outer}是{b}；与transformers一样，以里面的为准",
    ),
    "trained_length_from_max": (
        "original_max_position_embeddings is not given; transformers takes "
        "max_position_embeddings = {length} for it, which is wrong if that is the longer length",
        "没有给出original_max_position_embeddings；transformers用max_position_embeddings={length}"
        "代替，若后者是加长后的长度，结果就错了",
    ),
    "trained_length_twice": (
        "original_max_position_embeddings is {outer} beside the rope parameters and {inner} in "
        "them; the outer one holds, as in transformers",
        "original_max_position_embeddings在rope参数之外是{outer}，之内是{inner}；"
        "与transformers一样，以外面的为准",
    ),
    "factor_and_lengths": (
        "factor {factor} times original_max_position_embeddings {trained} is {product}, and "
        "max_position_embeddings is {longest}",
        "factor {factor}乘original_max_position_embeddings {trained}得{product}，"
        "而max_position_embeddings是{longest}",
    ),
    "not_whole": (
        "{a} channels in {b} heads: transformers takes heads of {whole}, and the rest is lost; "
        "head_dim is probably missing",
        "{a}个通道分给{b}个头：transformers取每头{whole}个，余数丢掉；多半是漏了head_dim",
    ),
    "unknown_layer_type": (
        "layer_types has {value!r}, which is not known to this reader: taken as full attention",
        "layer_types中有不认识的{value!r}：当作完整注意力",
    ),
    "other_encoding": (
        "{field} {value!r} is not known to this reader, and nothing was made of it",
        "不认识{field} {value!r}，未作任何解释",
    ),
    "sections_differ": (
        "mrope_section {sections} adds up to {got} pairs, and {wanted} turn",
        "mrope_section {sections}合计{got}对，转动的却有{wanted}对",
    ),
    "no_window": (
        "layers are {kind!r} and {field} is not given: their width is not known",
        "有{kind!r}的层，却没有给出{field}：宽度不明",
    ),
    "unknown_model_type": (
        "model_type {value!r} is not in the table of families: what a config leaves to the code "
        "is named as unsaid",
        "家族表中没有model_type {value!r}：配置留给代码决定的事，一律列为未说明",
    ),
}


class ConfigError(ValueError):
    """A config that cannot be read; `remark` names the field."""

    def __init__(self, name: str, **values: Any) -> None:
        """Make the error of that name."""
        self.remark = Remark(name, values)
        super().__init__(str(self.remark))


@dataclass(frozen=True)
class Remark:
    """A sentence about a field, by its name in SENTENCES."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def in_both(self) -> tuple[str, str]:
        """Return the English sentence and the Chinese one."""
        english, chinese = SENTENCES[self.name]
        return english.format(**self.values), chinese.format(**self.values)

    def __str__(self) -> str:
        """Return the English sentence."""
        return self.in_both()[0]
