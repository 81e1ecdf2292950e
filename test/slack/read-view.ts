/** Reads a modal that no Slack has: its inputs, and what Slack would send back for them. */
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { expect } from 'vitest';
import type { ViewInputValue } from '../../src/slack/core/routes.ts';
import { findViewProblems } from '../../src/workbench/slack/blocks/view-rules.ts';
import { expectDecentCalls } from '../kit/check-shown.ts';

type Input = InputBlock & { readonly block_id: string };
type Values = Readonly<Record<string, ViewInputValue>>;

/** The view, if Slack takes it and people may see it. @throws AssertionError otherwise */
export function accepted(view: ModalView): ModalView {
  expect(findViewProblems(JSON.parse(JSON.stringify(view)), 'modal')).toEqual([]);
  expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThanOrEqual(250_000);
  expectDecentCalls([{ method: 'views.open', args: { view } } as never]);
  return view;
}

export function inputsIn(view: ModalView): readonly Input[] {
  return (view.blocks as KnownBlock[]).filter((it): it is Input => it.type === 'input' && !!it.block_id);
}

/** The IDs of its inputs, in order. */
export function inputIds(view: ModalView): string[] {
  return inputsIn(view).map((it) => it.block_id);
}

function initialOf({ element }: InputBlock): ViewInputValue {
  if (element.type === 'plain_text_input')
    return element.initial_value ? { text: element.initial_value } : {};
  if (element.type === 'static_select')
    return element.initial_option?.value ? { option: element.initial_option.value } : {};
  if (element.type === 'datetimepicker')
    return element.initial_date_time ? { at: element.initial_date_time * 1_000 } : {};
  if (element.type !== 'checkboxes') return expect.fail(`no ${element.type} in these forms`);
  const options = (element.initial_options ?? []).flatMap(({ value }) => value ?? []);
  return options.length > 0 ? { options } : {};
}

/** What Slack sends for a view: its initial values, with changes by the IDs of inputs. */
export function filledIn(view: ModalView, changes: Values = {}): Map<string, ViewInputValue> {
  const initial = inputsIn(view).map((it) => [it.block_id, initialOf(it)] as const);
  const all = [...new Map([...initial, ...Object.entries(changes)])];
  return new Map(all.filter(([, value]) => Object.keys(value).length > 0));
}
