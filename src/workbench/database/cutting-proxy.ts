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
  /** The network is back, for new connections: what was connected before stays silent. */
  letNewPass(): void;
  /**
   * The next such statement reaches the server, but its answer is held back, and all that follows on its
   * connection. Resolves once the server has answered.
   */
  holdAnswer(isIt: (statement: string) => boolean): Promise<void>;
  /** The held answer goes on to the program. */
  release(): void;
  /** When the server ends a connection, the program doesn't notice: the news is lost on the way. */
  loseEnds(): void;
  /** Ends the silence and all that was ordered. Cuts the connections, whose data is lost. */
  restore(): void;
  /** Each answer takes so many more milliseconds; 0: no longer. */
  slowDown(ms: number): void;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** `admin_shutdown`: someone has ended the connection. */
const ENDED = '57P01';

/** What befalls the connections. */
interface Orders {
  dropped: 'answer' | 'question' | undefined;
  isSilent: boolean;
  slowByMs: number;
  breakingAfter: number | undefined;
  losesEnds: boolean;
  held: HeldAnswer | undefined;
}

const nothing = (): Orders => ({
  dropped: undefined,
  isSilent: false,
  slowByMs: 0,
  breakingAfter: undefined,
  losesEnds: false,
  held: undefined,
});

class HeldAnswer {
  readonly #isIt: (statement: string) => boolean;
  readonly #onAnswer: () => void;
  /** The connection that asked. */
  #client: Socket | undefined;
  readonly #waiting: (() => void)[] = [];

  constructor(isIt: (statement: string) => boolean, onAnswer: () => void) {
    this.#isIt = isIt;
    this.#onAnswer = onAnswer;
  }

  noteQuestion(client: Socket, piece: Buffer): void {
    if (!this.#client && this.#isIt(piece.toString())) this.#client = client;
  }

  /** @returns whether it holds this piece, and passes it later */
  hold(client: Socket, piece: Buffer, pass: () => void): boolean {
    if (client !== this.#client) return false;
    this.#waiting.push(pass);
    if (isEndOfAnswer(piece)) this.#onAnswer();
    return true;
  }

  release(): void {
    for (const pass of this.#waiting) pass();
  }
}

/**
 * Of a statement: CommandComplete, then ReadyForQuery outside of a transaction.
 * Source: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function isEndOfAnswer(piece: Buffer): boolean {
  return piece.subarray(-6).toString('latin1') === 'Z\0\0\0\u0005I';
}

/** A program's connection and ours to its server. */
class Pair {
  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #orders: Orders;
  /** Pieces of the server's data until it breaks. */
  #left: number | undefined;
  #isAsked = false;
  #isDead = false;

  constructor(client: Socket, upstream: Socket, orders: Orders, onEnd: (pair: Pair) => void) {
    this.#client = client;
    this.#upstream = upstream;
    this.#orders = orders;
    this.#left = orders.breakingAfter;
    orders.breakingAfter = undefined;
    const end = () => {
      this.cut();
      onEnd(this);
    };
    const endUpstream = () => {
      const isLost = orders.losesEnds || this.#isSilent;
      if (!isLost || client.destroyed) end();
    };
    client.on('close', end).on('error', end);
    upstream.on('close', endUpstream).on('error', endUpstream);
    client.on('data', (piece) => this.#ask(piece));
    upstream.on('data', (piece) => this.#answer(piece));
  }

  cut(how?: 'abruptly'): void {
    if (how) this.#client.resetAndDestroy();
    this.#client.destroy();
    this.#upstream.destroy();
  }

  /** Stays silent. */
  die(): void {
    this.#isDead = true;
  }

  get #isSilent(): boolean {
    return this.#orders.isSilent || this.#isDead;
  }

  #ask(piece: Buffer): void {
    const orders = this.#orders;
    if (this.#isSilent || this.#upstream.destroyed) return;
    if (orders.dropped === 'question') {
      orders.dropped = undefined;
      this.cut();
      return;
    }
    this.#isAsked = orders.dropped === 'answer';
    orders.held?.noteQuestion(this.#client, piece);
    this.#upstream.write(piece);
  }

  #answer(piece: Buffer): void {
    const orders = this.#orders;
    if (this.#isSilent || (orders.losesEnds && piece.includes(ENDED))) return;
    if (orders.held?.hold(this.#client, piece, () => this.#pass(piece))) return;
    if (this.#left !== undefined && this.#left-- === 0) {
      this.cut('abruptly');
      // Only of a statement that changed something.
    } else if (this.#isAsked && orders.dropped !== undefined && isEndOfAnswer(piece)) {
      orders.dropped = undefined;
      this.cut();
    } else this.#pass(piece);
  }

  /** Keeps the order of the pieces. */
  #pass(piece: Buffer): void {
    const { slowByMs } = this.#orders;
    if (slowByMs === 0) this.#client.write(piece);
    else machineClock.runAfter(slowByMs, () => this.#client.write(piece));
  }
}

export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const pairs = new Set<Pair>();
  const orders = nothing();
  const cut = () => {
    for (const pair of pairs) pair.cut();
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    pairs.add(new Pair(client, upstream, orders, (pair) => pairs.delete(pair)));
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
      orders.dropped = 'answer';
    },
    dropNextQuestion: () => {
      orders.dropped = 'question';
    },
    breakNextAfter: (pieces) => {
      orders.breakingAfter = pieces;
    },
    silence: () => {
      orders.isSilent = true;
    },
    letNewPass: () => {
      for (const pair of pairs) pair.die();
      orders.isSilent = false;
    },
    holdAnswer: (isIt) =>
      new Promise((resolve) => {
        orders.held = new HeldAnswer(isIt, resolve);
      }),
    release: () => {
      orders.held?.release();
      orders.held = undefined;
    },
    loseEnds: () => {
      orders.losesEnds = true;
    },
    slowDown: (ms) => {
      orders.slowByMs = ms;
    },
    restore: () => {
      Object.assign(orders, nothing());
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
