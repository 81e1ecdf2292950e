/** A workspace of the replicas' soak: its own Slack and its own marketplace, full of its own marker. */
import { type Clock, machineClock, SECOND } from '../../../src/clock.ts';
import type { SimulatedMarketplace } from '../../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack, SlackMessage } from '../../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../../seeded-random.ts';

export const REQUESTS_PER_MINUTE = 30;
/** No budget and no account ends the play. */
export const ENOUGH_CREDITS = 1_000_000;
export const CHANNEL = 'web';
export const PEOPLE = ['ada', 'ben'] as const;
export type PersonName = (typeof PEOPLE)[number];

/** In names, IDs and tokens of a workspace, in any case: finds what one workspace shows of another. */
const MARKER = /wksp(\d{3})/giu;

/** The message's post, such as `card:C1:~021`; empty for an answer. */
export function postOf({ metadata }: SlackMessage): string {
  const post = metadata?.event_payload['post'];
  return typeof post === 'string' ? post : '';
}

export class Place {
  readonly number: number;
  readonly marker: string;
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  readonly filters: readonly [number, number];
  readonly setup: number;
  /** Projects. */
  readonly published: string[] = [];
  /** The letters of forms that were sent, one of its own for each. */
  readonly letters: string[] = [];
  /** What was shown where somebody pressed Approve: the button's value. */
  readonly approvals: string[] = [];
  /** Followed in the channel, as people know. */
  readonly followed = new Set<number>();

  private constructor(number: number, slack: SimulatedSlack, marketplace: SimulatedMarketplace) {
    this.number = number;
    this.marker = markerOf(number);
    this.slack = slack;
    this.marketplace = marketplace;
    this.filters = [number * 1_000 + 1, number * 1_000 + 2];
    this.setup = number * 1_000 + 7;
  }

  static async start(number: number, clock: Clock, seed: number): Promise<Place> {
    const marker = markerOf(number);
    const random = seededRandom(seed * 1_000 + number);
    const id = marker.toUpperCase();
    const [slack, marketplace] = await Promise.all([
      startSimulatedSlack({
        clock,
        peopleClock: machineClock,
        signingClock: clock,
        random,
        rateLimits: 'on',
        team: { id: `T${id}`, name: `Team ${marker}`, domain: marker },
        botToken: `xoxb-${marker}`,
      }),
      startSimulatedMarketplace({
        clock,
        random,
        token: `token-${marker}`,
        requestsPerMinute: REQUESTS_PER_MINUTE,
        creditsPerPeriod: ENOUGH_CREDITS,
      }),
    ]);
    for (const name of PEOPLE)
      slack.addUser({ id: `U${id}${name.toUpperCase()}`, name, admin: name === 'ada' });
    slack.addChannel({ id: `C${id}`, name: CHANNEL });
    const place = new Place(number, slack, marketplace);
    for (const filter of place.filters)
      marketplace.addFilter({ id: filter, name: `Filter ${filter} ${marker}` });
    marketplace.addSetup({
      id: place.setup,
      name: `Setup ${marker}`,
      filter: { id: place.filters[0], name: `Filter ${place.filters[0]} ${marker}` },
      status: 'active',
      dailyProposalsLimit: 1_000,
      proposalsSentToday: 0,
      reviewsJobs: number % 2 === 1,
    });
    return place;
  }

  publish(filters: readonly number[]): void {
    const title = `Project ${this.published.length + 1} ${this.marker}`;
    const project = this.marketplace.publishProject(filters, { title, usOnly: false, ukOnly: false });
    this.published.push(project.ciphertext);
  }

  cards(): readonly SlackMessage[] {
    return this.slack.messages(CHANNEL).filter((it) => postOf(it).startsWith('card:'));
  }

  /** Projects with a card. */
  carded(): readonly string[] {
    return this.cards().map((it) => postOf(it).split(':').slice(2).join(':'));
  }

  async close(): Promise<void> {
    await Promise.all([this.slack.close(), this.marketplace.close()]);
  }
}

function markerOf(number: number): string {
  return `wksp${String(number).padStart(3, '0')}`;
}

/** Markers of other workspaces than `own` in a text. */
export function foreignMarkers(text: string, own: string): readonly string[] {
  return [...new Set([...text.matchAll(MARKER)].map(([it]) => it.toLowerCase()))].filter((it) => it !== own);
}

/** A subscription begins at an exact second, and projects have dates in whole seconds. */
export const AFTER_SUBSCRIBING_MS = 2 * SECOND;
