"""Right answers to excess_loss, written differently."""


def difference_of_means(losses, fresh):
    half = losses.shape[1] // 2
    return losses[:, half:].mean() - fresh[:, half:].mean()


def by_window(losses, fresh):
    total, half = 0, losses.shape[1] // 2
    for long, short in zip(losses, fresh, strict=True):
        total = total + long[half:].mean() - short[half:].mean()
    return total / len(losses)


alternatives = [difference_of_means, by_window]
