/** Reads the body of a request of Slack, and what it holds. */
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

export const MOST_BODY_BYTES = 2 ** 20;
export const FORM = 'application/x-www-form-urlencoded';

/** What Slack sends is an object; all else about it is not known yet. */
export type SlackBody = Readonly<Record<string, unknown>>;

/** `too-large` is over `MOST_BODY_BYTES`, and kept no further; `broken` when the connection ended before the body did. */
export function readBody(request: IncomingMessage): Promise<Buffer | 'too-large' | 'broken'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MOST_BODY_BYTES) chunks.push(chunk);
      else {
        request.pause();
        resolve('too-large');
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
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
