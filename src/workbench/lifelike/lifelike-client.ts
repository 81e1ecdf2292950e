/** Makes up clients whose numbers agree with each other. */
import { DAY, type Instant, MINUTE, type RandomSource } from '../../clock.ts';
import {
  pickRandom,
  randomBoolean,
  randomInteger,
  randomLogUniformAmount,
  roundToDecimals,
} from '../marketplace/random-draws.ts';
import type { SimulatedClient } from '../marketplace/records.ts';
import type { Business } from './businesses.ts';
import { CLIENT_PLACES, type ClientPlace } from './places.ts';

/** What a client has done on the marketplace before. */
export type ClientPast = 'new' | 'never hired' | 'some hires' | 'many hires';

export function randomClientPast(random: RandomSource, isLarge: boolean): ClientPast {
  const roll = random();
  if (roll < 0.14) return 'new';
  if (roll < 0.2) return 'never hired';
  return roll < (isLarge ? 0.4 : 0.7) ? 'some hires' : 'many hires';
}

/** Minutes east of UTC at that moment, with daylight saving time. */
function utcOffsetMinutes(timezone: string, now: Instant): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(now);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return Math.round((local - Math.floor(now / MINUTE) * MINUTE) / MINUTE);
}

type Hiring = Pick<
  SimulatedClient,
  | 'totalSpent'
  | 'totalHires'
  | 'hireRate'
  | 'avgHourlyRatePaid'
  | 'rating'
  | 'reviews'
  | 'jobsPosted'
  | 'jobsActive'
  | 'totalHoursPaid'
>;

const NOTHING_HIRED = {
  totalSpent: 0,
  totalHires: 0,
  hireRate: 0,
  avgHourlyRatePaid: 0,
  rating: 0,
  reviews: 0,
  jobsActive: 0,
  totalHoursPaid: 0,
} as const;

/** Spending is hours × rate plus what the fixed-price jobs cost. */
function pastHiring(random: RandomSource, hires: number, usualRate: number): Hiring {
  const jobsPosted = Math.max(hires, Math.round(hires / (0.25 + random() * 0.75))) + 1;
  const hourlyJobs = Math.round(hires * random());
  const rate = roundToDecimals(usualRate * (0.75 + random() * 0.5), 2);
  const hours = hourlyJobs * randomInteger(random, 15, 140);
  const perFixedJob = randomLogUniformAmount(random, 150, 2_500, 10) * Math.max(0.4, usualRate / 45);
  const jobsActive = Math.min(hires - 1, randomInteger(random, 0, 3));
  const finished = hires - Math.max(0, jobsActive);
  const reviews = Math.round(finished * (0.55 + random() * 0.4));
  const worst = randomBoolean(random, 0.15) ? 3.3 : 4.4;
  return {
    totalSpent: Math.round(hours * rate + (hires - hourlyJobs) * perFixedJob),
    totalHires: hires,
    hireRate: roundToDecimals(hires / jobsPosted, 2),
    avgHourlyRatePaid: hours === 0 ? 0 : rate,
    rating: reviews === 0 ? 0 : roundToDecimals(worst + random() * (5 - worst), 2),
    reviews,
    jobsPosted,
    jobsActive: Math.max(0, jobsActive),
    totalHoursPaid: hours,
  };
}

function hiringOf(random: RandomSource, past: ClientPast, usualRate: number): Hiring {
  if (past === 'new') return { ...NOTHING_HIRED, jobsPosted: 1 };
  if (past === 'never hired') return { ...NOTHING_HIRED, jobsPosted: randomInteger(random, 3, 14) };
  const hires = past === 'some hires' ? randomInteger(random, 1, 9) : randomInteger(random, 10, 90);
  return pastHiring(random, hires, usualRate);
}

function rankOf(spent: number): number {
  return [1_000, 10_000, 50_000, 200_000].filter((least) => spent >= least).length + 1;
}

function daysSinceRegistration(random: RandomSource, past: ClientPast, hires: number): number {
  if (past === 'new') return randomInteger(random, 0, 21);
  return randomInteger(random, 60, 400) + hires * randomInteger(random, 8, 30);
}

function companySizeOf(random: RandomSource, isLarge: boolean): string {
  return isLarge ? pickRandom(random, ['10-99', '100-999']) : pickRandom(random, ['2-9', '10-99']);
}

/** @param usualRate US dollars an hour: about what the client pays for such work */
export function makeLifelikeClient(
  random: RandomSource,
  now: Instant,
  { isLarge, industry }: Business,
  past: ClientPast,
  usualRate: number,
): SimulatedClient {
  const place: ClientPlace = pickRandom(random, CLIENT_PLACES);
  const hiring = hiringOf(random, past, usualRate);
  const hasPaid = hiring.totalSpent > 0;
  const lowReviews =
    hiring.rating === 0 ? 0 : Math.round(hiring.reviews * (hiring.rating < 4.2 ? 0.2 : 0.03));
  return {
    ...hiring,
    country: place.country,
    city: place.city,
    timezone: place.timezone,
    utcOffsetMinutes: utcOffsetMinutes(place.timezone, now),
    // Who has paid someone has a payment method.
    paymentMethodVerified: hasPaid || randomBoolean(random, 0.55),
    phoneVerified: hasPaid || randomBoolean(random, 0.6),
    industry,
    companySize: companySizeOf(random, isLarge),
    registeredAt: now - daysSinceRegistration(random, past, hiring.totalHires) * DAY,
    jobsOpen: Math.min(
      hiring.jobsPosted - hiring.totalHires,
      past === 'new' ? 1 : randomInteger(random, 1, 3),
    ),
    rankLevel: rankOf(hiring.totalSpent),
    rankDowngradeReason: {
      lowReviews,
      scoredReviews: hiring.reviews,
      recentLowReviews: Math.min(lowReviews, 1),
      cappedAt: 0,
    },
  };
}
