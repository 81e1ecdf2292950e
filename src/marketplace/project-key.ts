/** Derives a project's key and its lookup reference from its url. Pure. */
import { createHash } from 'node:crypto';
import { ProjectKey } from '../ids.ts';

/** The id that the lookup takes: the tilde and digits of a project's url, or its uid. */
export type ProjectReference = { readonly ciphertext: string } | { readonly uid: string };

export function projectReferenceId(project: ProjectReference): string {
  return 'ciphertext' in project ? project.ciphertext : project.uid;
}

const LONGEST_URL = 8_000;

/** A redirect may encode its target once more in each of this many layers. */
const MOST_LAYERS = 3;

const CIPHERTEXT = /~\d{1,40}(?![\p{L}\p{N}])/u;
/** Query names whose value may be the uid that the lookup takes. */
const UID_NAMES: ReadonlySet<string> = new Set('uid jobuid projectuid'.split(' '));
/** Query names whose value identifies a project, though no documented endpoint takes it. */
const RECOGNITION_NAMES = 'pid jobid projectid ciphertext'.split(' ');
const KEY_NAMES: ReadonlySet<string> = new Set([...UID_NAMES, ...RECOGNITION_NAMES]);
const UID = /^(?=.*\d)[\w-]{1,100}$/;
/** Without a link, a word with letters counts as a uid only if it is long enough: `1e9` is a typo. */
const BARE_UID = /^(?:\d{1,100}|(?=.*\d)[A-Za-z\d][\w-]{5,99})$/;
const TRACKING = /^(utm_.*|gclid|fbclid|msclkid|ref|referrer|source)$/i;

/**
 * The key of the project behind a url: its `~digits`, in any place and encoding; else a `uid`- or `pid`-like
 * query value, also inside a redirect's target; else the url without what doesn't identify a project (scheme,
 * `www.`, fragment, tracking, query order). Undefined for anything but http(s).
 */
export function parseProjectKey(url: string): ProjectKey | undefined {
  const parsed = readUrl(url);
  if (!parsed) return undefined;
  const ciphertext = findCiphertext(parsed);
  if (ciphertext) return ProjectKey.parse(ciphertext);
  const named = findNamed(parsed, KEY_NAMES);
  return ProjectKey.parse(named ? `${named.name}:${named.value}` : normalise(parsed));
}

/**
 * Reads a project reference from user text: a link (also in Slack's `<url|label>` form or within other
 * words), a tilde with digits, or a bare uid (letters, digits, `_` and `-`, with at least one digit).
 * Undefined when there is none, or when the link has only a `pid` or similar.
 */
export function parseProjectReference(text: string): ProjectReference | undefined {
  const plain = plainWords(text);
  const link = findLink(plain);
  if (link) return referenceOfUrl(link);
  const bare = decode(plain).replaceAll(/^[\s<`'"“”‘’(]+|[\s>`'"“”‘’).,;!?]+$/g, '');
  if (/^~\d{1,40}$/.test(bare)) return { ciphertext: bare };
  return BARE_UID.test(bare) ? { uid: bare } : undefined;
}

/** Whether the text has a link without a readable marketplace id. */
export function hasLinkWithoutProjectId(text: string): boolean {
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
  return /^https?:$/.test(parsed.protocol) && parsed.hostname ? parsed : undefined;
}

/** The path goes before the query: a query may name other projects, such as the referring one. */
function findCiphertext(url: URL): string | undefined {
  return [url.pathname, url.search, url.hash].map((part) => CIPHERTEXT.exec(decode(part))?.[0]).find(Boolean);
}

/** The first query value with one of these names, also inside a url that the query contains. */
function findNamed(
  url: URL,
  names: ReadonlySet<string>,
  layer = 0,
): { readonly name: string; readonly value: string } | undefined {
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
  if (key.length <= 500) return key;
  return `url:${host.slice(0, 200)}#${createHash('sha256').update(key).digest('hex')}`;
}

function decode(value: string): string {
  let decoded = value;
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    // Decodes piece by piece, so one broken escape doesn't keep the others encoded.
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
