/**
 * Keeps a Socket Mode connection. The SDK's own reconnect waits at least 5 s, gives up after some failures,
 * and then leaves an unhandled rejected promise. So it is switched off and replaced by this.
 */
import type { SocketModeReceiver } from '@slack/bolt';
import { withTimeLimit } from '../../base/time-limit.ts';
import { SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { retryUntilSlackResponds } from './clients.ts';
import { toSlackCallError } from './errors.ts';
import type { Services } from './routes.ts';

type SocketClient = SocketModeReceiver['client'];
type SocketOptions = Pick<Services, 'clock' | 'random' | 'log'>;

export class SocketConnection {
  readonly #client: SocketClient;
  readonly #options: SocketOptions;
  readonly #stop = new AbortController();
  #isConnected = false;

  constructor(client: SocketClient, options: SocketOptions) {
    this.#client = client;
    this.#options = options;
    client.on('connected', () => {
      this.#isConnected = true;
    });
    client.on('disconnected', () => this.#lost());
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (thrown) {
      await this.stop();
      throw thrown;
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    const disconnected = this.#client.disconnect();
    // Without a connection the SDK's promise never settles, and a dead connection never confirms its end.
    if (!this.#isConnected) return;
    await withTimeLimit(this.#options.clock, SECOND, disconnected, () => undefined);
  }

  /** Retries until Slack answers. @throws SlackCallError when it refuses. */
  #connect(): Promise<void> {
    const attempt = async () => {
      await this.#client.start().catch((thrown: unknown) => {
        throw toSlackCallError(thrown);
      });
      if (this.#stop.signal.aborted) await this.#client.disconnect();
    };
    return retryUntilSlackResponds(attempt, { ...this.#options, signal: this.#stop.signal });
  }

  /** Reconnects only after an established connection; a failed attempt retries in its own loop. */
  #lost(): void {
    const wasConnected = this.#isConnected;
    this.#isConnected = false;
    if (wasConnected && !this.#stop.signal.aborted) void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    const { clock, log } = this.#options;
    log.info('the connection to Slack ended, reconnecting');
    while (!this.#stop.signal.aborted) {
      try {
        return await this.#connect();
      } catch (thrown) {
        if (this.#stop.signal.aborted) return;
        // Slack may accept a refused token later, and Gigdesk works without a connection meanwhile.
        log.error('Slack rejected the connection', { error: asError(thrown) });
      }
      await clock.sleep(30 * SECOND, this.#stop.signal).catch(() => undefined);
    }
  }
}

/** @throws SlackCallError when Slack refuses the first connection; the reason of `signal` when it aborts. */
export async function maintainSocketConnection(
  client: SocketClient,
  options: SocketOptions,
  signal?: AbortSignal,
): Promise<SocketConnection> {
  const connection = new SocketConnection(client, options);
  const stop = () => void connection.stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await connection.start();
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  return connection;
}
