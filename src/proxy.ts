/** The way to Slack and the marketplace through the proxy that HTTPS_PROXY names. */
import type { FetchFunction } from '@slack/web-api';
import { type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { findConnectionFailure, isAboutCertificate } from './base/connection-failure.ts';
import { SECOND } from './clock.ts';
import type { ProxyConfig } from './config.ts';

const CONNECTED_WITHIN_MS = 10 * SECOND;

/** The proxy didn't connect, so nothing was sent. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: string;

  constructor(cause: Error) {
    super(`The proxy didn't connect: ${cause.message}`, { cause });
    const [, status] = /^Proxy response \((\d{3})\)/u.exec(cause.message) ?? [];
    this.code = `PROXY_${status ?? findConnectionFailure(cause)?.code ?? 'FAILED'}`;
  }
}

/** Where undici's agent can't connect through a proxy, some errors make its pool retry at once, for ever. */
function poolOf(origin: string | URL, options: object): Dispatcher {
  const { connect, ...others } = options as { readonly connect?: buildConnector.connector };
  if (typeof connect !== 'function') return new Pool(origin, options);
  return new Pool(origin, {
    ...others,
    connect: (target, callback) =>
      connect(
        Object.assign({ signal: AbortSignal.timeout(CONNECTED_WITHIN_MS) }, target),
        (error, socket) => {
          if (!error) return callback(null, socket);
          const failure = findConnectionFailure(error);
          const isTargets = failure !== undefined && isAboutCertificate(failure);
          return callback(isTargets ? error : new ProxyError(error), null);
        },
      ),
  });
}

export type ProxyPorts = ReturnType<typeof createProxyPorts>;

/** For `https:`; this machine is reached directly. @param tls of the connections inside the proxy's */
export function createProxyPorts({ url, noProxy }: ProxyConfig, tls: { readonly ca?: string } = {}) {
  const direct = noProxy.split(/[,\s]+/u);
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: '',
    httpsProxy: url.reveal(),
    noProxy: direct.includes('*') ? '*' : `localhost,127.0.0.1,[::1],${noProxy}`,
    connect: { ...tls, timeout: CONNECTED_WITHIN_MS },
    requestTls: { ...tls, timeout: CONNECTED_WITHIN_MS },
    proxyTls: { timeout: CONNECTED_WITHIN_MS },
    // More than any answer that Gigdesk accepts.
    maxResponseSize: 16 * 1024 * 1024,
    pipelining: 1,
    factory: poolOf,
  });
  // Node's own `fetch` takes dispatchers of this package, whose types differ.
  const fetch: FetchFunction = (input, init) => globalThis.fetch(input, { ...init, dispatcher } as object);
  return { dispatcher, fetch };
}
