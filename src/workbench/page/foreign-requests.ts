/** Whether a request comes from the page itself. Pure. */

/**
 * Why a request is refused; undefined lets it pass. A foreign `Host` means that another name points at this
 * machine (DNS rebinding). A foreign `Origin` means that another site's page posts to this machine.
 * @param port the page's port
 */
export function findForeignRequestProblem(
  method: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  port: number,
): string | undefined {
  const { host, origin } = headers;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    return 'This page is only available on this machine.';
  const site = headers['sec-fetch-site'];
  const isOther = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isForeign = origin !== undefined && origin !== `http://${host}`;
  const isNavigation = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  if (isForeign || (isOther && !isNavigation)) return "Other sites can't use this page.";
  const isJson = /^application\/json(?:;|$)/iu.test(String(headers['content-type'] ?? ''));
  return method === 'POST' && !isJson ? 'Requests must be JSON.' : undefined;
}
