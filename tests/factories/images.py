"""Pictures for tests, and files that only look like pictures."""

import io
import zipfile

import numpy as np
from PIL import ExifTags, Image, PngImagePlugin

SVG = (
    b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
)
# A text that must not survive: the place where a photograph was taken.
SECRET = b"52.5200N 13.4050E"
# The orientation in EXIF data with which programs turn a picture by 90 degrees to show it.
TURNED_BY_90_DEGREES = 6


def encode_image(picture: Image.Image, file_format: str = "PNG", **more: object) -> bytes:
    """Return a picture as the bytes of a file.

    file_format: the name of the format in Pillow.
    more: further options for Pillow.
    """
    file = io.BytesIO()
    picture.save(file, file_format, **more)
    return file.getvalue()


def create_png(size: tuple[int, int] = (300, 100)) -> bytes:
    """Create a PNG of one colour; `size` is its width and height in pixels."""
    opaque_teal = (15, 88, 102, 255)
    return encode_image(Image.new("RGBA", size, opaque_teal))


def create_png_with_comment() -> bytes:
    """Create a PNG that contains SECRET as a comment, and a resolution: 300 dots per inch."""
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Comment", SECRET.decode())
    return encode_image(Image.new("RGB", (60, 20)), pnginfo=texts, dpi=(300, 300))


def create_photograph() -> bytes:
    """Create a JPEG with SECRET in its EXIF data and in its comment.

    The EXIF data also turn the picture, so that 40 by 80 pixels are shown as 80 by 40.
    """
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = TURNED_BY_90_DEGREES
    exif[ExifTags.Base.ImageDescription] = SECRET.decode()
    return encode_image(Image.new("RGB", (40, 80)), "JPEG", exif=exif, comment=SECRET)


def create_noise() -> bytes:
    """Create a PNG of 900 by 300 random pixels, which no compression makes smaller."""
    # Rows of pixels, each with red, green and blue. With the seed 1 the picture is always the same.
    values = np.random.default_rng(1).integers(0, 256, (300, 900, 3), dtype=np.uint8)
    return encode_image(Image.fromarray(values))


def create_archive() -> bytes:
    """Create a zip file that contains a page with a script."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.html", "<script>alert(1)</script>")
    return file.getvalue()


# What the message says about a file that does not begin like a PNG or a JPEG.
NO_PICTURE = "neither a PNG nor a JPEG"
# In the mode "1" a pixel is one bit, so even the huge picture is a small file. A logo may have up to
# 4,000 pixels on each side.
GIF = encode_image(Image.new("P", (9, 9)), "GIF")
HUGE_PNG = encode_image(Image.new("1", (20_000, 20_000)))
LONG_PNG = encode_image(Image.new("1", (4_001, 1)))
SMALL_JPEG = encode_image(Image.new("RGB", (9, 9)), "JPEG")
# Name -> a file that is refused, and what the message about it says. Some files are a picture with
# something before it or behind it, which a browser could take for a page, a program or an archive.
TRAPS = {
    "text": (b"This is a picture, really.", NO_PICTURE),
    "nothing": (b"", NO_PICTURE),
    "gif": (GIF, NO_PICTURE),
    "svg": (SVG, "SVG"),
    "pdf before a picture": (b"%PDF-1.4\n" + create_png(), NO_PICTURE),
    "huge": (HUGE_PNG, "20,000 x 20,000 pixels. At most 4,000"),
    "long": (LONG_PNG, "4,001 x 1 pixels"),
    "cut off": (create_noise()[:5_000], "damaged"),
    # The eight bytes with which every PNG begins.
    "only a beginning": (b"\x89PNG\r\n\x1a\n", "damaged"),
    "heavy": (create_png() + b"0" * 1_000_000, "1,000,000 bytes"),
    "page behind a picture": (create_png() + b"<script>alert(1)</script>", "something else"),
    "archive behind a picture": (create_png() + create_archive(), "something else"),
    "archive behind a photograph": (SMALL_JPEG + create_archive(), "something else"),
}
