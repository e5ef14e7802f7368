/**
 * @fileoverview Hints by which a page has Chromium connect or load ahead. Nothing tells when they
 * are stopped, as they are nobody's request; what they name is read from the page.
 */

const AHEAD = ['preconnect', 'dns-prefetch', 'prerender'];
const RULES = 'script[type="speculationrules" i]';
const MOST_HINTS = 20;
/** @type {Set<string>} */
const hinted = new Set();

/**
 * @param {string} kind
 * @param {string} address
 */
function hint(kind, address) {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  if (!url || url.origin === location.origin || !/^https?:$/.test(url.protocol)) return;
  if (hinted.size >= MOST_HINTS || hinted.has(url.href)) return;
  hinted.add(url.href);
  stop(kind, url.pathname === '/' && !url.search ? url.origin : url.href);
}

/**
 * @param {string} text Speculation rules as JSON.
 * @returns {[string, string][]} The kind and the address of each page that they name.
 */
function speculated(text) {
  try {
    const named = [];
    for (const [kind, rules] of Object.entries(JSON.parse(text))) {
      for (const rule of Array.isArray(rules) ? rules : []) {
        for (const url of Array.isArray(rule.urls) ? rule.urls : []) named.push(/** @type {[string, string]} */ ([kind, String(url)]));
      }
    }
    return named;
  } catch {
    return []; // Chromium says what is wrong with them.
  }
}

function noteHints() {
  for (const kind of AHEAD) {
    for (const link of queryAll(`link[rel~="${kind}" i]`)) hint(kind, attributeOf(link, 'href') || '');
  }
  for (const script of queryAll(RULES)) {
    for (const [kind, url] of speculated(script.textContent || '')) hint(kind, url);
  }
}
