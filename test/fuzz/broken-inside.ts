/** What the log tells when something broke inside, instead of being refused. */
import type { World } from '../features/world.ts';

/** Errors of ours and of the language: nothing that people, Slack or the marketplace do may lead to one. */
const FAULTS = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'URIError',
  'LimitError',
  'ZodError',
]);

/** It knows shapes by trying, and says so of what is none: such a request comes to nothing. */
const SDK = ['the Slack SDK failed on a request', 'a Slack request failed'];

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly error?: { readonly name?: string; readonly stack?: string; readonly message?: string };
}

/** Lines from the `from`th on that tell of a fault. */
export function brokenInside({ logLines }: World, from = 0): readonly string[] {
  return logLines
    .slice(from)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => !SDK.includes(msg))
    .filter(({ level, error }) => level >= 40 && FAULTS.has(error?.name ?? ''))
    .map(({ msg, error }) => `${msg}: ${error?.stack ?? error?.message}`);
}
