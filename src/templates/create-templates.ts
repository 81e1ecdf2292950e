/** Puts the template service together. */
import { type Instant, MINUTE, type RandomSource } from '../clock.ts';
import type { TemplateId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import {
  createTemplateDraft,
  discardTemplateDraft,
  listTemplateDrafts,
  readTemplateDraft,
  saveTemplateDraft,
} from './drafts.ts';
import { type TemplateSubmissionParts, TemplateSubmissions } from './submissions.ts';
import type { SendersResult, TemplateDrafts, TemplateFetchResult, TemplateService } from './templates.ts';

const KEPT_MS = 5 * MINUTE;
/** Only the path's name is documented, so it may fail permanently: failures are cached, too, but briefly. */
const FAILURE_KEPT_MS = MINUTE;

type Parts = Pick<TemplateSubmissionParts, 'marketplace' | 'clock' | 'log'>;

/** Caches the list of senders for a while, so that no modal step waits for it twice. */
class SenderCache {
  readonly #parts: Parts;
  #last: { readonly answer: SendersResult; readonly until: Instant } | undefined;
  #inFlight: Promise<SendersResult> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The cached list, or one shared request. After a failure an older list still serves. */
  getSenders(): Promise<SendersResult> {
    const now = this.#parts.clock.now();
    if (this.#last && now < this.#last.until) return Promise.resolve(this.#last.answer);
    this.#inFlight ??= this.#ask().finally(() => {
      this.#inFlight = undefined;
    });
    return this.#inFlight;
  }

  async #ask(): Promise<SendersResult> {
    const { marketplace, clock, log } = this.#parts;
    try {
      const senders = await marketplace.fetchProposalSenders({ lane: 'person' });
      return this.#remember({ kind: 'known', senders, readAt: clock.now() }, KEPT_MS);
    } catch (thrown) {
      if (!(thrown instanceof MarketplaceError)) throw thrown;
      log.info("Couldn't read proposal senders", { error: thrown });
      const older = this.#last?.answer;
      const answer: SendersResult = older?.kind === 'known' ? older : { kind: 'unavailable', why: thrown };
      return this.#remember(answer, FAILURE_KEPT_MS);
    }
  }

  #remember(answer: SendersResult, keptMs: number): SendersResult {
    this.#last = { answer, until: this.#parts.clock.now() + keptMs };
    return answer;
  }
}

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
