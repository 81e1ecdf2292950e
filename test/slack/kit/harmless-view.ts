/** Rules for every modal, with any input from strangers. */
import type { KnownBlock, ModalView } from '@slack/types';
import { expect } from 'vitest';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import { findViewLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { expectHarmlessTexts } from '../harmless.ts';
import { findLostParts, listPlainForms } from '../plain-forms.ts';
import { findViewRubricProblems } from '../rubric.ts';

/** We use known block types only; the SDK's type allows others. */
function blocksOf(view: ModalView): readonly KnownBlock[] {
  return view.blocks as KnownBlock[];
}

/** Within Slack's limits; each block as harmless as in a message. */
export function expectHarmlessView(view: ModalView): void {
  expect(findViewLimitProblems(view)).toEqual([]);
  const forms = listPlainForms(blocksOf(view));
  for (const { refused, blocks } of forms) {
    expect(findViewLimitProblems({ ...view, blocks: [...blocks] })).toEqual([]);
    expect(blocks.map(({ type }) => type)).not.toContain(refused[0]);
    expect(findLostParts(blocksOf(view), blocks)).toEqual([]);
  }
  expect(findViewRubricProblems(view)).toEqual([]);
  expectHarmlessTexts('a view', [view.blocks, ...forms.map(({ blocks }) => blocks)]);
}

function words(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'text' in value && typeof value.text === 'string' ? [value.text] : [];
  return [...own, ...Object.values(value).flatMap(words)];
}

/** All readable text, line by line. */
export function viewWords(view: ModalView): string {
  return words([view.title, view.blocks, view.submit, view.close]).join('\n');
}

/** The ids of its inputs, in order. */
export function inputIds(view: ModalView): string[] {
  return blocksOf(view).flatMap((block) =>
    block.type === 'input' && block.block_id ? [block.block_id] : [],
  );
}

/** An input's initial value. */
export function initialOf(view: ModalView, id: string): unknown {
  const block = blocksOf(view).find((each) => each.block_id === id);
  const element = block?.type === 'input' ? block.element : undefined;
  if (element?.type === 'plain_text_input') return element.initial_value ?? '';
  if (element?.type === 'static_select') return element.initial_option?.value;
  return element?.type === 'datetimepicker' ? element.initial_date_time : undefined;
}

function standingValue(id: string, initial: unknown): ViewInputValue {
  if (typeof initial === 'number') return { at: initial * 1_000 };
  if (typeof initial !== 'string' || initial === '') return {};
  return id === 'setup' || id === 'when' ? { option: initial } : { text: initial };
}

/** Slack's payload for a view: its initial values, with changes. */
export function filledIn(
  view: ModalView,
  changes: Readonly<Record<string, ViewInputValue>> = {},
): Map<string, ViewInputValue> {
  const standing = inputIds(view).map((id) => [id, standingValue(id, initialOf(view, id))] as const);
  const filled = [...standing, ...Object.entries(changes)];
  return new Map([...new Map(filled)].filter(([, value]) => Object.keys(value).length > 0));
}
