"""SVG elements as text. A page draws hundreds of marks, for which templates are too slow."""

from html import escape

from django.utils.safestring import SafeString, mark_safe


def tag(name: str, *content: str, **attributes: object) -> str:
    """<name ...>content</name>. content: elements, or text passed through `text`. class_ stands for class."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(content)}</{name}>" if content else f"<{name}{given}/>"


def text(words: str) -> str:
    return escape(words)


def drawing(*content: str, height: int, label: str, width: object = "100%") -> SafeString:
    """A whole <svg> that assistive technology reads as one image with this label."""
    about = {"class_": "candor-plot", "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height}
    return mark_safe(tag("svg", *content, **about, role="img", aria_label=label))  # noqa: S308  # all is escaped by tag
