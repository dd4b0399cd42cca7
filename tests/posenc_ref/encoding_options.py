"""What an encoding by name needs to be told, in small; one that needs nothing is not here."""

GRIDS = ("rope_2d", "axial", "mrope")
OPTIONS = {
    "position_interpolation": {"factor": 2.0},
    "ntk_aware": {"factor": 2.0},
    "dynamic_ntk": {"trained_length": 64},
    "ntk_by_parts": {"factor": 2.0, "trained_length": 64},
    "yarn": {"factor": 2.0, "trained_length": 64},
    "longrope": {"trained_length": 64, "short": [1.0] * 4, "long": [2.0] * 4, "factor": 2.0},
    "proportional": {"share": 0.5},
    "xlnet": {"segment_length": 3},
    **{grid: {"width": 3} for grid in GRIDS},
}
