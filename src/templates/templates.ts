/** Building proposal templates: drafts, their submission, and what a draft may start from. */
import { type Instant, MINUTE, type RandomSource } from '../clock.ts';
import type { TemplateId, UserId } from '../ids.ts';
import type { ProposalSender } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { ProposalTemplate } from '../marketplace/schema.ts';
import {
  createTemplateDraft,
  type DiscardDraftResult,
  discardTemplateDraft,
  listTemplateDrafts,
  readTemplateDraft,
  type SaveDraftRequest,
  type SaveDraftResult,
  saveTemplateDraft,
  type TemplateDraftReference,
} from './drafts.ts';
import type { TemplateDraft } from './records.ts';
import {
  type SubmitTemplateRequest,
  type TemplateSubmissionParts,
  TemplateSubmissions,
} from './submissions.ts';

export type { CreateDraftResult, SaveDraftRequest, SaveDraftResult } from './drafts.ts';
export {
  type CreatedTemplate,
  isCreationUncertain,
  MultiInputTextField,
  type TemplateDraft,
  type TemplateOrigin,
  type TemplateRejection,
  type TextInputCounts,
} from './records.ts';
export type { SubmitTemplateResult } from './submissions.ts';

export type SendersResult =
  | { readonly kind: 'known'; readonly senders: readonly ProposalSender[]; readonly readAt: Instant }
  /** People can still type IDs. */
  | { readonly kind: 'unavailable'; readonly why: MarketplaceError };

type TemplateFetchResult =
  | { readonly kind: 'found'; readonly template: ProposalTemplate }
  | { readonly kind: 'failed'; readonly why: MarketplaceError };

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

interface TemplateServiceContext extends TemplateSubmissionParts {
  readonly random: RandomSource;
}

export type TemplateService = ReturnType<typeof createTemplateService>;

/** Every call names a person. */
export function createTemplateService(context: TemplateServiceContext) {
  const submissions = new TemplateSubmissions(context);
  const senders = new SenderCache(context);
  return {
    drafts: createDrafts(context, submissions),
    /** Marks a previous run's unanswered claims unknown. Call it at start, before any submission. */
    recoverUnansweredClaims: () => submissions.recoverUnansweredClaims(),
    submitDraft: (order: SubmitTemplateRequest) => submissions.submitDraft(order),
    /** The possible senders, if readable; asked at most every five minutes, once for all waiting callers. */
    fetchSenders: () => senders.getSenders(),
    fetchTemplate: readTemplate.bind(null, context),
  };
}

function createDrafts(
  { team, store, clock, random }: TemplateServiceContext,
  submissions: TemplateSubmissions,
) {
  return {
    /** A new draft, empty or from an existing template. */
    create: ({ user, from }: { readonly user: UserId; readonly from?: ProposalTemplate }) =>
      store.transact((tx) => createTemplateDraft(tx, { team, user }, from, { at: clock.now(), random })),
    async save(order: SaveDraftRequest): Promise<SaveDraftResult> {
      await submissions.retryUnsavedResults();
      return store.transact((tx) => saveTemplateDraft(tx, team, order, clock.now()));
    },
    /** Also finds a created draft: its `template` is the result. */
    async read(name: TemplateDraftReference): Promise<TemplateDraft | undefined> {
      await submissions.retryUnsavedResults();
      const draft = await store.read((tx) => readTemplateDraft(tx, team, name));
      return draft && submissions.applyUnsavedResult(draft);
    },
    /** Unfinished drafts, the last changed first; at most 20. */
    async list(user: UserId): Promise<readonly TemplateDraft[]> {
      await submissions.retryUnsavedResults();
      const drafts = await store.read((tx) => listTemplateDrafts(tx, { team, user }, clock.now()));
      return drafts
        .map((draft) => submissions.applyUnsavedResult(draft))
        .filter(({ state }) => state !== 'created');
    },
    async discard(name: TemplateDraftReference): Promise<DiscardDraftResult> {
      await submissions.retryUnsavedResults();
      return store.transact((tx) => discardTemplateDraft(tx, team, name));
    },
  };
}

/** A template to start from. Its path is documented by name only. */
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
