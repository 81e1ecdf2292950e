/** TLS in front of a simulated service, and a proxy on the way there. For tests alone: the key is public. */
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';

/** Of localhost, slack.gigdesk.test and market.gigdesk.test; nobody but itself has signed it. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxnaWdkZXNr
LnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBcxFTATBgNV
BAMMDGdpZ2Rlc2sudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKY81IPT
Yak1Sac4j0T9R327VSla27kWZEIKtEVRMyqeu1Gj1grwcbnTIoQ83RQR+UgfwbAX
kAVNItJN0kDF0KajcTBvMA8GA1UdEwEB/wQFMAMBAf8wPQYDVR0RBDYwNIIJbG9j
YWxob3N0ghJzbGFjay5naWdkZXNrLnRlc3SCE21hcmtldC5naWdkZXNrLnRlc3Qw
HQYDVR0OBBYEFGHCJaYxy0jiTjRPvtUuB2F5n4yoMAoGCCqGSM49BAMCA0gAMEUC
IQCf27AGRmhb61FhY+o3Ci5DjpADDwwc0LrECYP+doi4/QIgBhxL5YypCyB1oJPw
CmUiirDTt8PxD5MwYT83D5OXeWc=
-----END CERTIFICATE-----
`;

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgq/lxhtzbaEtvse29
KEKi6V7T5GaGSVLo3g2yu6bjm+qhRANCAASmPNSD02GpNUmnOI9E/Ud9u1UpWtu5
FmRCCrRFUTMqnrtRo9YK8HG50yKEPN0UEflIH8GwF5AFTSLSTdJAxdCm
-----END PRIVATE KEY-----
`;

export interface Front {
  readonly port: number;
  close(): void;
}

async function listen(server: net.Server): Promise<Front> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Sends all that comes from one side to the other, until either ends. */
function connect(from: net.Socket, port: number): void {
  const to = net.connect(port, '127.0.0.1');
  for (const socket of [from, to]) socket.on('error', () => undefined);
  from.pipe(to).pipe(from);
  from.on('close', () => to.destroy());
  to.on('close', () => from.destroy());
}

/** @param port of a plain service on this machine */
export function startTlsFront(port: number): Promise<Front> {
  return listen(tls.createServer({ key: KEY, cert: CERTIFICATE }, (inside) => connect(inside, port)));
}

export interface TestProxy extends Front {
  /** What it was asked to connect to, `host:port`. */
  readonly asked: string[];
  mode: 'connect' | 'refuse' | 'close';
}

/** @param targets host -> port on this machine */
export async function startProxy(
  targets: Readonly<Record<string, number>>,
  password?: string,
): Promise<TestProxy> {
  const server = http.createServer((_request, response) => response.writeHead(500).end());
  const proxy: TestProxy = { ...(await listen(server)), asked: [], mode: 'connect' };
  const authorization = password && `Basic ${Buffer.from(password).toString('base64')}`;
  server.on('connect', ({ url = '', headers }, socket: net.Socket) => {
    proxy.asked.push(url);
    const port = targets[url.replace(/:\d+$/u, '')];
    const isAllowed = headers['proxy-authorization'] === authorization || authorization === undefined;
    if (proxy.mode === 'close') socket.destroy();
    else if (proxy.mode === 'refuse' || port === undefined) socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    else if (!isAllowed) socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    else {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      connect(socket, port);
    }
  });
  return proxy;
}
