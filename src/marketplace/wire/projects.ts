/** Projects of lists and lookups, and monitoring results. Source: docs/marketplace-api.md, Project. Pure. */
import { z } from 'zod';
import { DAY, type Instant } from '../../clock.ts';
import { MonitoringResultId, ProjectKey } from '../../ids.ts';
import { parseProjectKey } from '../project-key.ts';
import {
  count,
  derived,
  flag,
  id,
  instant,
  line,
  lines,
  list,
  number,
  ratio,
  record,
  section,
  text,
  value,
} from './shape.ts';
import {
  isObject,
  WIRE_TEXT_LENGTH_LIMITS as LIMITS,
  parseFiniteNumber,
  parseInstant,
  parseListOrEmpty,
  parseMultilineText,
  parseSingleLine,
  parseStringList,
  parseTimestamp,
  toUnknownFields,
} from './values.ts';
import { parseVerdict, Verdict } from './verdict.ts';

const client = section({
  verified: flag.from('paymentMethodVerified'),
  country: line(),
  /** US dollars. */
  totalSpent: number,
  /** The server's own label where present (lookup), for example `$12K`. */
  totalSpentLabel: derived(z.string(), ({ totalSpent }) =>
    parseFiniteNumber(totalSpent) === undefined ? parseSingleLine(totalSpent) : undefined,
  ),
  totalHires: count,
  /** 0 to 1. */
  hireRate: ratio.from('hireRate', 'clientHireRate'),
  /** 0 to 5. */
  rating: number,
  reviews: count,
});
export type ProjectClient = z.infer<typeof client.schema>;

const question = value(z.string(), (item) =>
  parseMultilineText(isObject(item) ? item['question'] : item, LIMITS.question),
);

/** A project needs only an http(s) url, which identifies it. */
const projectFields = {
  key: derived(ProjectKey, ({ url }) => parseProjectKey(parseSingleLine(url, LIMITS.url) ?? '')).required(),
  /** Empty: it has none. */
  title: line(LIMITS.title).or(''),
  url: line(LIMITS.url).required(),
  description: text().or(''),
  skills: lines,
  categories: derived(z.array(z.string()), ({ categories }) =>
    parseStringList(parseListOrEmpty(categories, (item) => item)),
  ).required(),
  questions: list(question).from('clientQuestions'),
  publishedAt: derived(
    z.number(),
    ({ publishedAt, publishedTimestamp }) => parseInstant(publishedAt) ?? parseTimestamp(publishedTimestamp),
  ),
  site: line(),
  /** The type is the server's label, for example `Fixed` or `Hourly`. */
  budget: record({ type: line(), amount: line() }),
  /** Lists have the hire rate beside the client. */
  client: derived(client.schema, ({ clientDetails, clientHireRate }) =>
    client.parse({ ...toUnknownFields(clientDetails), clientHireRate }),
  ).required(),
};

const listedProject = record({
  ...projectFields,
  verdict: value(Verdict, parseVerdict).from('qualification'),
});
export const ListedProject = listedProject.schema;
export type ListedProject = z.infer<typeof ListedProject>;
export const parseListedProject = listedProject.parse;

/** Without a date that stands for “none”, such as 1970 or 2099. */
export function withoutImpossibleDate<P extends Pick<ListedProject, 'publishedAt'>>(
  project: P,
  now: Instant,
): P {
  const { publishedAt = now, ...rest } = project;
  // Clocks and time zones differ by less than two days.
  const isPossible = publishedAt >= Date.UTC(2000, 0) && publishedAt <= now + 2 * DAY;
  return isPossible ? project : (rest as P);
}

const workHistoryEntry = record({
  title: line(LIMITS.title).from('job_info.title'),
  /** Names the project of this job: by it, a client is known again. */
  uid: line().from('job_info.uid'),
  url: line().from('job_info.url'),
  type: line().from('job_info.type'),
  status: line(),
  startDate: line().from('start_date'),
  endDate: line().from('end_date'),
  totalCharge: number.from('total_charge'),
  totalHours: number.from('total_hours'),
  /** US dollars an hour. */
  rate: number.from('rate.amount'),
  contractor: line().from('contractor_name'),
  /** The client's rating of the contractor. */
  score: number.from('feedback.score'),
  comment: text(LIMITS.answer).from('feedback.comment'),
  /** The contractor's rating of the client. */
  scoreOfClient: number.from('feedback_to_client.score'),
  commentOnClient: text(LIMITS.answer).from('feedback_to_client.comment'),
});
export type WorkHistoryEntry = z.infer<typeof workHistoryEntry.schema>;

const lookedUpProject = record({
  ...projectFields,
  duration: line().from('durationLabel'),
  engagement: line().from('engagementLabel'),
  experienceLevel: line(),
  jobType: line(),
  usOnly: flag,
  ukOnly: flag,
  attachments: count.from('jobAttachmentsCount'),
  connectsPrice: count,
  featured: flag.from('isFeatured'),
  enterpriseClient: flag.from('isMarketplaceEnterpriseClient'),
  budgetRaw: record({ type: line(), fixedAmount: number, hourlyMin: number, hourlyMax: number }),
  preferred: record({
    minJobSuccessScore: number,
    talentType: line(),
    risingTalent: line(),
    english: line().from('prefEnglishSkill'),
    locations: lines,
    languages: lines,
  }).from('preferredQualifications'),
  clientMore: section({
    city: line(),
    localTime: line().from('countryTimezoneTime'),
    timezone: line().from('countryTimezone'),
    industry: line(),
    companySize: line(),
    phoneVerified: flag,
    registeredAt: instant,
    jobsPosted: count,
    jobsActive: count,
    jobsOpen: count,
    avgHourlyRatePaid: number,
    totalHoursPaid: number,
    /** The service's own rank of the client, in an undocumented scale. */
    rankLevel: count,
    /** Why it isn't higher: review counts, and the rank that they cap it at. */
    rankDowngrade: record({
      lowReviews: count,
      scoredReviews: count,
      recentLowReviews: count,
      cappedAt: count,
    }).from('rankDowngradeReason'),
  }).from('clientDetails'),
  workHistory: list(workHistoryEntry).from('clientWorkHistory'),
});
export const LookedUpProject = lookedUpProject.schema;
export type LookedUpProject = z.infer<typeof LookedUpProject>;
export const parseLookedUpProject = lookedUpProject.parse;

/** One run of a filter. */
const monitoringResult = record({
  id: id(MonitoringResultId).required(),
  createdAt: instant,
  totalProjects: count,
});
export const MonitoringResult = monitoringResult.schema;
export type MonitoringResult = z.infer<typeof MonitoringResult>;
export const parseMonitoringResult = monitoringResult.parse;
