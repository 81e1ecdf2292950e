/** Projects as lists and lookups return them. Source: docs/marketplace-api.md, Project. */
import { ResultId } from '../ids.ts';
import { projectKey } from './project-key.ts';
import type { Client, ListedProject, LookedUpProject, MonitoringResult, WorkHistoryEntry } from './schema.ts';
import {
  count,
  type Fields,
  fieldsOf,
  flag,
  id,
  instant,
  isObject,
  known,
  line,
  lines,
  listed,
  MOST,
  number,
  ratio,
  text,
  timestamp,
} from './wire-values.ts';
import { readVerdict } from './wire-verdict.ts';

/** A project of a list; undefined without a title or without an http(s) url, by which alone it can be known again. */
export function readListedProject(value: unknown): ListedProject | undefined {
  const base = readBase(value);
  const { qualification } = fieldsOf(value);
  return base && { ...base, ...known({ verdict: readVerdict(qualification) }) };
}

export function readLookedUpProject(value: unknown): LookedUpProject | undefined {
  const base = readBase(value);
  if (!base) return undefined;
  const fields = fieldsOf(value);
  const { durationLabel, engagementLabel, experienceLevel, jobType, usOnly, ukOnly } = fields;
  const { jobAttachmentsCount, connectsPrice, isFeatured, isMarketplaceEnterpriseClient } = fields;
  const { budgetRaw, preferredQualifications, clientDetails, clientWorkHistory } = fields;
  const more = {
    duration: line(durationLabel),
    engagement: line(engagementLabel),
    experienceLevel: line(experienceLevel),
    jobType: line(jobType),
    usOnly: flag(usOnly),
    ukOnly: flag(ukOnly),
    attachments: count(jobAttachmentsCount),
    connectsPrice: count(connectsPrice),
    featured: flag(isFeatured),
    enterpriseClient: flag(isMarketplaceEnterpriseClient),
    budgetRaw: readBudgetRaw(budgetRaw),
    preferred: readPreferred(preferredQualifications),
    clientMore: readClientMore(fieldsOf(clientDetails)),
    workHistory: listed(clientWorkHistory, readWorkHistoryEntry),
  };
  return { ...base, ...known(more) };
}

/** A monitoring result (one run of a filter). */
export function readMonitoringResult(value: unknown): MonitoringResult | undefined {
  const { id: given, createdAt, totalProjects } = fieldsOf(value);
  const resultId = id(ResultId, given);
  if (resultId === undefined) return undefined;
  return known({ id: resultId, createdAt: instant(createdAt), totalProjects: count(totalProjects) });
}

function readBase(value: unknown) {
  const fields = fieldsOf(value);
  const { description, skills, categories, clientQuestions, publishedAt, publishedTimestamp, site } = fields;
  const { clientDetails, clientHireRate, budget } = fields;
  const title = line(fields['title'], MOST.title);
  const url = line(fields['url'], MOST.url);
  const key = url === undefined ? undefined : projectKey(url);
  if (title === undefined || url === undefined || key === undefined) return undefined;
  return known({
    key,
    title,
    url,
    description: text(description) ?? '',
    skills: lines(skills),
    categories: lines(listed(categories, (item) => item)),
    questions: listed(clientQuestions, (item) =>
      text(isObject(item) ? item['question'] : item, MOST.question),
    ),
    publishedAt: instant(publishedAt) ?? timestamp(publishedTimestamp),
    site: line(site),
    budget: readBudget(budget),
    client: readClient(fieldsOf(clientDetails), clientHireRate),
  });
}

function readBudget(value: unknown) {
  const { type, amount } = fieldsOf(value);
  return isObject(value) ? known({ type: line(type), amount: line(amount) }) : undefined;
}

/** `totalSpent` is a number in lists and a label in lookups. */
function readClient(details: Fields, clientHireRate: unknown): Client {
  const { paymentMethodVerified, country, totalSpent, totalHires, hireRate, rating, reviews } = details;
  const spent = number(totalSpent);
  return known({
    verified: flag(paymentMethodVerified),
    country: line(country),
    totalSpent: spent,
    totalSpentLabel: spent === undefined ? line(totalSpent) : undefined,
    totalHires: count(totalHires),
    hireRate: ratio(hireRate) ?? ratio(clientHireRate),
    rating: number(rating),
    reviews: count(reviews),
  });
}

function readBudgetRaw(value: unknown) {
  const { type, fixedAmount, hourlyMin, hourlyMax } = fieldsOf(value);
  if (!isObject(value)) return undefined;
  return known({
    type: line(type),
    fixedAmount: number(fixedAmount),
    hourlyMin: number(hourlyMin),
    hourlyMax: number(hourlyMax),
  });
}

function readPreferred(value: unknown) {
  if (!isObject(value)) return undefined;
  const { minJobSuccessScore, talentType, risingTalent, prefEnglishSkill, locations, languages } = value;
  return known({
    minJobSuccessScore: number(minJobSuccessScore),
    talentType: line(talentType),
    risingTalent: line(risingTalent),
    english: line(prefEnglishSkill),
    locations: lines(locations),
    languages: lines(languages),
  });
}

function readClientMore(details: Fields): LookedUpProject['clientMore'] {
  const { city, countryTimezone, countryTimezoneTime, industry, companySize, phoneVerified } = details;
  const { registeredAt, jobsPosted, jobsActive, jobsOpen, avgHourlyRatePaid, totalHoursPaid } = details;
  const { rankLevel, rankDowngradeReason } = details;
  return known({
    city: line(city),
    localTime: line(countryTimezoneTime),
    timezone: line(countryTimezone),
    industry: line(industry),
    companySize: line(companySize),
    phoneVerified: flag(phoneVerified),
    registeredAt: instant(registeredAt),
    jobsPosted: count(jobsPosted),
    jobsActive: count(jobsActive),
    jobsOpen: count(jobsOpen),
    avgHourlyRatePaid: number(avgHourlyRatePaid),
    totalHoursPaid: number(totalHoursPaid),
    rankLevel: count(rankLevel),
    rankDowngrade: readRankDowngrade(rankDowngradeReason),
  });
}

function readRankDowngrade(value: unknown) {
  if (!isObject(value)) return undefined;
  const { lowReviews, scoredReviews, recentLowReviews, cappedAt } = value;
  return known({
    lowReviews: count(lowReviews),
    scoredReviews: count(scoredReviews),
    recentLowReviews: count(recentLowReviews),
    cappedAt: count(cappedAt),
  });
}

function readWorkHistoryEntry(value: unknown): WorkHistoryEntry | undefined {
  if (!isObject(value)) return undefined;
  const { job_info, status, start_date, end_date, total_hours, total_charge, contractor_name } = value;
  const { title, type } = fieldsOf(job_info);
  const ofContractor = fieldsOf(value['feedback']);
  const ofClient = fieldsOf(value['feedback_to_client']);
  return known({
    title: line(title, MOST.title),
    type: line(type),
    status: line(status),
    startDate: line(start_date),
    endDate: line(end_date),
    totalCharge: number(total_charge),
    totalHours: number(total_hours),
    rate: number(fieldsOf(value['rate'])['amount']),
    contractor: line(contractor_name),
    score: number(ofContractor['score']),
    comment: text(ofContractor['comment'], MOST.answer),
    scoreOfClient: number(ofClient['score']),
    commentOnClient: text(ofClient['comment'], MOST.answer),
  });
}
