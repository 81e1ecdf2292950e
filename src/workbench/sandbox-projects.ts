/** The sandbox's filters, and the projects that they find. */
import type { Clock, Instant, RandomSource } from '../clock.ts';
import {
  createPostingDeck,
  type LifelikeProject,
  makeLifelikeProject,
} from './lifelike/lifelike-projects.ts';
import { STRANGE_PROJECTS } from './lifelike/strange-projects.ts';
import { pickRandom } from './marketplace/random-draws.ts';
import type {
  ProjectSeed,
  ProjectWithFilterIds,
  SimulatedMarketplace,
} from './marketplace/simulated-marketplace.ts';

type Finds = (project: LifelikeProject) => boolean;

/** What the names of the filters promise. */
export const SANDBOX_FILTERS: readonly {
  readonly id: number;
  readonly name: string;
  readonly qualifier: boolean;
  readonly finds: Finds;
}[] = [
  {
    id: 101,
    name: 'Well-paid clients',
    qualifier: true,
    finds: ({ client, budget }) =>
      client.totalSpent >= 10_000 && (budget.fixedAmount >= 1_000 || budget.hourlyMax >= 40),
  },
  {
    id: 102,
    name: 'Long-term work',
    qualifier: false,
    finds: ({ durationLabel }) => ['3 to 6 months', 'More than 6 months'].includes(durationLabel),
  },
  {
    id: 103,
    name: 'Verified payment',
    qualifier: false,
    finds: ({ client }) => client.paymentMethodVerified,
  },
  { id: 104, name: 'Anything over $5k', qualifier: true, finds: ({ budget }) => budget.fixedAmount >= 5_000 },
];

/** So many postings are tried until a filter finds one. */
const TRIES = 40;

export class SandboxProjects {
  readonly #marketplace: SimulatedMarketplace;
  readonly #clock: Clock;
  readonly #random: RandomSource;
  readonly #draw: ReturnType<typeof createPostingDeck>;
  #strange = 0;

  constructor(marketplace: SimulatedMarketplace, clock: Clock, random: RandomSource) {
    this.#marketplace = marketplace;
    this.#clock = clock;
    this.#random = random;
    this.#draw = createPostingDeck(random);
  }

  /**
   * A lifelike project, in every filter that finds it. undefined: without filters, nothing is published.
   * @param wanted a project has to be like that, if one comes within some tries
   */
  publish({
    at = this.#clock.now(),
    wanted = () => true,
  }: {
    readonly at?: Instant;
    readonly wanted?: Finds;
  } = {}): ProjectWithFilterIds | undefined {
    let number = this.#marketplace.projects().length + 1;
    let [project, finders] = this.#make(number, at);
    for (let tries = 0; tries < TRIES && (finders.length === 0 || !wanted(project)); tries++)
      [project, finders] = this.#make(++number, at);
    return this.#publishFor(finders, project);
  }

  /** Content that nobody should send, but someone will: markup, long words, strange letters. */
  publishStrange(): ProjectWithFilterIds | undefined {
    const strange = STRANGE_PROJECTS[this.#strange++ % STRANGE_PROJECTS.length] ?? {};
    const [project] = this.#make(this.#marketplace.projects().length + 1, this.#clock.now());
    const all = this.#marketplace.filters().map(({ id }) => id);
    return this.#publishFor(all, { ...project, ...strange });
  }

  #make(number: number, at: Instant): [LifelikeProject, readonly number[]] {
    const project = makeLifelikeProject(this.#random, number, at, this.#draw());
    const names = SANDBOX_FILTERS.filter(({ finds }) => finds(project)).map(({ name }) => name);
    const finders = this.#marketplace.filters().filter(({ name }) => names.includes(name));
    return [project, finders.map(({ id }) => id)];
  }

  /** Another marketplace's filters find anything. */
  #publishFor(finders: readonly number[], project: ProjectSeed): ProjectWithFilterIds | undefined {
    const filters = this.#marketplace.filters();
    if (filters.length === 0) return undefined;
    const ids = finders.length > 0 ? finders : [pickRandom(this.#random, filters).id];
    return this.#marketplace.publishProject(ids, project);
  }
}
