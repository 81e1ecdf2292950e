/** Keeps the API token out of everything that people or logs may see. */
import { inspect } from 'node:util';
import type { Secret } from '../secret.ts';

const HIDDEN = '[secret]';

export function hideToken(token: Secret): (text: string) => string {
  return (text) => text.replaceAll(token.reveal(), HIDDEN);
}

/** Returns the same cause, or a plain error instead when anything in it shows the token. */
export function redactErrorCause(cause: unknown, token: Secret): unknown {
  if (!inspect(cause, { depth: 8, maxArrayLength: 1_000 }).includes(token.reveal())) return cause;
  return new Error(hideToken(token)(cause instanceof Error ? cause.message : "The cause can't be shown"));
}
