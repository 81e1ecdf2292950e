/** A desk for building templates, beside a scripted marketplace. */
import type { Role } from '../../../src/access/access.ts';
import { silentLog } from '../../../src/log.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import type { ProposalTemplate } from '../../../src/marketplace/schema.ts';
import type { ActionRoute, PressedView, Services } from '../../../src/slack/core/routes.ts';
import { templateCommand as command } from '../../../src/slack/templates/template-command.ts';
import type { TemplateForm } from '../../../src/templates/form.ts';
import { createTemplateService } from '../../../src/templates/templates.ts';
import { fakeMarketplace } from '../../fake-marketplace.ts';
import { seededRandom } from '../../seeded-random.ts';
import { startDesk } from '../fakes.ts';
import { expectHarmlessView, viewWords } from '../kit/harmless-view.ts';
import { ANA, TEAM } from '../samples.ts';

export function startTemplateDesk() {
  const desk = startDesk();
  const state = {
    template: undefined as ProposalTemplate | undefined,
    /** Thrown in place of the template. */
    failure: new MarketplaceError('not-found', 'none', 'no such template') as Error,
    /** The marketplace's result for a sent template. */
    created: undefined as ProposalTemplate | undefined,
    /** Runs while the template is being read. */
    meanwhile: undefined as (() => Promise<void> | void) | undefined,
  };
  const { marketplace, calls } = fakeMarketplace({
    async fetchProposalTemplate() {
      await state.meanwhile?.();
      if (state.template) return state.template;
      throw state.failure;
    },
    async createProposalTemplate() {
      if (state.created) return state.created;
      throw new MarketplaceError('server', 'unknown', 'no template to answer with');
    },
    fetchProposalSenders: async () => [],
  });
  const templates = createTemplateService({
    team: TEAM,
    store: desk.services.store,
    marketplace,
    clock: desk.services.clock,
    random: seededRandom(3),
    log: silentLog,
  });
  const services: Services = { ...desk.services, templates };

  /** New views since the last call, in order. */
  function takeViews() {
    return desk.views.splice(0).map((shown) => {
      expectHarmlessView(shown.view);
      return { ...shown, words: viewWords(shown.view) };
    });
  }

  return {
    state,
    slack: desk.state,
    services,
    templates,
    calls,
    take: desk.take,
    takeViews,
    async type(args: string, user = ANA, role: Role = 'bidder') {
      await command.run({ ...desk.command(args, user, role), services });
      return desk.take();
    },
    async press(route: ActionRoute | undefined, value: string, user = ANA, view?: PressedView) {
      if (!route) throw new Error('no such action');
      const pressed = desk.press(value, undefined, user, 'bidder');
      await route.run({ ...pressed, services, ...(view ? { view } : {}) });
      return desk.take();
    },
    /** An unfinished draft. */
    async draft(change: (form: TemplateForm) => TemplateForm = (form) => form, user = ANA) {
      const start = await templates.drafts.create({ user });
      if (start.kind !== 'created') throw new Error(start.kind);
      const saved = await templates.drafts.save({ user, draft: start.draft.id, change });
      if (saved.kind !== 'saved') throw new Error(saved.kind);
      return saved.draft;
    },
    drafts: (user = ANA) => templates.drafts.list(user),
  };
}

export type TemplateDesk = ReturnType<typeof startTemplateDesk>;
