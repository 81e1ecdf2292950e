/** Slack limits a modal's total size in bytes of JSON: measures and clips texts accordingly. Pure. */
import { clipText } from './mrkdwn.ts';

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
