"""What reaches a page: pictures of a size that a browser can show, words in the order written."""

import base64
import io
import struct

import pytest
from PIL import Image

from confined.outputs import PIXELS, SCANS, fit_outputs, pixels_of, printable

FRAME = struct.Struct(">HHBHH")


def png(width, height):
    start = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height)
    return "image/png", start + bytes(9)


def jpeg(width, height):
    application = struct.pack(">HH", 0xFFE0, 16) + bytes(14)
    return "image/jpeg", b"\xff\xd8" + application + FRAME.pack(0xFFC2, 11, 8, height, width)


@pytest.mark.parametrize("make", [png, jpeg])
@pytest.mark.parametrize("width", [1, 2000, 50_000])
def test_a_picture_has_no_more_pixels_than_a_browser_can_unpack(make, width):
    kind, content = make(width, 1001)
    text = base64.b64encode(content).decode()
    assert pixels_of(text, kind, len(text)) == (width * 1001 if width * 1001 <= PIXELS else 0)
    outputs = fit_outputs([{"output_type": "display_data", "data": {kind: text}}], 1000)
    assert bool(outputs) is (width * 1001 <= PIXELS)


@pytest.mark.parametrize("make", [png, jpeg])
def test_what_ends_before_its_size_is_not_a_picture(make):
    kind, content = make(10, 10)
    size = content.index(struct.pack(">I4s", 13, b"IHDR")) + 8 if make is png else 20
    for end in range(size + 8 if make is png else size + 9):
        text = base64.b64encode(content[:end]).decode()
        assert not pixels_of(text, kind, len(text))


def test_a_size_that_a_browser_would_not_read_does_not_count():
    """Browsers skip what stands between the markers of a JPEG; PIL reads a PNG's header late."""
    start = jpeg(1, 1)[1][: -FRAME.size]
    frame = FRAME.pack(0xFFC2, 11, 8, 60_000, 60_000) + bytes(10)
    small = FRAME.pack(0xFFC0, 11, 8, 1, 1) + bytes(10)
    for skipped in (b"\xff", b"\xff\xd0", b"  ", b"\0\0@\0", b"\xff\x01"):
        decoys = (bytes(count) + small * 9000 for count in range(19))
        for content in (start + skipped + frame + decoy for decoy in decoys):
            assert not pixels_of(base64.b64encode(content).decode(), "image/jpeg", 10**7)
    decoy = struct.pack(">I4sII", 8, b"abCd", 1, 1) + bytes(4)
    content = png(60_000, 60_000)[1].replace(b"\r\n\x1a\n", b"\r\n\x1a\n" + decoy)
    assert not pixels_of(base64.b64encode(content).decode(), "image/png", 10**7)


@pytest.mark.parametrize("frames", [1, 2])
def test_an_animated_picture_is_refused(frames):
    file = io.BytesIO()
    pictures = [Image.new("RGB", (8, 8), (each, 0, 0)) for each in range(frames)]
    pictures[0].save(file, "PNG", save_all=True, append_images=pictures[1:])
    assert pixels_of(base64.b64encode(file.getvalue()).decode(), "image/png", 10**7) == (
        64 if frames == 1 else 0
    )


@pytest.mark.parametrize("scans", [10, SCANS + 1])
def test_a_jpeg_has_no_more_scans_than_a_browser_can_go_through(scans):
    file = io.BytesIO()
    Image.new("RGB", (8, 8)).save(file, "JPEG", progressive=True)
    content = file.getvalue()
    assert content.count(b"\xff\xda") == 10
    content = content[:-2] + content[content.rindex(b"\xff\xda") : -2] * (scans - 10) + content[-2:]
    pixels = pixels_of(base64.b64encode(content).decode(), "image/jpeg", 10**7)
    assert pixels == (64 if scans == 10 else 0)


def test_words_are_read_in_the_order_in_which_they_are_written():
    turned = "".join(
        map(chr, [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
    )
    assert printable(f"a{turned}b \x1b[31mc 你好 שלום") == "ab \x1b[31mc 你好 שלום"


def test_colours_reach_a_terminal_and_commands_do_not():
    sent = "\x1b[31mred\x1b[0m \x1b[2J\x1b]0;title\x07\x08gone"
    (output,) = fit_outputs([{"output_type": "stream", "name": "stdout", "text": sent}], 1000)
    assert output["text"] == "\x1b[31mred\x1b[0m [2J]0;title\x08gone"


@pytest.mark.parametrize("code", ["8", "0;8", "8;1", "08", "5;8", "38;5;8;8"])
def test_nothing_hides_what_follows(code):
    assert printable(f"\x1b[{code}mgone") == f"[{code}mgone"


@pytest.mark.parametrize("code", ["", "0", "1;38;5;8", "48;5;8", "38;5;28", "98"])
def test_a_colour_by_number_stays(code):
    assert printable(f"\x1b[{code}m") == f"\x1b[{code}m"


def test_the_outputs_of_a_cell_are_bounded_together():
    outputs = [{"output_type": "stream", "name": "stdout", "text": "x" * 60}] * 5
    assert sum(len(output["text"]) for output in fit_outputs(outputs, 100)) == 100
