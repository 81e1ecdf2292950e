/** Whether a request comes from the page itself. Pure. */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Why a request is refused; undefined lets it pass. Another `Host` is a name of somebody's that was made to point at this machine
 * (DNS rebinding); another `Origin` is a page of somebody's that posts to this machine.
 * @param port on which the page is served
 */
export function refuseStrangers(
  method: string,
  headers: IncomingHttpHeaders,
  port: number,
): string | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? '')) return 'This page is served to this machine alone.';
  const site = headers['sec-fetch-site'];
  const isOther = site !== undefined && site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  const isForeign = origin !== undefined && origin !== `http://${headers.host}`;
  const isNavigation = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  if (isForeign || (isOther && !isNavigation)) return 'Another page can’t act here.';
  const isJson = /^application\/json(?:;|$)/iu.test(headers['content-type'] ?? '');
  return method === 'POST' && !isJson ? 'Only JSON is taken here.' : undefined;
}
