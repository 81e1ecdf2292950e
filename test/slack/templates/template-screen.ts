/** The template builder in Slack: its inputs' values, and sample drafts. */
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { expect } from 'vitest';
import { DraftId } from '../../../src/ids.ts';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import { type BuilderFacts, builderView } from '../../../src/slack/templates/template-form.ts';
import {
  type BuilderMetadata,
  parseBuilderMetadata,
  parseTemplateForm,
} from '../../../src/slack/templates/template-values.ts';
import { EMPTY_TEMPLATE_FORM, type TemplateForm, type TemplateStep } from '../../../src/templates/form.ts';
import type { TemplateDraft } from '../../../src/templates/records.ts';
import { findViewProblems as problemsOfSlack } from '../../../src/workbench/slack/blocks/view-rules.ts';
import { expectHarmlessView } from '../kit/harmless-view.ts';
import { ANA, CHANNEL, NOW, TEAM } from '../samples.ts';

export function draftOf(change: Partial<TemplateDraft> = {}): TemplateDraft {
  return {
    team: TEAM,
    user: ANA,
    id: DraftId.parse('abcdefghijklmnop12345678'),
    form: EMPTY_TEMPLATE_FORM,
    room: {},
    state: 'open',
    attempt: 0,
    revision: 4,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  };
}

/** Checked by our own rules and by the simulated Slack's. */
export function stepView(
  step: TemplateStep,
  draft: TemplateDraft,
  more: Omit<Partial<BuilderFacts>, 'location'> & { readonly spot?: Partial<BuilderFacts['location']> } = {},
): ModalView {
  const { spot, ...facts } = more;
  const view = builderView({
    draft,
    senders: { kind: 'unasked' },
    ...facts,
    location: { channel: CHANNEL, ...spot, step },
  });
  expectAccepted(view);
  return view;
}

export function expectAccepted(view: ModalView): void {
  expectHarmlessView(view);
  expect(problemsOfSlack(view, 'modal')).toEqual([]);
  expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThanOrEqual(250_000);
}

function elementValue(element: InputBlock['element']): ViewInputValue | undefined {
  if (element.type === 'plain_text_input')
    return element.initial_value ? { text: element.initial_value } : undefined;
  if (element.type === 'static_select')
    return element.initial_option?.value ? { option: element.initial_option.value } : undefined;
  if (element.type !== 'checkboxes') throw new Error(`no ${element.type} in the builder`);
  const chosen = (element.initial_options ?? []).flatMap(({ value }) => (value ? [value] : []));
  return chosen.length > 0 ? { options: chosen } : undefined;
}

function inputsOf(view: ModalView): readonly (InputBlock & { readonly block_id: string })[] {
  return (view.blocks as KnownBlock[]).flatMap((block) =>
    block.type === 'input' && block.block_id !== undefined ? [{ ...block, block_id: block.block_id }] : [],
  );
}

/** A field's block; for a long text, that of its `part`. */
export function idOf(view: ModalView, name: string, part = 1): string {
  const ids = inputsOf(view).map(({ block_id: id }) => id);
  const found = ids.find((id) => id.startsWith(`${name}:`) && partOf(id) === part);
  return found ?? expect.fail(`no input ${name} among ${ids.join(', ')}`);
}

function partOf(id: string): number {
  return Number(id.split('~')[1] ?? 1);
}

/** Input names in order, with each part of a long text separate. */
export function namesOf(view: ModalView): string[] {
  return inputsOf(view).map(({ block_id: id }) => id.replace(/:\d+/u, ''));
}

/** Slack's payload for a view: its initial values, with changes by field name. */
export function filledIn(
  view: ModalView,
  changes: Readonly<Record<string, ViewInputValue>> = {},
): Map<string, ViewInputValue> {
  const values = new Map<string, ViewInputValue>();
  for (const { block_id: id, element } of inputsOf(view)) {
    const value = elementValue(element);
    if (value) values.set(id, value);
  }
  for (const [name, value] of Object.entries(changes)) {
    const [field = '', part] = name.split('~');
    const id = idOf(view, field, Number(part ?? 1));
    if (Object.keys(value).length > 0) values.set(id, value);
    else values.delete(id);
  }
  return values;
}

export function placeOf(view: ModalView): BuilderMetadata {
  return parseBuilderMetadata(view.private_metadata ?? '') ?? expect.fail('the view carries no place');
}

/** The form after the view was submitted with these changes. */
export function submitted(
  view: ModalView,
  form: TemplateForm,
  changes: Readonly<Record<string, ViewInputValue>> = {},
): TemplateForm {
  return parseTemplateForm(form, { values: filledIn(view, changes), place: placeOf(view) });
}
