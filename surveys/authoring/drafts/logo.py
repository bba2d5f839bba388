"""A logo out of a picture that somebody brought: decoded, made small, and written anew as a PNG without anything else.

Decoding is for the child process of site.files.untrusted alone: it reads what may be a trap, and imports no Django.
"""

import base64
import io
import zipfile
from typing import Any

from surveys.site.errors import Unreadable
from surveys.site.files.untrusted import Limits

LARGEST = 1_000_000  # bytes, as it comes
MOST = 24_000  # bytes of the PNG that is kept, since each page of respondents holds it
SIDE = 4_000  # pixels, as it comes
ROOM = (480, 160)  # pixels: twice as many as are ever shown
SMALLER = 0.8
LIMITS = Limits(size=LARGEST, parts=0, memory=600_000_000)
PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
END = b"IEND\xaeB`\x82"  # of every PNG
NO_PICTURE = "This is neither a PNG nor a JPEG. Save the logo as PNG or JPEG, then choose it again."
DRAWING = "This is an SVG, which can hold programs. Save the logo as a PNG, then choose it again."
BROKEN = "Save the picture again, then choose it. The file is damaged."
MORE = (
    "Save the picture by itself, then choose it again. The file contains something else after it."
)


def logo(data: bytes) -> dict[str, Any]:
    """The PNG in base64, its width and its height. Raises Unreadable."""
    _recognised(data)
    try:
        picture = _small(_clean(_opened(data)))
    except (Unreadable, MemoryError):
        raise
    except Exception as error:  # a decoder raises whatever its parts raise on a broken file
        raise Unreadable(BROKEN) from error
    return {
        "png": base64.b64encode(_written(picture)).decode(),
        "width": picture.width,
        "height": picture.height,
    }


def _recognised(data: bytes) -> None:
    if not data.startswith((PNG, JPEG)):
        raise Unreadable(DRAWING if b"<svg" in data[:2000].lower() else NO_PICTURE)
    goes_on = data.startswith(PNG) and END in data and not data.endswith(END)
    if goes_on or zipfile.is_zipfile(io.BytesIO(data)):
        raise Unreadable(MORE)


def _opened(data: bytes) -> Any:
    from PIL import Image, ImageOps  # noqa: PLC0415 (large)

    Image.MAX_IMAGE_PIXELS = None  # counted here, before anything is decoded
    picture = Image.open(io.BytesIO(data), formats=("PNG", "JPEG"))
    if max(picture.size) > SIDE:
        width, height = picture.size
        raise Unreadable(
            f"The picture has {width:,} x {height:,} pixels. At most {SIDE:,} on each side are allowed."
        )
    return ImageOps.exif_transpose(picture)


def _clean(picture: Any) -> Any:
    """Its pixels, and nothing that stood beside them: no profile, place, author, comment or preview."""
    from PIL import Image  # noqa: PLC0415

    if picture.mode.startswith("I"):  # 16 bits of grey
        picture = picture.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    mode = "RGBA" if picture.has_transparency_data else "RGB"
    clean = Image.new(mode, picture.size)
    clean.paste(picture.convert(mode))
    return clean


def _small(picture: Any) -> Any:
    """As large as it is shown, or smaller until its file is small enough."""
    picture.thumbnail(ROOM)
    while len(_written(picture)) > MOST:
        picture = picture.resize([max(1, int(side * SMALLER)) for side in picture.size])
    return picture


def _written(picture: Any) -> bytes:
    """In few colours where all of them take too much room."""
    whole = _as_png(picture)
    return (
        whole if len(whole) <= MOST else _as_png(picture.quantize(256, method=2))
    )  # octree, which keeps transparency


def _as_png(picture: Any) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()
