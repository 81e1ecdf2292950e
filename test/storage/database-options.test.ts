/** How this program connects to PostgreSQL: TLS by the address, time limits, few connections. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/secret.ts';
import { connectDatabase } from '../../src/storage/postgres/database.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';

/** Of no real server, and signed by nobody: `openssl req -x509 -newkey ec … -subj /CN=localhost`. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgXxNILR9Qm7R5BZfD
qyJKw18AQE7uakWgWJ1X1HwmDGyhRANCAAS31h49K3JvKrpnv+t6inwBg7w7uZCr
aySBo+mILhF9qFTHD7gHMDVYOPPKpoqewZtWOF4YI46vNFsqRKDWDfPu
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUatDXJbzIfk7Y1FeFxz65FmgytLcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODA3MDk1N1oYDzIxMjYxMTA0
MDcwOTU3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS31h49K3JvKrpnv+t6inwBg7w7uZCraySBo+mILhF9qFTHD7gHMDVY
OPPKpoqewZtWOF4YI46vNFsqRKDWDfPuo2kwZzAdBgNVHQ4EFgQUEd6eQR1kftSa
n0jCUdzDAJNZNsAwHwYDVR0jBBgwFoAUEd6eQR1kftSan0jCUdzDAJNZNsAwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgJ3Em6cDGXrf+332fjLxIKbh/gvSqeKNMEV2ntOVQcgsCIQC16R2AGBHi
cWHUE9TXtzFBTP4FRMQneJX3MrOMqXTwlw==
-----END CERTIFICATE-----`;

/** The message with which a client asks for TLS, before it says who it is. */
const ASKS_FOR_TLS = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const USER = 'gigdesk-user';
/** The server's answer to whoever says who it is: “no”, for good. */
const REFUSAL_FIELDS = Buffer.from('SFATAL\0VFATAL\0C28000\0Mno\0\0');
const REFUSAL = Buffer.concat([Buffer.from([0x45, 0, 0, 0, REFUSAL_FIELDS.length + 4]), REFUSAL_FIELDS]);

interface Heard {
  readonly askedForTls: boolean;
  /** The user's name came in plain text; encrypted; not at all. */
  readonly user: 'plain' | 'encrypted' | 'never';
}

/** What a server hears that has TLS, or hasn't. */
async function connectWith(query: string, hasTls: boolean): Promise<Heard> {
  const heard = { askedForTls: false, user: 'never' as Heard['user'] };
  const takeUser = (socket: Socket, how: 'plain' | 'encrypted') => (piece: Buffer) => {
    if (piece.includes(USER)) heard.user = how;
    socket.end(REFUSAL);
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (first) => {
      if (!first.equals(ASKS_FOR_TLS)) return takeUser(socket, 'plain')(first);
      heard.askedForTls = true;
      socket.write(hasTls ? 'S' : 'N');
      if (!hasTls) return socket.once('data', takeUser(socket, 'plain'));
      const secureContext = createSecureContext({ key: KEY, cert: CERTIFICATE });
      const secured = new TLSSocket(socket, { isServer: true, secureContext });
      return secured.on('error', () => undefined).once('data', takeUser(secured, 'encrypted'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new Secret(`postgres://${USER}:secret@localhost:${port}/gigdesk${query}`);
  const database = connectDatabase({ url, max: 1 });
  await expect(database`select 1`).rejects.toBeInstanceOf(Error);
  await database.end({ timeout: 0 });
  server.close();
  return heard;
}

describe('an address', () => {
  it('without sslmode has no TLS', async () => {
    expect(await connectWith('', true)).toEqual({ askedForTls: false, user: 'plain' });
    expect(await connectWith('?sslmode=disable', true)).toEqual({ askedForTls: false, user: 'plain' });
  });

  it('with sslmode=require encrypts, whoever signed the certificate', async () => {
    expect(await connectWith('?sslmode=require', true)).toEqual({ askedForTls: true, user: 'encrypted' });
  });

  it.each(['verify-full', 'verify-ca'])(
    'with sslmode=%s says nothing to a server whose certificate nobody trusts',
    async (mode) => {
      expect(await connectWith(`?sslmode=${mode}`, true)).toEqual({ askedForTls: true, user: 'never' });
    },
  );

  it.each(['require', 'verify-full'])(
    'with sslmode=%s never goes on in plain text where the server has no TLS',
    async (mode) => {
      expect(await connectWith(`?sslmode=${mode}`, false)).toEqual({ askedForTls: true, user: 'never' });
    },
  );
});

describe('connections', () => {
  let server: LocalDatabase;
  beforeAll(async () => {
    server = await startLocalDatabase({ fsync: 'off' });
  });
  afterAll(() => server.close());

  it('are 7 at most in the pool, and cancel what takes longer than 10 s', async () => {
    const database = connectDatabase({ url: new Secret(await server.createDatabase()) });
    onTestFinished(() => database.end({ timeout: 0 }));
    const asked = Array.from({ length: 40 }, () => database`select pg_backend_pid() as pid, pg_sleep(0.02)`);
    const pids = (await Promise.all(asked)).map(([row]) => row?.['pid'] as number);
    expect(new Set(pids).size).toBeLessThanOrEqual(7);
    const [limits] = await database`
      select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('application_name') as name`;
    expect(limits).toEqual({ statement: '10s', idle: '10s', name: 'gigdesk' });
  });
});
