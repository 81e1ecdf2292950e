import { describe, expect, it } from 'vitest';
import { isProjectQualified } from '../../../src/marketplace/wire/verdict.ts';
import { verdictLine } from '../../../src/slack/kit/project/project-lines.ts';

describe("the words of the AI's verdict", () => {
  it.each([
    ['qualified', true],
    ['Approved', true],
    [' accepted ', true],
    ['Yes: a good fit', true],
    ['true', true],
    ['1', true],
    ['qualify', true],
    ['Qualified: wants payment processing', true],
    ['Approved, interviews are in progress', true],
    ['Disqualified', false],
    ['not a fit', false],
    ['NOT_QUALIFIED', false],
    ['unqualified', false],
    ['mismatch', false],
    ['No', false],
    ['declined', false],
    ['irrelevant', false],
    ['bad fit', false],
    ['false', false],
    ['0', false],
    ['Rejected: the payment is pending, and the budget low', false],
    ['not a fit: image processing in C++', false],
    ['pending', undefined],
    ['unknown', undefined],
    ['undecided', undefined],
    ['not yet', undefined],
    ['not_processed', undefined],
    ['none', undefined],
    ['qualification pending', undefined],
    ['approval is still pending', undefined],
    ['match in progress', undefined],
    ['undefined', undefined],
    ['Unable to decide', undefined],
    ['nobody knows', undefined],
    ['10', undefined],
    ['', undefined],
  ])('%j decide %j, and a card has the sign of that', (decision, decides) => {
    expect(isProjectQualified({ decision })).toBe(decides);
    const line = verdictLine({ decision, reason: 'Why', other: {} }, 100) ?? '';
    expect([line.includes(':white_check_mark:'), line.includes(':no_entry_sign:')]).toEqual([
      decides === true,
      decides === false,
    ]);
  });

  it('decide nothing where there are none', () => {
    expect(isProjectQualified(undefined)).toBeUndefined();
    expect(isProjectQualified({})).toBeUndefined();
  });
});
