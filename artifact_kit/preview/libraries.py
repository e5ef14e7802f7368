"""Which npm package an address of a public library host asks for (pure)."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

_NAMED = r"(?P<name>(?:@[^/@]+/)?[^/@]+)(?:@(?P<version>[^/]*))?(?:/|$)"
_BY_PATH = {
    "cdn.jsdelivr.net": re.compile(rf"/npm/{_NAMED}"),
    "fastly.jsdelivr.net": re.compile(rf"/npm/{_NAMED}"),
    "unpkg.com": re.compile(rf"/{_NAMED}"),
    "esm.sh": re.compile(rf"/(?:v\d+/|stable/)?{_NAMED}"),
    "esm.run": re.compile(rf"/{_NAMED}"),
    "cdn.skypack.dev": re.compile(rf"/{_NAMED}"),
    "ga.jspm.io": re.compile(rf"/npm:{_NAMED}"),
    "cdnjs.cloudflare.com": re.compile(r"/ajax/libs/(?P<name>[^/]+)/(?P<version>[^/]+)/"),
    "code.jquery.com": re.compile(r"/(?P<name>jquery)-(?P<version>\d+\.\d+\.\d+)"),
    "cdn.plot.ly": re.compile(r"/(?P<name>plotly)-(?:[a-z]+-)?(?P<version>\d+\.\d+\.\d+)"),
    "d3js.org": re.compile(r"/(?P<name>d3)\.v(?P<version>\d+)"),
    "cdn.tailwindcss.com": re.compile(r"/(?P<name>)(?P<version>[\d.]*)"),
}
_NPM_NAMES = {
    "": "tailwindcss",
    "three.js": "three",
    "p5.js": "p5",
    "Chart.js": "chart.js",
    "lodash.js": "lodash",
    "moment.js": "moment",
    "underscore.js": "underscore",
    "backbone.js": "backbone",
    "handlebars.js": "handlebars",
    "mustache.js": "mustache",
    "socket.io": "socket.io-client",
    "font-awesome": "@fortawesome/fontawesome-free",
    "babel-standalone": "@babel/standalone",
    "plotly": "plotly.js-dist",
    "plotly.js": "plotly.js-dist",
    "tween.js": "@tweenjs/tween.js",
    "cannon.js": "cannon",
    "dat-gui": "dat.gui",
    "KaTeX": "katex",
    "prism": "prismjs",
}
"""Names at cdnjs that differ from npm's (cdnjs' own library data); all others agree."""
_REVISION = re.compile(r"r(\d+)")


def package(url: str) -> str:
    """`three@0.160.0`, `react` … for an address of a library host; empty for any other."""
    parts = urlsplit(url)
    pattern = _BY_PATH.get(parts.hostname or "")
    found = pattern.match(unquote(parts.path) or "/") if pattern else None
    if found is None:
        return ""
    name = _NPM_NAMES.get(found["name"], found["name"])
    version = _REVISION.sub(r"0.\1.0", found["version"] or "")
    return f"{name}@{version}" if version else name
