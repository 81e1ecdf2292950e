/** Parses and checks the API's base URL. The token goes there with every request. */

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

export interface ApiAddress {
  readonly origin: string;
  /** Without a trailing slash; empty at the root. */
  readonly pathPrefix: string;
}

/**
 * Accepts https, and plain http for loopback only, so the token never crosses a network unencrypted.
 * @throws TypeError for anything else, and for an address with credentials, query or fragment.
 */
export function parseApiAddress(baseUrl: string): ApiAddress {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url) throw new TypeError("The marketplace address isn't a valid URL");
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (!isSafe)
    throw new TypeError('The marketplace address must start with https:// (http:// only for localhost)');
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError("The marketplace address can't include a user, query, or fragment");
  return { origin: url.origin, pathPrefix: url.pathname.replace(/\/+$/, '') };
}
