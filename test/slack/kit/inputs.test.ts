import type { InputBlock } from '@slack/types';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserId } from '../../../src/ids.ts';
import { loadingView, noticeView, plainTextObject } from '../../../src/slack/kit/block-builders.ts';
import { findViewLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import {
  checkboxesInput,
  dateTimeInput,
  multiSelectInput,
  numberInput,
  radioInput,
  selectInput,
  textInput,
  usersInput,
} from '../../../src/slack/kit/inputs.ts';
import { findViewProblems as problemsOfSlack } from '../../../src/workbench/slack/blocks/view-rules.ts';

function viewOf(...blocks: InputBlock[]) {
  return { type: 'modal', title: plainTextObject('Title'), submit: plainTextObject('Send'), blocks } as const;
}

/** Checked by our own rules and by the simulated Slack's. */
function expectAccepted(...blocks: InputBlock[]): void {
  const view = viewOf(...blocks);
  expect(findViewLimitProblems({ ...view, blocks: [...blocks] })).toEqual([]);
  expect(problemsOfSlack(JSON.parse(JSON.stringify(view)), 'modal')).toEqual([]);
}

const choices = [
  { label: 'One', value: '1' },
  { label: 'Two', value: '2' },
];

describe('an input', () => {
  it('of each kind is what Slack takes, empty and filled in', () => {
    const at = { id: 'x', label: 'Label', hint: 'Hint', optional: true };
    const user = UserId.parse('U1');
    for (const input of [
      textInput(at),
      textInput({ ...at, initial: 'typed', multiline: true, maxLength: 10, placeholder: 'Type' }),
      numberInput({ ...at, initial: '12' }),
      selectInput({ ...at, choices, initial: '2', placeholder: 'Choose' }),
      selectInput({ ...at, choices }),
      multiSelectInput({ ...at, choices, initial: ['1', '2'] }),
      multiSelectInput({ ...at, choices }),
      radioInput({ ...at, choices, initial: '1' }),
      checkboxesInput({ ...at, choices, initial: ['2'] }),
      usersInput({ ...at, initial: [user], placeholder: 'Who' }),
      usersInput(at),
      dateTimeInput({ ...at, initial: 1_795_165_000_500 }),
      dateTimeInput(at),
    ])
      expectAccepted(input);
  });

  it('begins with what was chosen or typed before', () => {
    expect(selectInput({ id: 'x', label: 'L', choices, initial: '2' }).element).toMatchObject({
      initial_option: { value: '2' },
    });
    expect(dateTimeInput({ id: 'x', label: 'L', initial: 1_795_165_000_500 }).element).toMatchObject({
      initial_date_time: 1_795_165_000,
    });
    expect(numberInput({ id: 'x', label: 'L', initial: '12' }).element).toMatchObject({
      initial_value: '12',
    });
  });

  it('omits what would make Slack refuse the view: a choice that is gone, words for a number', () => {
    const gone = selectInput({ id: 'x', label: 'L', choices, initial: '3' });
    const some = multiSelectInput({ id: 'y', label: 'L', choices, initial: ['3', '1'] });
    const word = numberInput({ id: 'z', label: 'L', initial: 'twelve' });
    const part = numberInput({ id: 'w', label: 'L', initial: '1.5' });
    expectAccepted(gone, some, word, part);
    expect(some.element).toMatchObject({ initial_options: [{ value: '1' }] });
    for (const each of [gone, word, part]) expect(JSON.stringify(each)).not.toContain('initial');
  });

  it('takes any words of strangers for its label and choices, and shows none that hide or reorder', () => {
    const words = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('\u202E', '', 'x'.repeat(9_000)),
    );
    fc.assert(
      fc.property(words, (label) => {
        const choice = [{ label, value: '1' }];
        const texts = textInput({ id: 'a', label, hint: label, placeholder: label });
        expectAccepted(texts, selectInput({ id: 'b', label, choices: choice, initial: '1' }));
        expect(texts.label.text).not.toMatch(/[\p{Cf}\0]/u);
      }),
    );
  });
});

describe('a view that only tells something', () => {
  it('is taken by Slack, has nothing to submit and a title that fits', () => {
    for (const view of [
      loadingView('A title that is much too long for Slack'),
      noticeView('Title', 'Words'),
      noticeView('Title', [{ type: 'divider' }]),
      noticeView('Title', 'x'.repeat(5_000)),
    ]) {
      expect(findViewLimitProblems(view)).toEqual([]);
      expect(problemsOfSlack(view, 'modal')).toEqual([]);
      expect(view.submit).toBeUndefined();
    }
  });
});
