"""What a page may do: the policy header on every answer, and the options of its context (pure).

The policy explains (a violation becomes a line of the reply); the launch switches and the network
namespace of `browser` guarantee. See "Security" in the README for which layer stops what.
"""

from typing import Any
from urllib.parse import urlsplit

_OWN = "'self' data: blob:"
_INLINE = "'self' 'unsafe-inline'"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        f"script-src {_INLINE} 'unsafe-eval' 'wasm-unsafe-eval' data: blob:",
        f"style-src {_INLINE} data: blob:",
        *(f"{kind}-src {_OWN}" for kind in ("img", "font", "media", "connect", "worker", "frame")),
        "object-src 'none'",
        "manifest-src 'none'",
        "base-uri 'self'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        "sandbox allow-scripts allow-same-origin allow-forms allow-pointer-lock",
    )
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

LAYERS = (
    ("own origin", "an invented https origin and a context of its own for each page"),
    ("page policy", "a Content-Security-Policy on every answer names what it stops"),
    ("interception", "each request is answered from the workspace, or stopped and told"),
)
"""What the preview adds around each page, in any browser: its name and what it does."""

DEFAULT_VIEW = (1280, 720)


def context_options(width: int, height: int) -> dict[str, Any]:
    """A context of its own: no service workers, no downloads, fixed place, language and size."""
    return {
        "viewport": {"width": width, "height": height},
        "service_workers": "block",
        "accept_downloads": False,
        "locale": "en-US",
        "timezone_id": "UTC",
        "color_scheme": "light",
        "reduced_motion": "no-preference",
    }


def is_own(url: str, origin: str) -> bool:
    """Whether an address belongs to the page's own invented origin."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" == origin
