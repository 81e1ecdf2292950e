/** A desk with the real templates behind the builder, beside a scripted marketplace. */
import type { ModalView } from '@slack/types';
import { OrganizationId, type UserId } from '../../../src/ids.ts';
import type { MarketplaceClient, ProposalSender } from '../../../src/marketplace/client.ts';
import type { ProposalTemplateInput } from '../../../src/marketplace/schema.ts';
import type { PressedView, Services, ViewInputValue } from '../../../src/slack/core/routes.ts';
import { templateActions, templateViews } from '../../../src/slack/templates/template-builder-actions.ts';
import { openTemplateBuilder } from '../../../src/slack/templates/template-drafts.ts';
import type { TemplateForm, TemplateStep } from '../../../src/templates/form.ts';
import type { TemplateDraft } from '../../../src/templates/records.ts';
import { createTemplateService } from '../../../src/templates/templates.ts';
import { fakeMarketplace } from '../../fake-marketplace.ts';
import { plainTemplate } from '../../plain-template.ts';
import { seededRandom } from '../../seeded-random.ts';
import { SMALLEST } from '../../templates/forms.ts';
import { startDesk } from '../fakes.ts';
import { viewWords } from '../kit/harmless-view.ts';
import { BEN, CHANNEL, TEAM } from '../samples.ts';
import { expectAccepted, filledIn } from './template-screen.ts';

export const STUDIO: ProposalSender = {
  organizationId: OrganizationId.parse(7),
  name: 'Studio',
  type: 'agency',
  contractors: [{ uid: 'c-1', name: 'Ana' }],
};
export const SOLO: ProposalSender = {
  organizationId: OrganizationId.parse(8),
  name: 'Ben alone',
  type: 'freelancer',
  contractors: [],
};

export function startBuilderDesk() {
  const desk = startDesk();
  const { store, log } = desk.services;
  const state = {
    senders: (async () => [STUDIO, SOLO]) as () => Promise<readonly ProposalSender[]>,
    created: [] as ProposalTemplateInput[],
    create: (async ({ name }) =>
      plainTemplate(12, {
        name,
        sender: { name: 'Ben alone', type: 'freelancer' },
        hourlyRate: { mode: 'fixed', rate: 3 },
      })) as (input: ProposalTemplateInput) => ReturnType<MarketplaceClient['createProposalTemplate']>,
  };
  const { marketplace } = fakeMarketplace({
    fetchProposalSenders: () => state.senders(),
    createProposalTemplate: (input) => {
      state.created.push(input);
      return state.create(input);
    },
  });
  const { clock } = desk.services;
  const random = seededRandom(5);
  const templates = createTemplateService({ team: TEAM, store, marketplace, clock, random, log });
  const services: Services = { ...desk.services, templates };

  /** The last view of a window. */
  function windowOf(id = desk.views.at(-1)?.id): ModalView {
    const shown = desk.views.findLast((each) => each.id === id);
    if (!shown) throw new Error('no modal is open');
    expectAccepted(shown.view);
    return shown.view;
  }

  /** Pushed views go onto the builder opened last. */
  function rootOf(id: string): string {
    const isPushed = desk.views.some((each) => each.id === id && each.how === 'push');
    return isPushed ? (desk.views.findLast(({ how }) => how === 'open')?.id ?? id) : id;
  }

  function pressed(id: string, changes: Readonly<Record<string, ViewInputValue>>): PressedView {
    const view = windowOf(id);
    return {
      id,
      rootId: rootOf(id),
      hash: 'hash',
      callbackId: view.callback_id ?? '',
      privateMetadata: view.private_metadata ?? '',
      values: filledIn(view, changes),
    };
  }

  const lastId = (): string => desk.views.at(-1)?.id ?? '';

  function routeOf(view: PressedView) {
    const found = templateViews.find((each) => each.id === view.callbackId);
    if (!found) throw new Error(`no view ${view.callbackId}`);
    return found;
  }

  async function save(draft: TemplateDraft, change: (form: TemplateForm) => TemplateForm, user = BEN) {
    const saved = await templates.drafts.save({ user, draft: draft.id, change });
    if (saved.kind !== 'saved') throw new Error(saved.kind);
    return saved.draft;
  }

  return {
    desk,
    state,
    services,
    templates,
    windowOf,
    lastId,
    told: () => desk.take().map(({ message }) => message),
    pressed,
    words: (id?: string) => viewWords(windowOf(id)),
    save,
    /** A draft, opened at a step. */
    async open(form: TemplateForm = SMALLEST, step?: TemplateStep): Promise<TemplateDraft> {
      const started = await templates.drafts.create({ user: BEN });
      if (started.kind !== 'created') throw new Error(started.kind);
      const draft = await save(started.draft, () => form);
      await openTemplateBuilder({ ...desk.press('', undefined, BEN, 'bidder'), services }, draft, step);
      return draft;
    },
    /** Presses in a window, with the input so far. */
    async press(
      id: string,
      value: string,
      changes: Readonly<Record<string, ViewInputValue>> = {},
      { on = lastId(), by = BEN }: { on?: string; by?: UserId } = {},
    ) {
      const route = templateActions.find((each) => each.id === id);
      if (!route) throw new Error(`no action ${id}`);
      const view = pressed(on, changes);
      const channel = (await route.findChannel?.({ user: by, view, services, value })) ?? CHANNEL;
      await route.run({ ...desk.press(value, undefined, by, 'bidder'), channel, services, view });
    },
    /** Submits and applies the acknowledgement. Returns the work behind it. */
    async submit(
      changes: Readonly<Record<string, ViewInputValue>> = {},
      {
        on = lastId(),
        by = BEN,
        view = pressed(on, changes),
      }: { on?: string; by?: UserId; view?: PressedView } = {},
    ) {
      const answer = await routeOf(view).submit({ user: by, view, services });
      if (answer.kind === 'update') desk.views.push({ how: 'update', id: on, view: answer.view });
      const behind = async () => {
        const call = { ...desk.press('', undefined, by, 'bidder'), services, view };
        await answer.after?.({ ...call, channel: answer.channel ?? CHANNEL });
      };
      return { answer, behind };
    },
    async close(values: PressedView['values'], on = lastId()) {
      const view = { ...pressed(on, {}), values };
      await routeOf(view).closed?.({ user: BEN, view, services });
    },
    draft: async ({ id }: TemplateDraft, user = BEN): Promise<TemplateDraft> => {
      const draft = await templates.drafts.read({ user, draft: id });
      if (!draft) throw new Error('the draft is gone');
      return draft;
    },
  };
}

export type BuilderDesk = ReturnType<typeof startBuilderDesk>;
