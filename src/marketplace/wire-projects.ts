/** Parses projects from lists and lookups. Source: docs/marketplace-api.md, Project. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { MonitoringResultId } from '../ids.ts';
import { parseProjectKey } from './project-key.ts';
import type {
  ListedProject,
  LookedUpProject,
  MonitoringResult,
  ProjectClient,
  WorkHistoryEntry,
} from './schema.ts';
import {
  isObject,
  parseBoolean,
  parseCount,
  parseFiniteNumber,
  parseId,
  parseInstant,
  parseListOrEmpty,
  parseMultilineText,
  parseRatio,
  parseSingleLine,
  parseStringList,
  parseTimestamp,
  toUnknownFields,
  type UnknownFields,
  WIRE_TEXT_LENGTH_LIMITS,
} from './wire-values.ts';
import { parseVerdict } from './wire-verdict.ts';

/** A listed project. Undefined without a title or an http(s) url; the url is what identifies it. */
export function parseListedProject(value: unknown): ListedProject | undefined {
  const base = readBase(value);
  const { qualification } = toUnknownFields(value);
  return base && { ...base, ...omitUndefined({ verdict: parseVerdict(qualification) }) };
}

export function parseLookedUpProject(value: unknown): LookedUpProject | undefined {
  const base = readBase(value);
  if (!base) return undefined;
  const fields = toUnknownFields(value);
  const { durationLabel, engagementLabel, experienceLevel, jobType, usOnly, ukOnly } = fields;
  const { jobAttachmentsCount, connectsPrice, isFeatured, isMarketplaceEnterpriseClient } = fields;
  const { budgetRaw, preferredQualifications, clientDetails, clientWorkHistory } = fields;
  const more = {
    duration: parseSingleLine(durationLabel),
    engagement: parseSingleLine(engagementLabel),
    experienceLevel: parseSingleLine(experienceLevel),
    jobType: parseSingleLine(jobType),
    usOnly: parseBoolean(usOnly),
    ukOnly: parseBoolean(ukOnly),
    attachments: parseCount(jobAttachmentsCount),
    connectsPrice: parseCount(connectsPrice),
    featured: parseBoolean(isFeatured),
    enterpriseClient: parseBoolean(isMarketplaceEnterpriseClient),
    budgetRaw: readBudgetRaw(budgetRaw),
    preferred: readPreferred(preferredQualifications),
    clientMore: readClientMore(toUnknownFields(clientDetails)),
    workHistory: parseListOrEmpty(clientWorkHistory, readWorkHistoryEntry),
  };
  return { ...base, ...omitUndefined(more) };
}

/** A monitoring result (one run of a filter). */
export function parseMonitoringResult(value: unknown): MonitoringResult | undefined {
  const { id: given, createdAt, totalProjects } = toUnknownFields(value);
  const resultId = parseId(MonitoringResultId, given);
  if (resultId === undefined) return undefined;
  return omitUndefined({
    id: resultId,
    createdAt: parseInstant(createdAt),
    totalProjects: parseCount(totalProjects),
  });
}

function readBase(value: unknown) {
  const fields = toUnknownFields(value);
  const { description, skills, categories, clientQuestions, publishedAt, publishedTimestamp, site } = fields;
  const { clientDetails, clientHireRate, budget } = fields;
  const title = parseSingleLine(fields['title'], WIRE_TEXT_LENGTH_LIMITS.title);
  const url = parseSingleLine(fields['url'], WIRE_TEXT_LENGTH_LIMITS.url);
  const key = url === undefined ? undefined : parseProjectKey(url);
  if (title === undefined || url === undefined || key === undefined) return undefined;
  return omitUndefined({
    key,
    title,
    url,
    description: parseMultilineText(description) ?? '',
    skills: parseStringList(skills),
    categories: parseStringList(parseListOrEmpty(categories, (item) => item)),
    questions: parseListOrEmpty(clientQuestions, (item) =>
      parseMultilineText(isObject(item) ? item['question'] : item, WIRE_TEXT_LENGTH_LIMITS.question),
    ),
    publishedAt: parseInstant(publishedAt) ?? parseTimestamp(publishedTimestamp),
    site: parseSingleLine(site),
    budget: readBudget(budget),
    client: readClient(toUnknownFields(clientDetails), clientHireRate),
  });
}

function readBudget(value: unknown) {
  const { type, amount } = toUnknownFields(value);
  return isObject(value)
    ? omitUndefined({ type: parseSingleLine(type), amount: parseSingleLine(amount) })
    : undefined;
}

/** `totalSpent` is a number in lists and a label in lookups. */
function readClient(details: UnknownFields, clientHireRate: unknown): ProjectClient {
  const { paymentMethodVerified, country, totalSpent, totalHires, hireRate, rating, reviews } = details;
  const spent = parseFiniteNumber(totalSpent);
  return omitUndefined({
    verified: parseBoolean(paymentMethodVerified),
    country: parseSingleLine(country),
    totalSpent: spent,
    totalSpentLabel: spent === undefined ? parseSingleLine(totalSpent) : undefined,
    totalHires: parseCount(totalHires),
    hireRate: parseRatio(hireRate) ?? parseRatio(clientHireRate),
    rating: parseFiniteNumber(rating),
    reviews: parseCount(reviews),
  });
}

function readBudgetRaw(value: unknown) {
  const { type, fixedAmount, hourlyMin, hourlyMax } = toUnknownFields(value);
  if (!isObject(value)) return undefined;
  return omitUndefined({
    type: parseSingleLine(type),
    fixedAmount: parseFiniteNumber(fixedAmount),
    hourlyMin: parseFiniteNumber(hourlyMin),
    hourlyMax: parseFiniteNumber(hourlyMax),
  });
}

function readPreferred(value: unknown) {
  if (!isObject(value)) return undefined;
  const { minJobSuccessScore, talentType, risingTalent, prefEnglishSkill, locations, languages } = value;
  return omitUndefined({
    minJobSuccessScore: parseFiniteNumber(minJobSuccessScore),
    talentType: parseSingleLine(talentType),
    risingTalent: parseSingleLine(risingTalent),
    english: parseSingleLine(prefEnglishSkill),
    locations: parseStringList(locations),
    languages: parseStringList(languages),
  });
}

function readClientMore(details: UnknownFields): LookedUpProject['clientMore'] {
  const { city, countryTimezone, countryTimezoneTime, industry, companySize, phoneVerified } = details;
  const { registeredAt, jobsPosted, jobsActive, jobsOpen, avgHourlyRatePaid, totalHoursPaid } = details;
  const { rankLevel, rankDowngradeReason } = details;
  return omitUndefined({
    city: parseSingleLine(city),
    localTime: parseSingleLine(countryTimezoneTime),
    timezone: parseSingleLine(countryTimezone),
    industry: parseSingleLine(industry),
    companySize: parseSingleLine(companySize),
    phoneVerified: parseBoolean(phoneVerified),
    registeredAt: parseInstant(registeredAt),
    jobsPosted: parseCount(jobsPosted),
    jobsActive: parseCount(jobsActive),
    jobsOpen: parseCount(jobsOpen),
    avgHourlyRatePaid: parseFiniteNumber(avgHourlyRatePaid),
    totalHoursPaid: parseFiniteNumber(totalHoursPaid),
    rankLevel: parseCount(rankLevel),
    rankDowngrade: readRankDowngrade(rankDowngradeReason),
  });
}

function readRankDowngrade(value: unknown) {
  if (!isObject(value)) return undefined;
  const { lowReviews, scoredReviews, recentLowReviews, cappedAt } = value;
  return omitUndefined({
    lowReviews: parseCount(lowReviews),
    scoredReviews: parseCount(scoredReviews),
    recentLowReviews: parseCount(recentLowReviews),
    cappedAt: parseCount(cappedAt),
  });
}

function readWorkHistoryEntry(value: unknown): WorkHistoryEntry | undefined {
  if (!isObject(value)) return undefined;
  const { job_info, status, start_date, end_date, total_hours, total_charge, contractor_name } = value;
  const { title, type } = toUnknownFields(job_info);
  const ofContractor = toUnknownFields(value['feedback']);
  const ofClient = toUnknownFields(value['feedback_to_client']);
  return omitUndefined({
    title: parseSingleLine(title, WIRE_TEXT_LENGTH_LIMITS.title),
    type: parseSingleLine(type),
    status: parseSingleLine(status),
    startDate: parseSingleLine(start_date),
    endDate: parseSingleLine(end_date),
    totalCharge: parseFiniteNumber(total_charge),
    totalHours: parseFiniteNumber(total_hours),
    rate: parseFiniteNumber(toUnknownFields(value['rate'])['amount']),
    contractor: parseSingleLine(contractor_name),
    score: parseFiniteNumber(ofContractor['score']),
    comment: parseMultilineText(ofContractor['comment'], WIRE_TEXT_LENGTH_LIMITS.answer),
    scoreOfClient: parseFiniteNumber(ofClient['score']),
    commentOnClient: parseMultilineText(ofClient['comment'], WIRE_TEXT_LENGTH_LIMITS.answer),
  });
}
