/** Whether a request comes from the page itself. Pure. */

/**
 * Why a request is refused; undefined lets it pass. Another `Host` is a name of somebody's that was made to point at this machine
 * (DNS rebinding); another `TemplateOrigin` is a page of somebody's that posts to this machine.
 * @param port on which the page is served
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
