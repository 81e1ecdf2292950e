/** The builder's windows without an app: what they show, and what Slack sends back for them. */
import type { ModalView } from '@slack/types';
import { expect } from 'vitest';
import { ChannelId, DraftId, OrganizationId, TeamId, UserId } from '../../../src/ids.ts';
import type { ProposalSender } from '../../../src/marketplace/client.ts';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import { type BuilderFacts, builderView } from '../../../src/slack/templates/template-form.ts';
import { parseBuilderMetadata, parseTemplateForm } from '../../../src/slack/templates/template-values.ts';
import type { TemplateForm, TemplateStep } from '../../../src/templates/form.ts';
import type { TemplateDraft } from '../../../src/templates/records.ts';
import { accepted, filledIn as filledInById, inputsIn } from '../read-view.ts';

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

/** The names of its inputs, in order; those of a long text's parts end with `~2` and so on. */
export function namesOf(view: ModalView): string[] {
  return inputsIn(view).map((it) => it.block_id.replace(/:\d+/u, ''));
}

/** The block of an input. */
export function idOf(view: ModalView, name: string): string {
  const found = inputsIn(view).find((it) => it.block_id.replace(/:\d+/u, '') === name);
  return found?.block_id ?? expect.fail(`no ${name} among ${namesOf(view).join()}`);
}

/** What Slack sends for a view, with changes by name. */
export function filledIn(view: ModalView, changes: Readonly<Record<string, ViewInputValue>> = {}) {
  const byId = Object.entries(changes).map(([name, value]) => [idOf(view, name), value] as const);
  return filledInById(view, Object.fromEntries(byId));
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
