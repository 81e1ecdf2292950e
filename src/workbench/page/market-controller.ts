/** The marketplace's data and controls for the page. */
import { type Clock, MINUTE } from '../../clock.ts';
import type { SimulatedProposal } from '../marketplace/records.ts';
import type { SimulatedMarketplace } from '../marketplace/simulated-marketplace.ts';
import { MarketFaultManager } from './market-faults.ts';
import type { MarketAction, PageActionResult, ShownMarket } from './protocol.ts';

/** Events that the page can trigger in the marketplace. Each returns whether it happened. */
export interface MarketEventTriggers {
  /** Makes the marketplace lively for a minute. */
  hurry(): boolean;
  publish(): boolean;
  /** `no-address`: nobody has opened the form that shows it. `refused`: the hint wasn't taken. */
  publishHinted(): Promise<'sent' | 'no-filter' | 'no-address' | 'refused'>;
  /** A project with hostile content. */
  publishStrange(): boolean;
  invite(): boolean;
  outcome(): boolean;
  /** Runs the jobs that wait for their time. */
  runJobs(): boolean;
}

/** The page shows only the newest items of each list. */
const SHOWN = 50;

function newest<T>(list: readonly T[]): readonly T[] {
  return list.slice(-SHOWN).toReversed();
}

function stateOf(it: SimulatedProposal): string {
  if (it.isWithdrawn) return 'withdrawn';
  if (it.isHired) return 'hired';
  if (it.isInterviewed) return 'interviewed';
  if (it.isViewed) return 'viewed';
  return it.boostOutbid ? 'boost outbid' : 'sent';
}

const NOTHING = {
  hurry: 'Nothing happens on its own here.',
  publish: "There's no filter that can find a project.",
  invite: "There's no profile to invite.",
  outcome: 'No proposal is waiting for an update.',
  'run-jobs': 'No job is waiting to run.',
} as const;

const HINT_PROBLEMS = {
  'no-filter': NOTHING.publish,
  'no-address': 'First, type /gig settings and press Hints: the marketplace takes the address from there.',
  refused: "Project published, but Gigdesk didn't take the hint. Open Hints in /gig settings again.",
} as const;

function answerOf(happened: boolean, otherwise: string): PageActionResult {
  return happened ? { ok: true } : { ok: false, problem: otherwise };
}

export class MarketController {
  readonly #marketplace: SimulatedMarketplace;
  readonly #clock: Clock;
  readonly #life: MarketEventTriggers;
  readonly #pass: (ms: number) => Promise<void>;
  readonly #troubles: MarketFaultManager;
  #isPassing = false;

  /** `pass` lets this many ms pass and resolves afterwards. */
  constructor(
    marketplace: SimulatedMarketplace,
    clock: Clock,
    life: MarketEventTriggers,
    pass: (ms: number) => Promise<void>,
  ) {
    this.#marketplace = marketplace;
    this.#clock = clock;
    this.#life = life;
    this.#pass = pass;
    this.#troubles = new MarketFaultManager(marketplace);
  }

  readMarket(): Omit<ShownMarket, 'guide'> {
    const market = this.#marketplace;
    const now = this.#clock.now();
    const requests = market.requests();
    const names = new Map(market.filters().map(({ id, name }) => [id, name]));
    const titles = new Map(market.projects().map(({ id, title }) => [id, title]));
    const used = requests.filter(({ at, status }) => at > now - MINUTE && status !== 429).length;
    return {
      now,
      credits: { remaining: market.creditsRemaining(), resetsAt: market.creditsResetAt() },
      requests: { used, limit: market.requestsPerMinute() },
      seen: newest(requests).map(({ at, method, path, status, lost }) => ({
        at,
        method,
        path,
        ...(status === undefined ? {} : { status }),
        ...(lost ? { lost } : {}),
      })),
      projects: newest(market.projects().toSorted((a, b) => a.publishedAt - b.publishedAt)).map(
        ({ id, title, publishedAt, filterIds }) => ({
          id,
          title,
          publishedAt,
          filters: filterIds.map((filter) => names.get(filter) ?? `filter ${filter}`),
        }),
      ),
      jobs: newest(market.jobs()).map(({ id, projectId, status }) => ({
        id,
        title: titles.get(projectId) ?? `project ${projectId}`,
        status,
      })),
      proposals: newest(market.proposals().toSorted((a, b) => a.submittedAt - b.submittedAt)).map(
        (proposal) => ({ id: proposal.id, title: proposal.jobTitle, state: stateOf(proposal) }),
      ),
      templates: newest(market.templates()).map(({ id, name }) => ({ id, name: name ?? `template ${id}` })),
      faults: this.#troubles.describePendingFaults(),
    };
  }

  async performMarketAction(given: MarketAction): Promise<PageActionResult> {
    switch (given.kind) {
      case 'fault':
        if (given.what === 'off') this.#troubles.cancelAllFaults();
        else this.#troubles.addFault(given.what);
        return { ok: true };
      case 'credits':
        this.#marketplace.setCredits(given.remaining);
        return { ok: true };
      case 'refill':
        this.#marketplace.setCredits(this.#marketplace.creditsPerPeriod());
        return { ok: true };
      case 'hurry':
        return answerOf(this.#life.hurry(), NOTHING.hurry);
      case 'publish':
        return answerOf(this.#life.publish(), NOTHING.publish);
      case 'publish-hinted':
        return this.#publishHinted();
      case 'publish-strange':
        return answerOf(this.#life.publishStrange(), NOTHING.publish);
      case 'invite':
        return answerOf(this.#life.invite(), NOTHING.invite);
      case 'outcome':
        return answerOf(this.#life.outcome(), NOTHING.outcome);
      case 'run-jobs':
        return answerOf(this.#life.runJobs(), NOTHING['run-jobs']);
      case 'pass':
        return this.#passMinutes(given.minutes);
    }
  }

  async #publishHinted(): Promise<PageActionResult> {
    const outcome = await this.#life.publishHinted();
    return outcome === 'sent' ? { ok: true } : { ok: false, problem: HINT_PROBLEMS[outcome] };
  }

  async #passMinutes(minutes: number): Promise<PageActionResult> {
    if (this.#isPassing)
      return { ok: false, problem: 'An hour is already being skipped. Wait until it ends.' };
    this.#isPassing = true;
    try {
      await this.#pass(minutes * MINUTE);
      return { ok: true };
    } finally {
      this.#isPassing = false;
    }
  }
}
