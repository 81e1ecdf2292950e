/** An API token as a person pastes it. Pure. */
import { Secret } from '../secret.ts';

/** Longer than any service's token, and short enough for a header. */
export const MAX_TOKEN_LENGTH = 2_000;

/** `unsendable`: a space, a line break, or a character that no HTTP header can carry. */
export type TokenMistake = 'blank' | 'too-long' | 'unsendable' | 'of-slack';

export type ParsedToken =
  | { readonly kind: 'token'; readonly token: Secret }
  | { readonly kind: 'mistake'; readonly mistake: TokenMistake };

/** Slack's own tokens; sent to the marketplace, they would be in the wrong hands. */
const OF_SLACK = /^(?:xox[a-z]|xapp|xoxe\.xox[a-z])-/u;

/** Whether an HTTP header can carry it. */
export function isSendableToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** Blanks and line breaks around the token don't count. */
export function parseMarketplaceToken(typed: string): ParsedToken {
  const token = typed.trim();
  const mistake = findMistake(token);
  return mistake ? { kind: 'mistake', mistake } : { kind: 'token', token: new Secret(token) };
}

function findMistake(token: string): TokenMistake | undefined {
  if (token === '') return 'blank';
  if (token.length > MAX_TOKEN_LENGTH) return 'too-long';
  if (!isSendableToken(token)) return 'unsendable';
  return OF_SLACK.test(token) ? 'of-slack' : undefined;
}
