/** Building proposal templates: drafts, their submission, and what a draft may start from. */
import { type Instant, MINUTE, type RandomSource } from '../clock.ts';
import type { TemplateId } from '../ids.ts';
import type { ProposalSender } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { createTemplateDrafts } from './drafts.ts';
import { createTemplateSubmissions, type TemplateSubmissionParts } from './submissions.ts';

export {
  type CreatedTemplate,
  isCreationUncertain,
  isTemplateDraftLocked,
  MultiInputTextField,
  TEMPLATE_DRAFT_RETENTION_MS,
  type TemplateDraft,
  type TemplateOrigin,
  type TemplateRejection,
  type TextInputCounts,
} from './records.ts';

export type SendersResult =
  | { readonly kind: 'known'; readonly senders: readonly ProposalSender[]; readonly readAt: Instant }
  /** People can still type IDs. */
  | { readonly kind: 'unavailable'; readonly why: MarketplaceError };

const KEPT_MS = 5 * MINUTE;
/** Only the path's name is documented, so it may fail permanently: failures are cached, too, but briefly. */
const FAILURE_KEPT_MS = MINUTE;

/** Keeps the list of senders for a while, so that no modal step waits for it twice. */
function createSenderCache({ marketplace, clock, log }: TemplateSubmissionParts) {
  let last: { readonly answer: SendersResult; readonly until: Instant } | undefined;
  let inFlight: Promise<SendersResult> | undefined;

  function remember(answer: SendersResult, keptMs: number): SendersResult {
    last = { answer, until: clock.now() + keptMs };
    return answer;
  }

  async function ask(): Promise<SendersResult> {
    try {
      const senders = await marketplace.fetchProposalSenders({ lane: 'person' });
      return remember({ kind: 'known', senders, readAt: clock.now() }, KEPT_MS);
    } catch (thrown) {
      if (!(thrown instanceof MarketplaceError)) throw thrown;
      log.info("Couldn't read proposal senders", { error: thrown });
      const older = last?.answer;
      return remember(
        older?.kind === 'known' ? older : { kind: 'unavailable', why: thrown },
        FAILURE_KEPT_MS,
      );
    }
  }

  /** The cached list, or one shared request. After a failure an older list still serves. */
  return (): Promise<SendersResult> => {
    if (last && clock.now() < last.until) return Promise.resolve(last.answer);
    inFlight ??= ask().finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  };
}

type TemplateServiceContext = TemplateSubmissionParts & { readonly random: RandomSource };

export type TemplateService = ReturnType<typeof createTemplateService>;

/** Every call names a person. */
export function createTemplateService(context: TemplateServiceContext) {
  const submissions = createTemplateSubmissions(context);
  return {
    drafts: createTemplateDrafts(context, submissions),
    /** Marks a previous run's unanswered claims unknown. Call it at start, before any submission. */
    recoverUnansweredClaims: submissions.recoverUnansweredClaims,
    submitDraft: submissions.submitDraft,
    /** The possible senders, if readable; asked at most every five minutes, once for all waiting callers. */
    fetchSenders: createSenderCache(context),
    fetchTemplate: readTemplate.bind(null, context),
  };
}

/** A template to start from. Its path is documented by name only. */
async function readTemplate({ marketplace }: TemplateServiceContext, id: TemplateId) {
  try {
    const template = await marketplace.fetchProposalTemplate(id, { lane: 'person' });
    return { kind: 'found', template } as const;
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    return { kind: 'failed', why: thrown } as const;
  }
}
