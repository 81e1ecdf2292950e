/** Buys projects for a person: one in full, or those of a monitoring result. */
import { recordProjectAlias } from '../aliases/project-aliases.ts';
import { MINUTE, SECOND } from '../clock.ts';
import { MIN_PROJECTS_PAGE_SIZE } from '../credits/credits.ts';
import type { FilterId, MonitoringResultId, UserId } from '../ids.ts';
import type { ProjectReference } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { projectReferenceId } from '../marketplace/project-key.ts';
import type { ListedProject, LookedUpProject, Paging } from '../marketplace/schema.ts';
import { cacheListings, cacheLookup, findCachedLookup, NotFoundCache } from './lookup-cache.ts';
import {
  type Buyer,
  type LookupLane,
  makePurchase,
  type ProjectsContext,
  type PurchaseCost,
  type PurchaseFailure,
} from './make-purchase.ts';

export type { PurchaseCost, PurchaseFailure } from './make-purchase.ts';

export type ResultProjectsOutcome =
  | ({
      readonly kind: 'found';
      readonly projects: readonly ListedProject[];
      readonly unreadable: number;
      readonly paging: Paging;
    } & PurchaseCost)
  | PurchaseFailure;

const RESULTS_PAGE = 10;
export type ProjectService = ReturnType<typeof createProjectService>;

export function createProjectService(context: ProjectsContext) {
  return {
    lookUp: createProjectLookup(context),
    listFilterResults: readResults.bind(null, context),
    buyResultProjects: buyResultProjects.bind(null, context),
  };
}

/** Monitoring results of a filter; free. */
async function readResults({ marketplace }: ProjectsContext, filter: FilterId, page: number) {
  try {
    const asked = { page, limit: RESULTS_PAGE };
    const found = await marketplace.fetchFilterResults(filter, asked, { lane: 'person' });
    return { kind: 'found', page: found } as const;
  } catch (error) {
    if (error instanceof MarketplaceError) return { kind: 'failed', error } as const;
    throw error;
  }
}

/** A page of a result's projects. Reserves a whole page (10) of the channel's budget, pays for new ones. */
async function buyResultProjects(
  context: ProjectsContext,
  buyer: Buyer,
  result: MonitoringResultId,
  page: number,
): Promise<ResultProjectsOutcome> {
  const { clock, marketplace } = context;
  const buyPage = () => {
    // Pages for people are small and all of one size, so page 2 follows page 1.
    const amount = marketplace.fixedPageSize({ result }) ?? MIN_PROJECTS_PAGE_SIZE;
    return makePurchase(context, {
      buyer,
      lane: 'person',
      purchase: { endpoint: 'result-projects', subject: String(result) },
      amount,
      callMarketplace: () =>
        marketplace.fetchResultProjects(result, { page, limit: amount }, { lane: 'person' }),
      recordPurchase: (tx, answer) => cacheListings(tx, answer.projects, clock.now()),
    });
  };
  const first = await buyPage();
  const isTooNarrow = first.kind === 'failed' && first.error.details.limitRefused === true;
  const bought = isTooNarrow ? await buyPage() : first;
  if (bought.kind !== 'bought') return bought;
  const { projects, unreadable, paging } = bought.answer;
  return { kind: 'found', projects, unreadable, paging, ...bought.cost };
}

export type LookupOutcome =
  | ({ readonly kind: 'found'; readonly project: LookedUpProject } & PurchaseCost)
  | PurchaseFailure;

/** Looks up one project: from the store, by joining a lookup in progress, or with a request. */
function createProjectLookup(context: ProjectsContext) {
  const { store, clock, gate } = context;
  const inProgress = {
    person: new Map<string, Promise<LookupOutcome>>(),
    unfurl: new Map<string, Promise<LookupOutcome>>(),
  };
  const unknown = new NotFoundCache(clock);
  const pace = new LookupRateLimiter();

  /** A person never joins a preview's lookup, which may be dropped. A preview may join a person's lookup. */
  function findInProgress(reference: string, lane: LookupLane): Promise<LookupOutcome> | undefined {
    return (
      inProgress.person.get(reference) ?? (lane === 'unfurl' ? inProgress.unfurl.get(reference) : undefined)
    );
  }

  function send(buyer: Buyer, project: ProjectReference, lane: LookupLane) {
    const reference = projectReferenceId(project);
    const { limitPerMinute } = gate.status();
    const turn =
      lane === 'person' ? pace.tryStartLookup(buyer.user, limitPerMinute, clock.monotonicNow()) : undefined;
    if (turn?.kind === 'wait') return tooMany(turn.retryAfterMs);
    let wasSent = false;
    const flight = fetchProject(context, buyer, project, lane, () => (wasSent = true))
      .then((outcome) => {
        if (outcome.kind === 'failed' && outcome.error.code === 'not-found') unknown.add(reference);
        return outcome;
      })
      .finally(() => {
        turn?.end(wasSent);
        inProgress[lane].delete(reference);
      });
    inProgress[lane].set(reference, flight);
    return flight;
  }

  /**
   * Looks up one project in full, for at most one credit of the channel's budget. A lookup from the last 15
   * minutes comes from the store without a request, and simultaneous lookups of one project share a request.
   * An unknown project isn't requested again for 3 minutes. A person with too many lookups at once learns
   * when to continue (`gate-timeout`).
   */
  async function lookUp(
    buyer: Buyer,
    project: ProjectReference,
    lane: LookupLane = 'person',
  ): Promise<LookupOutcome> {
    const reference = projectReferenceId(project);
    const known = await store.read((tx) => findCachedLookup(tx, reference, clock.now()));
    if (known) return { kind: 'found', project: known, charged: 0 };
    for (let flight = findInProgress(reference, lane); flight; flight = findInProgress(reference, lane)) {
      const outcome = await flight;
      if (outcome.kind === 'found') return { kind: 'found', project: outcome.project, charged: 0 };
      // Another channel's missing budget says nothing about this one.
      if (outcome.kind !== 'no-budget') return outcome;
    }
    const askedAt = unknown.notFoundAt(reference);
    return askedAt === undefined ? send(buyer, project, lane) : notFoundSince(askedAt);
  }

  return lookUp;
}

function notFoundSince(askedAt: number): LookupOutcome {
  const message = "The marketplace didn't find this project a moment ago";
  return { kind: 'failed', error: new MarketplaceError('not-found', 'none', message), askedAt };
}

function tooMany(retryAfterMs: number): LookupOutcome {
  const message = 'Too many lookups by this person';
  return { kind: 'failed', error: new MarketplaceError('gate-timeout', 'none', message, { retryAfterMs }) };
}

async function fetchProject(
  context: ProjectsContext,
  buyer: Buyer,
  project: ProjectReference,
  lane: LookupLane,
  onSend: () => void,
): Promise<LookupOutcome> {
  const { clock, marketplace } = context;
  const reference = projectReferenceId(project);
  const bought = await makePurchase(context, {
    buyer,
    lane,
    purchase: { endpoint: 'lookup', subject: reference },
    amount: 1,
    callMarketplace: () => {
      onSend();
      return marketplace.lookUpProject(project, { lane });
    },
    recordPurchase: async (tx, answer) => {
      const { key } = answer.project;
      await cacheLookup(tx, reference, answer.project, clock.now());
      if (!('uid' in project)) return;
      const isNew = await recordProjectAlias(tx, { uid: project.uid, ciphertext: key }, clock.now());
      if (isNew) await context.onLinked?.(tx, key);
    },
  });
  if (bought.kind !== 'bought') return bought;
  return { kind: 'found', project: bought.answer.project, ...bought.cost };
}

const MOST_AT_ONCE = 2;
/** A lookup takes about a second: with two in progress, a retry makes sense after this time. */
const RETRY_MS = 5 * SECOND;

interface Begun {
  readonly at: number;
  isOver: boolean;
}

export class LookupRateLimiter {
  /** Within the last minute or in progress, oldest first. */
  readonly #begun = new Map<UserId, Begun[]>();

  tryStartLookup(user: UserId, limitPerMinute: number, now: number) {
    this.#drop(({ at, isOver }) => isOver && at <= now - MINUTE);
    const own = this.#begun.get(user) ?? [];
    // One person's lookups take at most half of the marketplace's limit per minute.
    const most = Math.max(MOST_AT_ONCE, Math.floor(limitPerMinute / 2));
    const oldest = own.length < most ? undefined : own.at(-most);
    if (oldest) return { kind: 'wait', retryAfterMs: Math.max(oldest.at + MINUTE - now, RETRY_MS) } as const;
    if (own.filter(({ isOver }) => !isOver).length >= MOST_AT_ONCE)
      return { kind: 'wait', retryAfterMs: RETRY_MS } as const;
    const begun: Begun = { at: now, isOver: false };
    this.#begun.set(user, [...own, begun]);
    return {
      kind: 'go',
      /** Call it once; a lookup that was never sent doesn't count. */
      end: (wasSent: boolean) => {
        begun.isOver = true;
        if (!wasSent) this.#drop((each) => each === begun);
      },
    } as const;
  }

  #drop(isGone: (begun: Begun) => boolean): void {
    for (const [user, all] of this.#begun) {
      const left = all.filter((each) => !isGone(each));
      if (left.length > 0) this.#begun.set(user, left);
      else this.#begun.delete(user);
    }
  }
}
