/** Reads and parses the body of a Slack request within limits of size, time and memory. */
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { parseJson } from '../../base/parse-json.ts';
import { type Clock, SECOND } from '../../clock.ts';

export const MOST_BODY_BYTES = 2 ** 20;
export const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';

/** Slack sends objects; their fields are not checked yet. */
export type SlackBody = Readonly<Record<string, unknown>>;

/**
 * `too-large`: over `mostBytes`. `too-slow`: incomplete after 3 s. `displaced`: others needed its memory.
 * `broken`: the connection ended before the body did. Reading stops in all cases.
 */
export type BodyReadFailure = 'too-large' | 'too-slow' | 'displaced' | 'broken';

/** Doubles its size: a list of chunks costs 100 bytes per chunk, and an attacker may send single bytes. */
class GrowingBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** The buffer's size after adding `more` bytes. */
  sizeWith(more: number, most: number): number {
    const length = this.#length + more;
    if (length <= this.#bytes.length) return this.#bytes.length;
    return Math.min(Math.max(length, 2 * this.#bytes.length, 1_024), most);
  }

  add(chunk: Buffer, size: number): void {
    if (size > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(size);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length += chunk.length;
  }
}

/** Never rejects. @param limits `room` is shared by all bodies */
export function readBody(
  request: IncomingMessage,
  limits: { readonly mostBytes: number; readonly clock: Clock; readonly room: BodyMemoryLimit },
): Promise<Buffer | BodyReadFailure> {
  const { mostBytes, clock, room } = limits;
  if (Number(request.headers['content-length']) > mostBytes) return Promise.resolve('too-large');
  return new Promise((resolve) => {
    const buffer = new GrowingBuffer();
    const settle = (result: Buffer | BodyReadFailure) => {
      cancelTimeout();
      place.release();
      request.off('data', add);
      if (typeof result === 'string') request.pause();
      resolve(result);
    };
    const add = (chunk: Buffer) => {
      if (buffer.length + chunk.length > mostBytes) return settle('too-large');
      const size = buffer.sizeWith(chunk.length, mostBytes);
      if (place.resizeTo(size)) buffer.add(chunk, size);
    };
    const place = room.acquireSlot(() => settle('displaced'));
    // Slack waits 3 s for an acknowledgement. Source: docs/slack-limits.md, "Times and rates".
    const cancelTimeout = clock.runAfter(3 * SECOND, () => settle('too-slow'));
    request.on('data', add);
    request.once('end', () => settle(buffer.content));
    for (const event of ['error', 'close']) request.once(event, () => settle('broken'));
  });
}

/**
 * Parses JSON, or a form, which may have JSON in its `payload`; undefined for invalid JSON or anything but an
 * object, such as `null`.
 */
export function parseBody(text: string, isForm: boolean): SlackBody | undefined {
  const fields = isForm ? parse(text) : undefined;
  const json = fields ? fields['payload'] : text;
  const value = typeof json === 'string' ? parseJson(json) : fields;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as SlackBody) : undefined;
}

/** Sixteen bodies of maximum size. Slack's bodies are a few kB, so a burst of a thousand fits. */
const MOST_HELD_BYTES = 16 * 2 ** 20;

interface Holder {
  bytes: number;
  readonly onDisplaced: () => void;
}

/**
 * Limits the memory of all request bodies whose signatures are not checked yet (decision 4). When it runs
 * out, the oldest body is dropped: Slack sends a whole body within milliseconds, so an older unfinished body
 * is most likely not from Slack.
 */
export class BodyMemoryLimit {
  #held = 0;
  /** In order of arrival. */
  readonly #holders = new Set<Holder>();

  /** @param onDisplaced runs when others need the memory; the slot is already released then. */
  acquireSlot(onDisplaced: () => void) {
    const holder: Holder = { bytes: 0, onDisplaced };
    this.#holders.add(holder);
    return {
      /** Changes the reserved size to `bytes`. @returns false when the slot was displaced. */
      resizeTo: (bytes: number): boolean => {
        this.#makeRoom(holder, bytes - holder.bytes);
        if (!this.#holders.has(holder)) return false;
        this.#held += bytes - holder.bytes;
        holder.bytes = bytes;
        return true;
      },
      release: () => this.#release(holder),
    };
  }

  /** Displaces the oldest bodies, even `growing` itself. */
  #makeRoom(growing: Holder, more: number): void {
    for (const holder of this.#holders) {
      if (this.#held + more <= MOST_HELD_BYTES || !this.#holders.has(growing)) return;
      this.#release(holder);
      holder.onDisplaced();
    }
  }

  #release(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#held -= holder.bytes;
  }
}
