/** JSON as Slack carries it: values that come back with an action, and a text's bytes in a view. Pure. */
import type { z } from 'zod';
import { clipText } from './mrkdwn.ts';

export interface ValueCodec<T> {
  readonly write: (value: T) => string;
  /** undefined for anything that `write` doesn't produce: the text is untrusted input. */
  readonly read: (text: string) => T | undefined;
}

/** For a button's value or a view's metadata. Its length is checked with the message or view around it. */
export function jsonValueCodec<T>(schema: z.ZodType<T>): ValueCodec<T> {
  return {
    write: (value) => JSON.stringify(value),
    read: (text) => {
      try {
        return schema.safeParse(JSON.parse(text)).data;
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * The bytes that a text adds to a view: its characters as UTF-8, escaped. Source: docs/slack-limits.md,
 * `viewSize`.
 */
export function jsonByteLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** The start of a text, at most `most` bytes; a clipped one ends in `…`. @param most bytes, 10 at least */
export function clipToJsonBytes(text: string, most: number): string {
  let clipped = text;
  for (let weight = jsonByteLength(clipped); weight > most; weight = jsonByteLength(clipped))
    clipped = clipText(clipped, Math.floor((clipped.length * most * 0.95) / weight));
  return clipped;
}
