"""What the figures say, in both languages: one table for each chapter, of the chapter's own name.

    from posenc_viz.labels import rope as label

    Curves(curve, **label.score(distance=3, score=0.5))    # names of the axes, title
    explore(plane, **label.plane, distance=(-20, 20))      # names of the controls, what to try

So a cell shows the function that computes. A table is `bilingual.Text` in the two functions of
`posenc_viz.labelling`; it holds no numbers but those that a `Try` sets.
"""
