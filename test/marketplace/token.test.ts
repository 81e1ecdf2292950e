import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSendableToken, MAX_TOKEN_LENGTH, parseMarketplaceToken } from '../../src/marketplace/token.ts';

function read(typed: string): string {
  const parsed = parseMarketplaceToken(typed);
  return parsed.kind === 'token' ? `token ${parsed.token.reveal()}` : parsed.mistake;
}

describe('a pasted token', () => {
  it.each([
    ['abc-123', 'token abc-123'],
    ['  abc-123\r\n', 'token abc-123'],
    ['\u00a0abc-123\ufeff', 'token abc-123'],
    ['x'.repeat(MAX_TOKEN_LENGTH), `token ${'x'.repeat(MAX_TOKEN_LENGTH)}`],
    ['', 'blank'],
    [' \n\t ', 'blank'],
    ['x'.repeat(10_000), 'too-long'],
    ['abc 123', 'unsendable'],
    ['abc\r\nx-evil: 1', 'unsendable'],
    ['abc\u0000', 'unsendable'],
    ['abc\u200b123', 'unsendable'],
    ['tökén', 'unsendable'],
    ['“abc”', 'unsendable'],
    ['xoxb-123-abc', 'of-slack'],
    ['xoxp-123-abc', 'of-slack'],
    ['xapp-1-A1-2-abc', 'of-slack'],
    ['xoxe.xoxb-1-abc', 'of-slack'],
  ])('%j', (typed, expected) => {
    expect(read(typed)).toBe(expected);
  });

  it('fits into a header, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (typed) => {
        const parsed = parseMarketplaceToken(typed);
        if (parsed.kind === 'token') expect(isSendableToken(parsed.token.reveal())).toBe(true);
      }),
    );
  });
});
