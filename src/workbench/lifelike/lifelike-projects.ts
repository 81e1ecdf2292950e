/** Makes up projects whose text, skills, budget, level and client agree; titles rarely return. */
import type { Instant, RandomSource } from '../../clock.ts';
import {
  pickRandom,
  pickRandomSubset,
  randomBoolean,
  randomInteger,
  randomLogUniformAmount,
} from '../marketplace/random-draws.ts';
import type { SimulatedBudget, SimulatedClient, SimulatedProject } from '../marketplace/records.ts';
import type { ProjectSeed } from '../marketplace/simulated-marketplace.ts';
import type { NumberRange, ProjectBrief } from './brief.ts';
import { DATA_BRIEFS } from './briefs/data-briefs.ts';
import { DESIGN_BRIEFS } from './briefs/design-briefs.ts';
import { SHOP_AND_APP_BRIEFS } from './briefs/shop-briefs.ts';
import { WEB_BRIEFS } from './briefs/web-briefs.ts';
import { BUSINESSES, type Business } from './businesses.ts';
import { makeLifelikeClient, randomClientPast } from './lifelike-client.ts';
import { makeLifelikeHistory } from './lifelike-history.ts';
import { describeProject, fillInBusiness } from './lifelike-texts.ts';

/** Everything about a project except its ids. */
export type LifelikeProject = ProjectSeed &
  Required<Pick<SimulatedProject, 'title' | 'durationLabel'>> & {
    readonly budget: SimulatedBudget;
    readonly client: SimulatedClient;
  };

export const DEVELOPMENT_BRIEFS: readonly ProjectBrief[] = [
  ...WEB_BRIEFS,
  ...SHOP_AND_APP_BRIEFS,
  ...DATA_BRIEFS,
];

const ALL_BRIEFS: readonly ProjectBrief[] = [...DEVELOPMENT_BRIEFS, ...DESIGN_BRIEFS];

/** A title with the brief and the business that it belongs to. */
export interface Posting {
  readonly brief: ProjectBrief;
  readonly business: Business;
  readonly title: string;
}

function postingsOf(brief: ProjectBrief): Posting[] {
  const poster = BUSINESSES.filter(({ tags }) => tags.some((tag) => brief.tags.includes(tag)));
  const all = brief.titles.flatMap((title) =>
    poster.map((business) => ({ brief, business, title: fillInBusiness(title, business) })),
  );
  // A title that names no business comes once, not once for each business.
  return [...new Map(all.map((posting) => [posting.title, posting])).values()];
}

/** Every title that can come: several hundred. */
export function listPostings(briefs: readonly ProjectBrief[] = ALL_BRIEFS): readonly Posting[] {
  return briefs.flatMap(postingsOf);
}

/** So many postings in a row come from different businesses, as far as possible. */
const RECENT_BUSINESSES = 12;

/** Briefs change from one project to the next, and a title returns when all have been used. */
export function createPostingDeck(
  random: RandomSource,
  briefs: readonly ProjectBrief[] = ALL_BRIEFS,
): () => Posting {
  let decks: Posting[][] = [];
  let round: Posting[][] = [];
  let recent: readonly Business[] = [];
  return () => {
    if (round.length === 0) {
      decks = decks.filter((deck) => deck.length > 0);
      if (decks.length === 0) decks = briefs.map((brief) => shuffle(random, postingsOf(brief)));
      round = shuffle(random, decks);
    }
    const deck = round.pop() ?? [];
    const other = deck.findIndex(({ business }) => !recent.includes(business));
    const [posting = pickRandom(random, listPostings(briefs))] = deck.splice(Math.max(0, other), 1);
    recent = [posting.business, ...recent].slice(0, RECENT_BUSINESSES);
    return posting;
  };
}

function shuffle<T>(random: RandomSource, list: readonly T[]): T[] {
  return pickRandomSubset(random, list, list.length);
}

function roundedPrice(amount: number): number {
  const step = amount < 1_000 ? 50 : amount < 5_000 ? 100 : 500;
  return Math.max(50, Math.round(amount / step) * step);
}

export function randomBudget(random: RandomSource, { fixed, hourly }: ProjectBrief): SimulatedBudget {
  const isFixed = fixed !== undefined && (hourly === undefined || randomBoolean(random, 0.5));
  if (isFixed) {
    const fixedAmount = roundedPrice(randomLogUniformAmount(random, ...fixed, 10));
    return { type: 'fixed', fixedAmount, hourlyMin: 0, hourlyMax: 0 };
  }
  const [least, most]: NumberRange = hourly ?? [20, 40];
  const middle = (least + most) / 2;
  const inFives = (from: number, to: number) => Math.round((from + random() * (to - from)) / 5) * 5;
  const hourlyMin = Math.max(5, inFives(least, middle));
  return {
    type: 'hourly',
    fixedAmount: 0,
    hourlyMin,
    hourlyMax: Math.max(hourlyMin + 5, inFives(middle, most)),
  };
}

const USUAL_RATES = { 'Entry Level': 14, Intermediate: 38, Expert: 68 } as const;

function usualRateOf({ level }: ProjectBrief, budget: SimulatedBudget): number {
  return budget.type === 'hourly' ? (budget.hourlyMin + budget.hourlyMax) / 2 : USUAL_RATES[level];
}

function durationLabel(weeks: number): string {
  if (weeks < 4) return 'Less than 1 month';
  if (weeks < 13) return '1 to 3 months';
  return weeks < 26 ? '3 to 6 months' : 'More than 6 months';
}

/** Larger projects cost more connects. */
function connectsPriceOf(random: RandomSource, budget: SimulatedBudget, weeks: number): number {
  const worth = budget.type === 'fixed' ? budget.fixedAmount : budget.hourlyMax * weeks * 10;
  const base = [300, 1_000, 3_000, 10_000].filter((least) => worth >= least).length;
  return 4 + base * 4 + randomInteger(random, 0, 3);
}

function qualificationsOf(random: RandomSource, { level }: ProjectBrief, country: string) {
  const wanted = { 'Entry Level': [0], Intermediate: [0, 80], Expert: [80, 90] }[level];
  return {
    minJobSuccessScore: pickRandom(random, wanted),
    talentType: pickRandom(random, ['Any', 'Any', 'Independent', 'Agency']),
    risingTalent: level === 'Expert' ? 'Any' : 'Included',
    prefEnglishSkill: pickRandom(random, ['Conversational', 'Fluent', 'Fluent']),
    locations: country === '' ? [] : [country],
    languages: ['English'],
  };
}

/** @param number makes the uids of the client's history unique */
export function makeLifelikeProject(
  random: RandomSource,
  number: number,
  now: Instant,
  { brief, business, title }: Posting,
): LifelikeProject {
  const budget = randomBudget(random, brief);
  const past = randomClientPast(random, business.isLarge);
  const client = makeLifelikeClient(random, now, business, past, usualRateOf(brief, budget));
  const usOnly = client.country === 'United States' && randomBoolean(random, 0.2);
  const jobsAttached = randomBoolean(random, 0.25) ? randomInteger(random, 1, 3) : 0;
  const weeks = randomInteger(random, ...brief.weeks);
  const questions = randomBoolean(random, 0.6) ? brief.questions.map(([question]) => question) : [];
  const briefs = ALL_BRIEFS.filter(
    (each) => each !== brief && each.tags.some((tag) => business.tags.includes(tag)),
  );
  return {
    title,
    description: describeProject(random, brief, business, { past, usOnly, attachments: jobsAttached }),
    skills: [...brief.skills, ...pickRandomSubset(random, brief.moreSkills, randomInteger(random, 0, 2))],
    categories: brief.categories,
    clientQuestions: questions,
    publishedAt: now,
    usOnly,
    ukOnly: false,
    durationLabel: durationLabel(weeks),
    engagementLabel: weeks >= 12 && randomBoolean(random, 0.5) ? '30+ hrs/week' : 'Less than 30 hrs/week',
    experienceLevel: brief.level,
    jobAttachmentsCount: jobsAttached,
    connectsPrice: connectsPriceOf(random, budget, weeks),
    isFeatured: budget.fixedAmount >= 5_000 && randomBoolean(random, 0.3),
    isMarketplaceEnterpriseClient: business.isLarge && past === 'many hires' && randomBoolean(random, 0.2),
    preferredQualifications: qualificationsOf(random, brief, usOnly ? client.country : ''),
    budget,
    client,
    workHistory: makeLifelikeHistory(random, number, now, { client, business, briefs }),
  };
}
