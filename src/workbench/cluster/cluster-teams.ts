/** The cluster sandbox's workspaces: a simulated Slack and a simulated marketplace account each. */
import { type Clock, type RandomSource, SECOND } from '../../clock.ts';
import type { SimulatedMarketplace } from '../marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../marketplace/start-marketplace.ts';
import type { SimulatedSlack, SlackMessage } from '../slack/simulated-slack.ts';
import { startSimulatedSlack } from '../slack/start-slack.ts';

const CHANNEL = 'new-projects';
const ADMIN = 'ada';
const FILTER = { id: 101, name: 'React work' };
/** So that a card comes seconds after its project. */
export const REQUESTS_PER_MINUTE = 300;
const MOST_TRIES = 6;
const READ_WITHIN_MS = 5 * SECOND;

export class ClusterTeam {
  readonly id: string;
  readonly name: string;
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  published = 0;
  readonly #clock: Clock;

  private constructor(slack: SimulatedSlack, marketplace: SimulatedMarketplace, clock: Clock) {
    this.#clock = clock;
    this.id = slack.team.id;
    this.name = slack.team.name;
    this.slack = slack;
    this.marketplace = marketplace;
  }

  static async start(
    { id, name }: { readonly id: string; readonly name: string },
    parts: { readonly clock: Clock; readonly random: RandomSource },
  ): Promise<ClusterTeam> {
    const slack = await startSimulatedSlack({
      ...parts,
      team: { id, name, domain: name.toLowerCase() },
      botToken: `xoxb-of-${id}`,
    });
    slack.addUser({ name: ADMIN, admin: true });
    slack.addChannel({ name: CHANNEL });
    const marketplace = await startSimulatedMarketplace({
      ...parts,
      token: `marketplace-token-of-${id}`,
      requestsPerMinute: REQUESTS_PER_MINUTE,
    });
    marketplace.addFilter(FILTER);
    return new ClusterTeam(slack, marketplace, parts.clock);
  }

  /** Newest first. */
  get cards(): readonly SlackMessage[] {
    const isCard = ({ metadata }: SlackMessage) => {
      const post = metadata?.event_payload['post'];
      return typeof post === 'string' && post.startsWith('card:');
    };
    return this.slack.messages(CHANNEL).filter(isCard).toReversed();
  }

  publish(): void {
    this.published += 1;
    this.marketplace.publishProject(FILTER.id);
  }

  /** Installs the app as a person does in a browser. @param gigdesk its address */
  async install(gigdesk: string): Promise<void> {
    const start = await globalThis.fetch(`${gigdesk}/slack/install`, { redirect: 'manual' });
    const authorizeUrl = start.headers.get('location') ?? '';
    const back = new URL(this.slack.allowInstall({ authorizeUrl, user: ADMIN }));
    const done = await globalThis.fetch(`${gigdesk}${back.pathname}${back.search}`);
    if (done.status !== 200) throw new Error(`${this.name} couldn't install Gigdesk: ${done.status}`);
  }

  /** As a person does: again if Gigdesk didn't answer, for example while the workspace changes its owner. */
  async subscribe(): Promise<void> {
    const text = `subscribe filter ${FILTER.id}`;
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      await this.slack.runSlashCommand({ user: ADMIN, channel: CHANNEL, text });
      const until = this.#clock.monotonicNow() + READ_WITHIN_MS;
      while (!this.#isFilterRead() && this.#clock.monotonicNow() < until)
        await this.#clock.sleep(SECOND / 20);
      if (this.#isFilterRead()) return;
    }
    throw new Error(`${this.name} couldn't subscribe to its filter`);
  }

  #isFilterRead(): boolean {
    return this.marketplace.requests().some(({ path }) => path === `/filters/${FILTER.id}/projects`);
  }

  async close(): Promise<void> {
    await Promise.all([this.slack.close(), this.marketplace.close()]);
  }
}
