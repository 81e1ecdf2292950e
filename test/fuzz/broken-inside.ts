/** Log lines about internal errors, in contrast to rejected input. */
import type { RunningApp } from '../kit/run-app.ts';

/** Our own errors and the language's: no input from people, Slack or the marketplace may cause one. */
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

/** Bolt detects shapes by trial and error, and logs unknown ones: such a request has no effect. */
const SDK = ['the Slack SDK failed on a request', 'a Slack request failed'];

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly error?: { readonly name?: string; readonly stack?: string; readonly message?: string };
}

/** Error lines from the `from`th on. */
export function brokenInside({ logLines }: Pick<RunningApp, 'logLines'>, from = 0): readonly string[] {
  return logLines
    .slice(from)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => !SDK.includes(msg))
    .filter(({ level, error }) => level >= 40 && FAULTS.has(error?.name ?? ''))
    .map(({ msg, error }) => `${msg}: ${error?.stack ?? error?.message}`);
}
