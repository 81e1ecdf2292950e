/** Makes up projects and their clients. */
import { DAY, HOUR, type Instant, type Random } from '../../clock.ts';
import { amount, between, chance, pick, pickSome, rounded } from './chance.ts';
import { FEEDBACK, FEEDBACK_TO_CLIENT, SCREENING_QUESTIONS } from './content/letters.ts';
import { FIRST_NAMES, LAST_NAMES } from './content/people.ts';
import { COMPANY_SIZES, INDUSTRIES, PLACES } from './content/places.ts';
import { TRADES } from './content/trades.ts';
import type { BudgetRecord, ClientRecord, ProjectRecord, WorkHistoryRecord } from './records.ts';
import type { ProjectSeed } from './simulated-marketplace.ts';

/** 19 digits, as the marketplace's uids have; the number keeps them different. */
export function projectUid(number: number): string {
  return `19${String(300_000_000_000_000 + number * 7_919).padStart(17, '0')}`;
}

/** What redirects call the project: no id that any endpoint takes. */
export function pidOf({ id }: { readonly id: number }): string {
  return String(700_000_000 + id * 13);
}

export function ciphertextOf(uid: string): string {
  return `~02${uid}`;
}

export function projectUrl(ciphertext: string): string {
  return `https://www.marketplace.example/jobs/${ciphertext}`;
}

function madeBudget(random: Random): BudgetRecord {
  if (chance(random, 0.5)) {
    return { type: 'fixed', fixedAmount: amount(random, 50, 20_000, 50), hourlyMin: 0, hourlyMax: 0 };
  }
  const hourlyMin = amount(random, 10, 80, 5);
  return { type: 'hourly', fixedAmount: 0, hourlyMin, hourlyMax: hourlyMin + amount(random, 5, 60, 5) };
}

function madeClient(random: Random, now: Instant): ClientRecord {
  const place = pick(random, PLACES);
  const fresh = chance(random, 0.2);
  const jobsPosted = fresh ? 1 : between(random, 2, 90);
  const hireRate = fresh ? 0 : rounded(0.2 + random() * 0.8, 2);
  const totalHires = Math.round(jobsPosted * hireRate);
  const reviews = Math.round(totalHires * 0.7);
  return {
    paymentMethodVerified: chance(random, fresh ? 0.5 : 0.95),
    phoneVerified: chance(random, 0.8),
    country: place.country,
    city: pick(random, place.cities),
    timezone: place.timezone,
    utcOffsetMinutes: place.utcOffsetMinutes,
    totalSpent: totalHires === 0 ? 0 : amount(random, 100, 400_000, 10),
    totalHires,
    hireRate,
    avgHourlyRatePaid: totalHires === 0 ? 0 : rounded(8 + random() * 60, 2),
    rating: reviews === 0 ? 0 : rounded(3.4 + random() * 1.6, 2),
    reviews,
    industry: pick(random, INDUSTRIES),
    companySize: pick(random, COMPANY_SIZES),
    registeredAt: now - between(random, 1, 3_000) * DAY,
    jobsPosted,
    jobsActive: between(random, 0, 4),
    jobsOpen: between(random, 1, 3),
    totalHoursPaid: totalHires * between(random, 0, 200),
    rankLevel: between(random, 1, 5),
    rankDowngradeReason: { lowReviews: 0, scoredReviews: reviews, recentLowReviews: 0, cappedAt: 0 },
  };
}

function madeHistory(random: Random, number: number, entry: number, now: Instant): WorkHistoryRecord {
  const trade = pick(random, TRADES);
  const uid = projectUid(number * 10 + entry + 50_000_000);
  const endedDaysAgo = between(random, 5, 700);
  const hourly = chance(random, 0.5);
  const hours = hourly ? between(random, 4, 400) : 0;
  const rate = amount(random, 10, 90, 1);
  return {
    job_info: {
      uid,
      title: pick(random, trade.titles),
      type: hourly ? 'hourly' : 'fixed',
      url: projectUrl(ciphertextOf(uid)),
    },
    status: 'closed',
    start_date: new Date(now - (endedDaysAgo + between(random, 3, 90)) * DAY).toISOString(),
    end_date: new Date(now - endedDaysAgo * DAY).toISOString(),
    total_hours: hours,
    total_charge: hourly ? hours * rate : amount(random, 50, 9_000, 10),
    contractor_name: `${pick(random, FIRST_NAMES)} ${pick(random, LAST_NAMES).slice(0, 1)}.`,
    feedback: { score: between(random, 30, 50) / 10, comment: pick(random, FEEDBACK) },
    feedback_to_client: { score: between(random, 40, 50) / 10, comment: pick(random, FEEDBACK_TO_CLIENT) },
    rate: { amount: hourly ? rate : 0 },
  };
}

/** The `number`th project, published at `now` unless the seed says otherwise; what the seed gives stays as it is. */
export function makeProject(
  random: Random,
  number: number,
  now: Instant,
  seed: ProjectSeed = {},
): ProjectRecord {
  const trade = pick(random, TRADES);
  const uid = seed.uid ?? projectUid(number);
  const ciphertext = seed.ciphertext ?? ciphertextOf(uid);
  const client = { ...madeClient(random, now), ...seed.client };
  const sentences = pickSome(random, trade.needs, between(random, 2, 4));
  return {
    url: projectUrl(ciphertext),
    title: pick(random, trade.titles),
    description: `${sentences.join(' ')}\n\nPlease tell us in two sentences how you would start.`,
    skills: pickSome(random, trade.skills, between(random, 2, 6)),
    categories: trade.categories,
    clientQuestions: chance(random, 0.4) ? pickSome(random, SCREENING_QUESTIONS, between(random, 1, 4)) : [],
    publishedAt: now,
    site: 'marketplace',
    usOnly: chance(random, 0.08),
    ukOnly: false,
    durationLabel: pick(random, [
      'Less than 1 month',
      '1 to 3 months',
      '3 to 6 months',
      'More than 6 months',
    ]),
    engagementLabel: pick(random, ['Less than 30 hrs/week', '30+ hrs/week']),
    experienceLevel: pick(random, ['Entry Level', 'Intermediate', 'Expert']),
    jobAttachmentsCount: chance(random, 0.3) ? between(random, 1, 4) : 0,
    connectsPrice: between(random, 4, 24),
    isFeatured: chance(random, 0.1),
    isMarketplaceEnterpriseClient: chance(random, 0.05),
    preferredQualifications: {
      minJobSuccessScore: pick(random, [0, 80, 90]),
      talentType: pick(random, ['Any', 'Independent', 'Agency']),
      risingTalent: pick(random, ['Any', 'Included']),
      prefEnglishSkill: pick(random, ['Any level', 'Conversational', 'Fluent', 'Native or bilingual']),
      locations: chance(random, 0.2) ? [client.country] : [],
      languages: ['English'],
    },
    workHistory: Array.from({ length: Math.min(client.totalHires, between(random, 0, 4)) }, (_, entry) =>
      madeHistory(random, number, entry, now - HOUR),
    ),
    ...seed,
    id: number,
    uid,
    ciphertext,
    budget: { ...madeBudget(random), ...seed.budget },
    client,
  };
}
