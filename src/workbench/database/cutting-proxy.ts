/** A proxy between a program and its database that cuts connections at the worst moment. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { machineClock } from '../../clock.ts';

export interface CuttingProxy {
  /** The same `DATABASE_URL` through the proxy. */
  readonly url: string;
  /** The server gets the next statement, but its answer is dropped with the connection. */
  dropNextAnswer(): void;
  /** The next statement is dropped with its connection before the server gets it. */
  dropNextQuestion(): void;
  /** The next connection breaks after so many pieces of the server's data: while it is made, or later. */
  breakNextAfter(pieces: number): void;
  /** Nothing passes anymore, and nothing is closed: a network that is gone. */
  silence(): void;
  /** Ends the silence and all that was ordered. Cuts the connections, whose data is lost. */
  restore(): void;
  /** Each answer takes so many more milliseconds; 0: no longer. */
  slowDown(ms: number): void;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let dropped: 'answer' | 'question' | undefined;
  let isSilent = false;
  let slowByMs = 0;
  let breakingAfter: number | undefined;
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    let isAsked = false;
    let left = breakingAfter;
    breakingAfter = undefined;
    const end = (how?: 'abruptly') => {
      if (how) client.resetAndDestroy();
      for (const socket of pair) socket.destroy();
      pairs.delete(pair);
    };
    for (const socket of pair) socket.on('close', () => end()).on('error', () => end());
    client.on('data', (piece) => {
      if (isSilent) return;
      if (dropped === 'question') {
        dropped = undefined;
        return end();
      }
      isAsked = dropped === 'answer';
      upstream.write(piece);
    });
    /** Keeps the order of the pieces. */
    const pass = (piece: Buffer) => {
      if (slowByMs === 0) client.write(piece);
      else machineClock.runAfter(slowByMs, () => client.write(piece));
    };
    upstream.on('data', (piece) => {
      if (isSilent) return;
      if (left !== undefined && left-- === 0) return end('abruptly');
      if (!isAsked || dropped === undefined) return pass(piece);
      // Only the end of a statement that changed something: CommandComplete, then ReadyForQuery outside of a
      // transaction. Source: https://www.postgresql.org/docs/current/protocol-message-formats.html
      if (piece.subarray(-6).toString('latin1') !== 'Z\0\0\0\u0005I') return pass(piece);
      dropped = undefined;
      end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const through = new URL(url);
  through.port = String(address.port);
  return {
    url: through.href,
    dropNextAnswer: () => {
      dropped = 'answer';
    },
    dropNextQuestion: () => {
      dropped = 'question';
    },
    silence: () => {
      isSilent = true;
    },
    breakNextAfter: (pieces) => {
      breakingAfter = pieces;
    },
    slowDown: (ms) => {
      slowByMs = ms;
    },
    restore: () => {
      isSilent = false;
      slowByMs = 0;
      breakingAfter = undefined;
      dropped = undefined;
      cut();
    },
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
