/** Puts the template service together. */
import type { RandomSource } from '../clock.ts';
import type { TemplateId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import {
  createTemplateDraft,
  discardTemplateDraft,
  listTemplateDrafts,
  readTemplateDraft,
  saveTemplateDraft,
} from './drafts.ts';
import { SenderCache } from './sender-cache.ts';
import { type TemplateSubmissionParts, TemplateSubmissions } from './submissions.ts';
import type { TemplateDrafts, TemplateFetchResult, TemplateService } from './template-service.ts';

export interface TemplateServiceContext extends TemplateSubmissionParts {
  readonly random: RandomSource;
}

export function createTemplateService(context: TemplateServiceContext): TemplateService {
  const submissions = new TemplateSubmissions(context);
  const senders = new SenderCache(context);
  return {
    drafts: createDrafts(context, submissions),
    recoverUnansweredClaims: () => submissions.recoverUnansweredClaims(),
    submitDraft: (order) => submissions.submitDraft(order),
    fetchSenders: () => senders.getSenders(),
    fetchTemplate: (id) => readTemplate(context, id),
  };
}

function createDrafts(
  { team, store, clock, random }: TemplateServiceContext,
  submissions: TemplateSubmissions,
): TemplateDrafts {
  return {
    create: ({ user, from }) =>
      store.transact((tx) => createTemplateDraft(tx, { team, user }, from, { at: clock.now(), random })),
    async save(order) {
      await submissions.retryUnsavedResults();
      return store.transact((tx) => saveTemplateDraft(tx, team, order, clock.now()));
    },
    async read(name) {
      await submissions.retryUnsavedResults();
      const draft = await store.read((tx) => readTemplateDraft(tx, team, name));
      return draft && submissions.applyUnsavedResult(draft);
    },
    async list(user) {
      await submissions.retryUnsavedResults();
      const drafts = await store.read((tx) => listTemplateDrafts(tx, { team, user }, clock.now()));
      return drafts
        .map((draft) => submissions.applyUnsavedResult(draft))
        .filter(({ state }) => state !== 'created');
    },
    async discard(name) {
      await submissions.retryUnsavedResults();
      return store.transact((tx) => discardTemplateDraft(tx, team, name));
    },
  };
}

async function readTemplate(
  { marketplace }: TemplateServiceContext,
  id: TemplateId,
): Promise<TemplateFetchResult> {
  try {
    return { kind: 'found', template: await marketplace.fetchProposalTemplate(id, { lane: 'person' }) };
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    return { kind: 'failed', why: thrown };
  }
}
