/** An API token as a person pastes it. Pure. */
import { Secret } from '../secret.ts';

/** Longer than any service's token, and short enough for a header. */
export const MAX_TOKEN_LENGTH = 2_000;

/** `unsendable`: a space, a line break, or a character that no HTTP header can carry. */
export type TokenMistake = 'blank' | 'too-long' | 'unsendable' | 'of-slack';

/** Whether an HTTP header can carry it. */
export function isSendableToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** Blanks and line breaks around the token don't count. */
export function parseMarketplaceToken(typed: string) {
  const token = typed.trim();
  const mistake = findMistake(token);
  return mistake
    ? { kind: 'mistake' as const, mistake }
    : { kind: 'token' as const, token: new Secret(token) };
}

function findMistake(token: string): TokenMistake | undefined {
  if (token === '') return 'blank';
  if (token.length > MAX_TOKEN_LENGTH) return 'too-long';
  if (!isSendableToken(token)) return 'unsendable';
  // Sent to the marketplace, Slack's own tokens would be in the wrong hands.
  return /^(?:xox[a-z]|xapp|xoxe\.xox[a-z])-/u.test(token) ? 'of-slack' : undefined;
}
