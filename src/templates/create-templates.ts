/** Building proposal templates, put together. */
import type { Random } from '../clock.ts';
import type { TemplateId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { discardDraft, listDrafts, readDraft, saveDraft, startDraft } from './drafts.ts';
import { RememberedSenders } from './remembered-senders.ts';
import { type SubmissionParts, Submissions } from './submissions.ts';
import type { TemplateAnswer, TemplateDrafts, Templates } from './templates.ts';

export interface TemplatesContext extends SubmissionParts {
  readonly random: Random;
}

export function createTemplates(context: TemplatesContext): Templates {
  const submissions = new Submissions(context);
  const senders = new RememberedSenders(context);
  return {
    drafts: createDrafts(context, submissions),
    recover: () => submissions.recover(),
    submit: (order) => submissions.submit(order),
    senders: () => senders.get(),
    read: (id) => readTemplate(context, id),
  };
}

function createDrafts(
  { team, store, clock, random }: TemplatesContext,
  submissions: Submissions,
): TemplateDrafts {
  return {
    create: ({ user, from }) =>
      store.transact((tx) => startDraft(tx, { team, user }, from, { at: clock.now(), random })),
    async save(order) {
      await submissions.catchUp();
      return store.transact((tx) => saveDraft(tx, team, order, clock.now()));
    },
    async read(name) {
      await submissions.catchUp();
      const draft = await store.read((tx) => readDraft(tx, team, name));
      return draft && submissions.latest(draft);
    },
    async list(user) {
      await submissions.catchUp();
      const drafts = await store.read((tx) => listDrafts(tx, { team, user }, clock.now()));
      return drafts.map((draft) => submissions.latest(draft)).filter(({ state }) => state !== 'created');
    },
    async discard(name) {
      await submissions.catchUp();
      return store.transact((tx) => discardDraft(tx, team, name));
    },
  };
}

async function readTemplate({ marketplace }: TemplatesContext, id: TemplateId): Promise<TemplateAnswer> {
  try {
    return { kind: 'found', template: await marketplace.template(id, { lane: 'person' }) };
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    return { kind: 'failed', why: thrown };
  }
}
