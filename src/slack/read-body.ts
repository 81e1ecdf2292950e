/** Reads the body of a request of Slack before the SDK does, which trusts that it holds an object. */
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

export const MOST_BODY_BYTES = 2 ** 20;

/** `too-large` is over `MOST_BODY_BYTES`, and read no further; `broken` when the connection ended before the body did. */
export async function readBody(request: IncomingMessage): Promise<Buffer | 'too-large' | 'broken'> {
  try {
    return await collect(request);
  } catch {
    return 'broken';
  }
}

async function collect(request: IncomingMessage): Promise<Buffer | 'too-large'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Ending the reading must not end the connection: it still has to carry the refusal.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BODY_BYTES) return 'too-large';
  }
  return Buffer.concat(chunks);
}

/**
 * Whether JSON, also that in a form's `payload`, is something else than an object, such as `null`. The SDK reads properties of it
 * outside of its error handling, which would end the process. What is no JSON at all the SDK refuses itself.
 */
export function holdsNoObject(body: Buffer, isForm: boolean): boolean {
  const text = body.toString();
  const json = isForm ? parse(text)['payload'] : text;
  if (typeof json !== 'string') return false;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value !== 'object' || value === null || Array.isArray(value);
  } catch {
    return false;
  }
}
