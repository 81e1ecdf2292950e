/** Reads the body of a request of Slack before the SDK does, which trusts that it holds an object. */
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

export const MOST_BODY_BYTES = 2 ** 20;

/** @returns undefined for a body over `MOST_BODY_BYTES`, read no further. @throws Error when the connection breaks. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Ending the reading must not end the connection: it still has to carry the refusal.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BODY_BYTES) return undefined;
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
