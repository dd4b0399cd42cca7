"""Right answers to gpt2_input, written differently."""

import torch


def slices(tokens, words, table, past=0):
    return words[tokens] + table[past : past + tokens.shape[1]][None]


def functional(tokens, words, table, past=0):
    positions = torch.arange(tokens.size(1)) + past
    embed = torch.nn.functional.embedding
    return embed(tokens, words) + embed(positions.expand_as(tokens), table)


def one_hot(tokens, words, table, past=0):
    _, length = tokens.shape
    choose = torch.zeros(length, len(table))
    choose[range(length), range(past, past + length)] = 1
    return words[tokens] + choose @ table


alternatives = [slices, functional, one_hot]

equivalent = {  # mutant → why it is right too
    "….float()": "the text promises no dtype, and float32 is precise enough",
    "….half().to(tokens.dtype)": "whole numbers as small as these are exact in float16",
    "….long()": "integers already, or a mask of 0 and 1",
}
