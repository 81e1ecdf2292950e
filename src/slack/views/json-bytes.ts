/** Modals are weighed in bytes of JSON, all together. Pure. */
import { clipText } from '../blocks/mrkdwn.ts';

/** What a text adds to a view, in bytes: its signs as UTF-8, escaped. Source: docs/slack-limits.md, `viewSize`. */
export function jsonByteLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** The beginning of a text that weighs at most so much; what is cut ends in `…`. @param most bytes, 10 at least */
export function clipToJsonBytes(text: string, most: number): string {
  let clipped = text;
  for (let weight = jsonByteLength(clipped); weight > most; weight = jsonByteLength(clipped))
    clipped = clipText(clipped, Math.floor((clipped.length * most * 0.95) / weight));
  return clipped;
}
