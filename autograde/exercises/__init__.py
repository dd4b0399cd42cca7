"""One file an exercise, named by its id. Each holds `exercise`; nothing else knows its checks."""
