"""Shows HTML, SVG, JavaScript and a widget that would run in the teacher's browser."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""
from IPython.display import HTML, SVG, Javascript, Markdown, display

attack = "<script>document.title = 'gone'</script><img src=x onerror=alert(1)>"
display(HTML(attack), Javascript("alert('gone')"), Markdown(attack))
display({{"image/svg+xml": "<svg onload='alert(1)'/>", "text/html": attack}}, raw=True)
display({{"application/vnd.jupyter.widget-view+json": {{"model_id": "gone"}}}}, raw=True)
display({{"image/png": '"><script>alert(1)</script>', "text/latex": attack}}, raw=True)
{WORTHLESS}"""
