/** What a project's url tells: the key by which we know the project again, and how to ask the marketplace for it. Pure. */
import { createHash } from 'node:crypto';
import { ProjectKey } from '../ids.ts';
import type { ProjectReference } from './client.ts';

const LONGEST_URL = 8_000;
const LONGEST_KEY = 500;

/** A redirect may carry its target encoded once more in each of these many layers. */
const MOST_LAYERS = 3;

const CIPHERTEXT = /~\d{1,40}(?![\p{L}\p{N}])/u;
/** Values of these names may be the uid that the lookup takes. */
const UID_NAMES: ReadonlySet<string> = new Set('uid jobuid projectuid'.split(' '));
/** Values of these names tell projects apart; no endpoint is documented to take them. */
const RECOGNITION_NAMES = 'pid jobid projectid ciphertext'.split(' ');
const KEY_NAMES: ReadonlySet<string> = new Set([...UID_NAMES, ...RECOGNITION_NAMES]);
const UID = /^(?=.*\d)[\w-]{1,100}$/;
/** Without a link around it, a word with letters is a uid only if it is long enough: `1e9` is a slip of the pen. */
const BARE_UID = /^(?:\d{1,100}|(?=.*\d)[A-Za-z\d][\w-]{5,99})$/;
const TRACKING = /^(utm_.*|gclid|fbclid|msclkid|ref|referrer|source)$/i;

/**
 * The key of the project behind a url: its `~digits`, wherever they stand and however encoded; else a `uid`- or
 * `pid`-like query value, also of a target that a redirect carries in its query; else the url without what does not
 * tell projects apart (scheme, `www.`, fragment, tracking, order of the query). Undefined for anything but http(s).
 */
export function parseProjectKey(url: string): ProjectKey | undefined {
  const parsed = readUrl(url);
  if (!parsed) return undefined;
  const ciphertext = findCiphertext(parsed);
  if (ciphertext) return ProjectKey.parse(ciphertext);
  const named = findNamed(parsed, KEY_NAMES);
  return ProjectKey.parse(named ? `${named.name}:${named.value}` : normalise(parsed));
}

/** Whether the project's key is only this number of a link: an id that no endpoint takes. */
export function isLinkOnlyId(project: ProjectKey, id: string): boolean {
  return RECOGNITION_NAMES.some((name) => project === `${name}:${id}`);
}

/**
 * Reads how people name a project: a link (also as Slack writes it, `<url|label>`, and within other words), a tilde with
 * digits, or a bare uid: a word of letters, digits, `_` and `-` with a digit in it. Undefined when there is none of these, or the link bears only a `pid` or the like.
 */
export function parseProjectReference(text: string): ProjectReference | undefined {
  const plain = plainWords(text);
  const link = findLink(plain);
  if (link) return referenceOfUrl(link);
  const bare = decode(plain).replaceAll(/^[\s<`'"“”‘’(]+|[\s>`'"“”‘’).,;!?]+$/g, '');
  if (/^~\d{1,40}$/.test(bare)) return { ciphertext: bare };
  return BARE_UID.test(bare) ? { uid: bare } : undefined;
}

/** Whether the text has a link from which the marketplace's id can't be read. */
export function isLinkWithoutId(text: string): boolean {
  return findLink(plainWords(text)) !== undefined && parseProjectReference(text) === undefined;
}

function plainWords(text: string): string {
  return text.slice(0, LONGEST_URL).replaceAll('&amp;', '&').trim();
}

function findLink(plain: string): string | undefined {
  return /https?:\/\/[^\s<>|"'`“”‘’]+/i.exec(plain)?.[0];
}

function referenceOfUrl(link: string): ProjectReference | undefined {
  const url = readUrl(link.replace(/[).,;!?]+$/, ''));
  if (!url) return undefined;
  const ciphertext = findCiphertext(url);
  if (ciphertext) return { ciphertext };
  const named = findNamed(url, UID_NAMES);
  return named ? { uid: named.value } : undefined;
}

function readUrl(url: string): URL | undefined {
  if (url.length > LONGEST_URL || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  return (parsed.protocol === 'https:' || parsed.protocol === 'http:') && parsed.hostname
    ? parsed
    : undefined;
}

/** In the path before the query: a query may name other projects, for example the one that led here. */
function findCiphertext(url: URL): string | undefined {
  return [url.pathname, url.search, url.hash].map((part) => CIPHERTEXT.exec(decode(part))?.[0]).find(Boolean);
}

interface Named {
  readonly name: string;
  readonly value: string;
}

/** The first query value of these names, also of a target that the query carries. */
function findNamed(url: URL, names: ReadonlySet<string>, layer = 0): Named | undefined {
  for (const [name, value] of url.searchParams) {
    const plainName = name.toLowerCase().replaceAll(/[_-]/g, '');
    if (names.has(plainName) && UID.test(value)) return { name: plainName, value };
  }
  if (layer === MOST_LAYERS) return undefined;
  for (const value of url.searchParams.values()) {
    const target = readUrl(value);
    const found = target && findNamed(target, names, layer + 1);
    if (found) return found;
  }
  return undefined;
}

function normalise(url: URL): string {
  const query = [...url.searchParams].filter(([name]) => !TRACKING.test(name));
  const search = new URLSearchParams(query.sort(([a], [b]) => (a < b ? -1 : Number(a > b)))).toString();
  const host = url.host.replace(/^www\./, '');
  const key = `url:${host}${url.pathname.replace(/\/+$/, '')}${search ? `?${search}` : ''}`;
  if (key.length <= LONGEST_KEY) return key;
  return `url:${host.slice(0, 200)}#${createHash('sha256').update(key).digest('hex')}`;
}

function decode(value: string): string {
  let decoded = value;
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    // Piece by piece, so that one broken escape does not keep the others encoded.
    const next = decoded.replaceAll(/(?:%[0-9a-f]{2})+/gi, decodePiece);
    if (next === decoded) return decoded;
    decoded = next;
  }
  return decoded;
}

function decodePiece(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece.replaceAll(/%7e/gi, '~');
  }
}
