/** Server-sent events: notify every open tab of changes, so that it refreshes. */
import type { ServerResponse } from 'node:http';
import { machineClock, SECOND } from '../../clock.ts';
import type { PageEvent } from './protocol.ts';

/** A regular comment lets both ends notice a broken connection. */
const BEAT_MS = 15 * SECOND;
/** A tab that doesn't read its events is disconnected; it reconnects and refreshes everything. */
const MOST_UNREAD_BYTES = 256 * 1024;
/** A browser opens six connections to one address; a person never has more tabs than this. */
const MOST_TABS = 50;

export class EventStream {
  readonly #open = new Set<ServerResponse>();
  #stopBeat: () => void = () => undefined;

  get size(): number {
    return this.#open.size;
  }

  /** Keeps the response open. With too many clients, the oldest is disconnected. */
  addClient(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
    response.on('close', () => this.#forget(response));
    response.on('error', () => this.#forget(response));
    if (this.#open.size === 0) this.#beatLater();
    const [oldest] = this.#open;
    if (oldest && this.#open.size >= MOST_TABS) this.#drop(oldest);
    this.#open.add(response);
    this.#write(response, 'retry: 1000\n\n');
    this.#write(response, line({ kind: 'world' }));
  }

  sendToAll(event: PageEvent): void {
    const words = line(event);
    for (const response of this.#open) this.#write(response, words);
  }

  close(): void {
    for (const response of this.#open) this.#drop(response);
    this.#stopBeat();
  }

  #write(response: ServerResponse, words: string): void {
    if (response.writableLength > MOST_UNREAD_BYTES) this.#drop(response);
    else response.write(words);
  }

  #drop(response: ServerResponse): void {
    this.#forget(response);
    response.destroy();
  }

  #forget(response: ServerResponse): void {
    this.#open.delete(response);
    if (this.#open.size === 0) this.#stopBeat();
  }

  /** Uses the machine's time, as browsers do. */
  #beatLater(): void {
    this.#stopBeat = machineClock.runAfter(BEAT_MS, () => {
      for (const response of this.#open) this.#write(response, ': still here\n\n');
      if (this.#open.size > 0) this.#beatLater();
    });
  }
}

function line(event: PageEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
