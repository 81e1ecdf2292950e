/**
 * Keeps a Socket Mode connection. The SDK's own way of reconnecting waits 5 s at least, gives up after some failures, and
 * then leaves a rejected promise that nobody handles; so it is switched off, and this does it.
 */
import type { SocketModeReceiver } from '@slack/bolt';
import { type Clock, type Random, SECOND } from '../clock.ts';
import type { Log } from '../log.ts';
import { errorFields } from './error-fields.ts';

const FIRST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = 30 * SECOND;

type SocketClient = SocketModeReceiver['client'];

export interface SocketOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface KeptSocket {
  readonly isConnected: boolean;
  stop(): Promise<void>;
}

class Keeper implements KeptSocket {
  readonly #client: SocketClient;
  readonly #options: SocketOptions;
  readonly #stop = new AbortController();
  #isConnected = false;
  #failures = 0;

  constructor(client: SocketClient, options: SocketOptions) {
    this.#client = client;
    this.#options = options;
    client.on('connected', () => {
      this.#isConnected = true;
      this.#failures = 0;
    });
    client.on('disconnected', () => this.#lost());
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  async start(): Promise<void> {
    await this.#client.start();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    const disconnected = this.#client.disconnect();
    // Without a connection the SDK's promise never settles.
    if (this.#isConnected) await disconnected;
  }

  /** Only a connection that stood is connected again here; a failed attempt goes on in its own loop. */
  #lost(): void {
    const wasConnected = this.#isConnected;
    this.#isConnected = false;
    if (wasConnected && !this.#stop.signal.aborted) void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    const { clock, random, log } = this.#options;
    log.info('the connection to Slack has ended: connecting again');
    while (!this.#stop.signal.aborted) {
      try {
        await this.#client.start();
        if (this.#stop.signal.aborted) await this.#client.disconnect();
        return;
      } catch (thrown) {
        this.#failures++;
        log.warn('no connection to Slack', { failures: this.#failures, ...errorFields(thrown) });
      }
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(this.#failures - 1, 10), LONGEST_PAUSE_MS);
      await clock.sleep(pauseMs * (0.5 + random() / 2), this.#stop.signal).catch(() => undefined);
    }
  }
}

/** @throws what the SDK throws when the first connection is refused. */
export async function keepSocket(client: SocketClient, options: SocketOptions): Promise<KeptSocket> {
  const keeper = new Keeper(client, options);
  await keeper.start();
  return keeper;
}
