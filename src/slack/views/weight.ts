/** Modals are weighed in bytes of JSON, all together. Pure. */
import { clip } from '../blocks/mrkdwn.ts';

/** What a text adds to a view, in bytes: its signs as UTF-8, escaped. Source: docs/slack-limits.md, `viewSize`. */
export function weightOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** The beginning of a text that weighs at most so much; what is cut ends in `…`. @param most bytes, 10 at least */
export function clipToWeight(text: string, most: number): string {
  let clipped = text;
  for (let weight = weightOf(clipped); weight > most; weight = weightOf(clipped))
    clipped = clip(clipped, Math.floor((clipped.length * most * 0.95) / weight));
  return clipped;
}
