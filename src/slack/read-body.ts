/** Reads the body of a request of Slack, and what it holds. */
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

export const MOST_BODY_BYTES = 2 ** 20;
export const FORM = 'application/x-www-form-urlencoded';

/** What Slack sends is an object; all else about it is not known yet. */
export type SlackBody = Readonly<Record<string, unknown>>;

/** Room that grows to twice its size: chunks that were kept would cost a hundred bytes each, and a stranger may send them byte by byte. */
class Room {
  #bytes = Buffer.allocUnsafe(8 * 1024);
  #length = 0;

  /** @returns whether it fits. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > MOST_BODY_BYTES) return false;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
    return true;
  }

  get content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** `too-large` is over `MOST_BODY_BYTES`, and kept no further; `broken` when the connection ended before the body did. */
export function readBody(request: IncomingMessage): Promise<Buffer | 'too-large' | 'broken'> {
  return new Promise((resolve) => {
    const room = new Room();
    request.on('data', (chunk: Buffer) => {
      if (room.add(chunk)) return;
      request.pause();
      resolve('too-large');
    });
    request.once('end', () => resolve(room.content));
    for (const event of ['error', 'close']) request.once(event, () => resolve('broken'));
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is SlackBody {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of JSON, or of a form, which may hold JSON in its `payload`; undefined where that is no object, such as `null`, or no JSON. */
export function parseBody(text: string, isForm: boolean): SlackBody | undefined {
  const fields = isForm ? parse(text) : undefined;
  const json = fields ? fields['payload'] : text;
  const value = typeof json === 'string' ? parseJson(json) : fields;
  return isObject(value) ? value : undefined;
}
