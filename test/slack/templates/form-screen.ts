/** The builder's windows without an app: what they show, and what Slack sends back for them. */
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { expect } from 'vitest';
import { ChannelId, DraftId, OrganizationId, TeamId, UserId } from '../../../src/ids.ts';
import type { ProposalSender } from '../../../src/marketplace/client.ts';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import { type BuilderFacts, builderView } from '../../../src/slack/templates/template-form.ts';
import { parseBuilderMetadata, parseTemplateForm } from '../../../src/slack/templates/template-values.ts';
import type { TemplateForm, TemplateStep } from '../../../src/templates/form.ts';
import type { TemplateDraft } from '../../../src/templates/records.ts';
import { findViewProblems } from '../../../src/workbench/slack/blocks/view-rules.ts';
import { expectDecentCalls } from '../../kit/check-shown.ts';

export const CHANNEL = ChannelId.parse('C0WEB');
/** Texts that try to harm. */
export const HOSTILE = [
  '<!channel> <https://evil.example|x>',
  '\u202Egnp\u0000\u200B',
  '`*_~|"\\',
  '&<>'.repeat(2_000),
  '',
];

export const STUDIO: ProposalSender = {
  organizationId: OrganizationId.parse(7),
  name: 'Studio',
  type: 'agency',
  contractors: [{ uid: 'c-1' }, { uid: 'c-2' }],
};
export const SOLO: ProposalSender = {
  organizationId: OrganizationId.parse(8),
  name: 'Ben',
  type: 'freelancer',
  contractors: [],
};

/** The list of senders, as the marketplace tells it. */
export function known(senders: readonly ProposalSender[] = [STUDIO, SOLO]) {
  return { kind: 'known', senders, readAt: 1 } as const;
}

/** A draft with this form. */
export function draftOf(form: TemplateForm, more: Partial<TemplateDraft> = {}): TemplateDraft {
  return {
    team: TeamId.parse('T1'),
    user: UserId.parse('U1'),
    id: DraftId.parse('abcdefghijklmnop12345678'),
    form,
    room: {},
    state: 'open',
    attempt: 0,
    revision: 4,
    createdAt: 1,
    updatedAt: 1,
    ...more,
  };
}

/** The view, if Slack takes it and people may see it. @throws AssertionError otherwise */
export function accepted(view: ModalView): ModalView {
  expect(findViewProblems(view, 'modal')).toEqual([]);
  expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThanOrEqual(250_000);
  expectDecentCalls([{ method: 'views.open', args: { view } } as never]);
  return view;
}

/** The builder at a step. */
export function viewOf(
  step: TemplateStep,
  draft: TemplateDraft,
  {
    senders = known(),
    ...spot
  }: Partial<BuilderFacts['location']> & { senders?: BuilderFacts['senders'] } = {},
): ModalView {
  return accepted(builderView({ draft, senders, location: { channel: CHANNEL, ...spot, step } }));
}

/** Its input blocks. */
export function inputsIn(view: ModalView): readonly (InputBlock & { readonly block_id: string })[] {
  const blocks = view.blocks as KnownBlock[];
  return blocks.flatMap((it) =>
    it.type === 'input' && it.block_id ? [{ ...it, block_id: it.block_id }] : [],
  );
}

/** The names of its inputs, in order; those of a long text's parts end with `~2` and so on. */
export function namesOf(view: ModalView): string[] {
  return inputsIn(view).map((it) => it.block_id.replace(/:\d+/u, ''));
}

/** The block of an input. */
export function idOf(view: ModalView, name: string): string {
  const found = inputsIn(view).find((it) => it.block_id.replace(/:\d+/u, '') === name);
  return found?.block_id ?? expect.fail(`no ${name} among ${namesOf(view).join()}`);
}

function initialOf({ element }: InputBlock): ViewInputValue {
  if (element.type === 'plain_text_input')
    return element.initial_value ? { text: element.initial_value } : {};
  if (element.type === 'static_select')
    return element.initial_option?.value ? { option: element.initial_option.value } : {};
  if (element.type !== 'checkboxes') return expect.fail(`no ${element.type} in the builder`);
  const options = (element.initial_options ?? []).flatMap(({ value }) => value ?? []);
  return options.length > 0 ? { options } : {};
}

/** What Slack sends for a view: its initial values, with changes by name. */
export function filledIn(view: ModalView, changes: Readonly<Record<string, ViewInputValue>> = {}) {
  const initial = inputsIn(view).map((it) => [it.block_id, initialOf(it)] as const);
  const typed = Object.entries(changes).map(([name, value]) => [idOf(view, name), value] as const);
  const all = [...new Map([...initial, ...typed])];
  return new Map(all.filter(([, value]) => Object.keys(value).length > 0));
}

/** What the view's metadata says. */
export function placeOf(view: ModalView) {
  return parseBuilderMetadata(view.private_metadata ?? '') ?? expect.fail('no place');
}

/** The form after the view was sent with these changes. */
export function sent(
  view: ModalView,
  form: TemplateForm,
  changes: Readonly<Record<string, ViewInputValue>> = {},
) {
  return parseTemplateForm(form, { values: filledIn(view, changes), place: placeOf(view) });
}
