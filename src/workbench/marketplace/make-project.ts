/** Makes up projects and their clients. */
import { DAY, HOUR, type Instant, type RandomSource } from '../../clock.ts';
import { CLIENT_LOCATIONS, COMPANY_SIZES, INDUSTRIES } from './content/client-locations.ts';
import { FEEDBACK_TO_CLIENT, FEEDBACK_TO_FREELANCER, SCREENING_QUESTIONS } from './content/letters.ts';
import { FIRST_NAMES, LAST_NAMES } from './content/people.ts';
import { PROJECT_THEMES } from './content/project-themes.ts';
import {
  pickRandom,
  pickRandomSubset,
  randomBoolean,
  randomInteger,
  randomLogUniformAmount,
  roundToDecimals,
} from './random-draws.ts';
import type { SimulatedBudget, SimulatedClient, SimulatedProject, SimulatedWorkHistory } from './records.ts';
import type { ProjectSeed } from './simulated-marketplace.ts';

/** 19 digits, like the marketplace's uids; `number` keeps them unique. */
export function makeProjectUid(number: number): string {
  return `19${String(300_000_000_000_000 + number * 7_919).padStart(17, '0')}`;
}

/** The project's ID in redirect URLs, which no endpoint accepts. */
export function redirectUrlProjectId({ id }: { readonly id: number }): string {
  return String(700_000_000 + id * 13);
}

export function ciphertextForUid(uid: string): string {
  return `~02${uid}`;
}

export function projectUrl(ciphertext: string): string {
  return `https://www.marketplace.example/jobs/${ciphertext}`;
}

function madeBudget(random: RandomSource): SimulatedBudget {
  if (randomBoolean(random, 0.5)) {
    return {
      type: 'fixed',
      fixedAmount: randomLogUniformAmount(random, 50, 20_000, 50),
      hourlyMin: 0,
      hourlyMax: 0,
    };
  }
  const hourlyMin = randomLogUniformAmount(random, 10, 80, 5);
  return {
    type: 'hourly',
    fixedAmount: 0,
    hourlyMin,
    hourlyMax: hourlyMin + randomLogUniformAmount(random, 5, 60, 5),
  };
}

function madeClient(random: RandomSource, now: Instant): SimulatedClient {
  const place = pickRandom(random, CLIENT_LOCATIONS);
  const fresh = randomBoolean(random, 0.2);
  const jobsPosted = fresh ? 1 : randomInteger(random, 2, 90);
  const hireRate = fresh ? 0 : roundToDecimals(0.2 + random() * 0.8, 2);
  const totalHires = Math.round(jobsPosted * hireRate);
  const reviews = Math.round(totalHires * 0.7);
  return {
    paymentMethodVerified: randomBoolean(random, fresh ? 0.5 : 0.95),
    phoneVerified: randomBoolean(random, 0.8),
    country: place.country,
    city: pickRandom(random, place.cities),
    timezone: place.timezone,
    utcOffsetMinutes: place.utcOffsetMinutes,
    totalSpent: totalHires === 0 ? 0 : randomLogUniformAmount(random, 100, 400_000, 10),
    totalHires,
    hireRate,
    avgHourlyRatePaid: totalHires === 0 ? 0 : roundToDecimals(8 + random() * 60, 2),
    rating: reviews === 0 ? 0 : roundToDecimals(3.4 + random() * 1.6, 2),
    reviews,
    industry: pickRandom(random, INDUSTRIES),
    companySize: pickRandom(random, COMPANY_SIZES),
    registeredAt: now - randomInteger(random, 1, 3_000) * DAY,
    jobsPosted,
    jobsActive: randomInteger(random, 0, 4),
    jobsOpen: randomInteger(random, 1, 3),
    totalHoursPaid: totalHires * randomInteger(random, 0, 200),
    rankLevel: randomInteger(random, 1, 5),
    rankDowngradeReason: { lowReviews: 0, scoredReviews: reviews, recentLowReviews: 0, cappedAt: 0 },
  };
}

function madeHistory(
  random: RandomSource,
  number: number,
  entry: number,
  now: Instant,
): SimulatedWorkHistory {
  const trade = pickRandom(random, PROJECT_THEMES);
  const uid = makeProjectUid(number * 10 + entry + 50_000_000);
  const endedDaysAgo = randomInteger(random, 5, 700);
  const hourly = randomBoolean(random, 0.5);
  const hours = hourly ? randomInteger(random, 4, 400) : 0;
  const rate = randomLogUniformAmount(random, 10, 90, 1);
  return {
    job_info: {
      uid,
      title: pickRandom(random, trade.titles),
      type: hourly ? 'hourly' : 'fixed',
      url: projectUrl(ciphertextForUid(uid)),
    },
    status: 'closed',
    start_date: new Date(now - (endedDaysAgo + randomInteger(random, 3, 90)) * DAY).toISOString(),
    end_date: new Date(now - endedDaysAgo * DAY).toISOString(),
    total_hours: hours,
    total_charge: hourly ? hours * rate : randomLogUniformAmount(random, 50, 9_000, 10),
    contractor_name: `${pickRandom(random, FIRST_NAMES)} ${pickRandom(random, LAST_NAMES).slice(0, 1)}.`,
    feedback: {
      score: randomInteger(random, 30, 50) / 10,
      comment: pickRandom(random, FEEDBACK_TO_FREELANCER),
    },
    feedback_to_client: {
      score: randomInteger(random, 40, 50) / 10,
      comment: pickRandom(random, FEEDBACK_TO_CLIENT),
    },
    rate: { amount: hourly ? rate : 0 },
  };
}

/** The `number`th project, published `now` by default; values from the seed take precedence. */
export function makeProject(
  random: RandomSource,
  number: number,
  now: Instant,
  seed: ProjectSeed = {},
): SimulatedProject {
  const trade = pickRandom(random, PROJECT_THEMES);
  const uid = seed.uid ?? makeProjectUid(number);
  const ciphertext = seed.ciphertext ?? ciphertextForUid(uid);
  const client = { ...madeClient(random, now), ...seed.client };
  const sentences = pickRandomSubset(random, trade.needs, randomInteger(random, 2, 4));
  return {
    url: projectUrl(ciphertext),
    title: pickRandom(random, trade.titles),
    description: `${sentences.join(' ')}\n\nPlease tell us in two sentences how you would start.`,
    skills: pickRandomSubset(random, trade.skills, randomInteger(random, 2, 6)),
    categories: trade.categories,
    clientQuestions: randomBoolean(random, 0.4)
      ? pickRandomSubset(random, SCREENING_QUESTIONS, randomInteger(random, 1, 4))
      : [],
    publishedAt: now,
    site: 'marketplace',
    usOnly: randomBoolean(random, 0.08),
    ukOnly: false,
    durationLabel: pickRandom(random, [
      'Less than 1 month',
      '1 to 3 months',
      '3 to 6 months',
      'More than 6 months',
    ]),
    engagementLabel: pickRandom(random, ['Less than 30 hrs/week', '30+ hrs/week']),
    experienceLevel: pickRandom(random, ['Entry Level', 'Intermediate', 'Expert']),
    jobAttachmentsCount: randomBoolean(random, 0.3) ? randomInteger(random, 1, 4) : 0,
    connectsPrice: randomInteger(random, 4, 24),
    isFeatured: randomBoolean(random, 0.1),
    isMarketplaceEnterpriseClient: randomBoolean(random, 0.05),
    preferredQualifications: {
      minJobSuccessScore: pickRandom(random, [0, 80, 90]),
      talentType: pickRandom(random, ['Any', 'Independent', 'Agency']),
      risingTalent: pickRandom(random, ['Any', 'Included']),
      prefEnglishSkill: pickRandom(random, ['Any level', 'Conversational', 'Fluent', 'Native or bilingual']),
      locations: randomBoolean(random, 0.2) ? [client.country] : [],
      languages: ['English'],
    },
    workHistory: Array.from(
      { length: Math.min(client.totalHires, randomInteger(random, 0, 4)) },
      (_, entry) => madeHistory(random, number, entry, now - HOUR),
    ),
    ...seed,
    id: number,
    uid,
    ciphertext,
    budget: { ...madeBudget(random), ...seed.budget },
    client,
  };
}
