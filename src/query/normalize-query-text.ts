/** Reverts what keyboards and Slack change in a typed query, and tracks each character's position. Pure. */

export interface NormalizedQueryText {
  readonly text: string;
  /** The original position of each unit of `text`, and of its end. */
  readonly places: readonly number[];
}

const ENTITIES: Readonly<Record<string, string>> = { '&gt;': '>', '&lt;': '<', '&amp;': '&' };
/** `<https://example.com|label>`: Slack links anything that looks like an address. */
const LINK = /<(?:https?|mailto|tel):([^<>|\s]*)(?:\|([^<>]*))?>/y;
const DOUBLE_QUOTES = /[“”„‟«»″〝〞＂]/;
const DASHES = /[‐‑‒–—―−]/;
const SPACES = /[\s\u00a0\u2800]/;
/** Control characters, zero-width characters, and text direction marks. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/u;
const COMPARISONS: Readonly<Record<string, string>> = { '≥': '>=', '≤': '<=' };

/** Restores smart quotes, odd spaces and dashes, and Slack's escapes and links. */
export function normalizeQueryText(written: string): NormalizedQueryText {
  let text = '';
  const places: number[] = [];
  const add = (meant: string, at: number) => {
    for (let unit = 0; unit < meant.length; unit++) places.push(at);
    text += meant;
  };
  let at = 0;
  while (at < written.length) {
    const { meant, length } = readOne(written, at);
    add(meant, at);
    at += length;
  }
  places.push(written.length);
  return { text, places };
}

function readOne(written: string, at: number): { readonly meant: string; readonly length: number } {
  const char = written[at] ?? '';
  if (char === '&') {
    const name = Object.keys(ENTITIES).find((entity) => written.startsWith(entity, at));
    if (name !== undefined) return { meant: ENTITIES[name] ?? '', length: name.length };
  }
  if (char === '<') {
    LINK.lastIndex = at;
    const link = LINK.exec(written);
    if (link) return { meant: plain(readLinked(link[2] ?? link[1] ?? '')), length: link[0].length };
  }
  return { meant: plain(char), length: 1 };
}

function readLinked(linked: string): string {
  return linked.replace(/^\/\//, '').replace(/&(?:gt|lt|amp);/g, (name) => ENTITIES[name] ?? name);
}

function plain(text: string): string {
  return Array.from(text, (char) => {
    if (SPACES.test(char)) return ' ';
    if (INVISIBLE.test(char)) return '';
    if (DOUBLE_QUOTES.test(char)) return '"';
    if (DASHES.test(char)) return '-';
    return COMPARISONS[char] ?? char;
  }).join('');
}

/** The inverse: escapes text so that `normalizeQueryText` returns it unchanged. */
export function escapeQueryText(text: string): string {
  return text.replace(/&(?=(?:amp|lt|gt);)/g, '&amp;').replace(/<(?=(?:https?|mailto|tel):)/g, '&lt;');
}
