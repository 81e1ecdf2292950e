/** Reads and checks what people put into the setup form; all of it is input from outside. Pure. */
import { parseRules } from '../../feed/decide-card.ts';
import { NoiseLevel } from '../../feed/feed.ts';
import type { FilterId, UserId } from '../../ids.ts';
import type { ProfileFeedKind } from '../../profiles/profiles.ts';
import { joinRules, rulesByField, type SimpleRules } from '../../query/simple-rules.ts';
import { parseBudgetLimit } from '../budgets/budgets.ts';
import type { ViewValues } from '../core/routes.ts';
import { cleanLine, clipText } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { parseFilterId } from '../kit/words/filters.ts';
import type { FilterAnswers, SetupForm } from './setup-forms.ts';

/** Of the first step: the filter and its rules. */
export const filterFields = {
  filter: 'filter',
  filterId: 'filter-id',
  minBudget: 'min-budget',
  type: 'type',
  countries: 'countries',
  minRating: 'min-rating',
  verified: 'verified',
  without: 'without',
  more: 'more-rules',
} as const;

/** Of the second step. */
export const receiveFields = {
  feeds: 'feeds',
  profiles: 'profiles',
  profileIds: 'profile-ids',
  level: 'level',
  mentions: 'mentions',
  budget: 'budget',
  digest: 'digest',
  digestTime: 'digest-time',
} as const;

export const ANY_TYPE = 'any';

type Errors = Readonly<Record<string, string>>;

/** Exactly as typed; `before` for what the view doesn't have. */
export function readFilterAnswers(values: ViewValues, before: FilterAnswers): FilterAnswers {
  const text = (id: string) => values.get(id)?.text ?? '';
  const type = values.get(filterFields.type)?.option;
  return {
    chosen: values.get(filterFields.filter)?.option ?? before.chosen,
    typedId: text(filterFields.filterId),
    rules: {
      minBudget: text(filterFields.minBudget),
      type: type === 'fixed' || type === 'hourly' ? type : '',
      countries: text(filterFields.countries),
      minRating: text(filterFields.minRating),
      verified: values.get(filterFields.verified)?.options?.includes('yes') ?? false,
      without: text(filterFields.without),
      more: text(filterFields.more),
    },
  };
}

interface CheckedFilter {
  readonly kind: 'checked';
  /** Missing: the person skipped this step. */
  readonly filter?: FilterId;
  /** Normalized. */
  readonly rules: string;
}

type FilterCheck = CheckedFilter | { readonly kind: 'errors'; readonly errors: Errors };

const LONGEST_SHOWN = 60;

/** With its place, as plain text. */
function ruleError(written: string): string | undefined {
  const read = parseRules(written);
  if (read.kind !== 'mistake') return undefined;
  const { at, length, message, example } = read;
  const there = clipText(cleanLine(written.slice(at, at + length)), LONGEST_SHOWN);
  const place = there ? ` The problem is at “${there}” (character ${formatNumber(at + 1)}).` : '';
  return `${clipText(message, 400)}${place} For example: ${clipText(example, 200)}`;
}

const FIELD_ERRORS: Readonly<Partial<Record<keyof SimpleRules, string>>> = {
  minBudget: 'Enter an amount of dollars, for example 500 or 2k.',
  minRating: 'Enter a rating from 0 to 5, for example 4.5.',
};

function findRuleErrors(rules: SimpleRules): Errors {
  const errors: Record<string, string> = {};
  for (const [field, part] of rulesByField(rules)) {
    const error = ruleError(part);
    if (error) errors[filterFields[field]] = FIELD_ERRORS[field] ?? error;
  }
  if (Object.keys(errors).length > 0) return errors;
  const whole = ruleError(joinRules(rules));
  return whole ? { [filterFields.more]: whole } : {};
}

/** All mistakes at once, each at its field. */
export function checkFilterAnswers(
  { typedId, chosen, rules }: FilterAnswers,
  edited: SetupForm['edited'],
): FilterCheck {
  const errors: Record<string, string> = { ...findRuleErrors(rules) };
  const named = typedId.trim() === '' ? chosen : typedId.trim();
  const filter = edited?.filter ?? parseFilterId(named);
  const written = joinRules(rules);
  if (filter === undefined && named !== '')
    errors[filterFields.filterId] = "That isn't a filter ID. Enter a whole number above 0, for example 123.";
  else if (filter === undefined && written !== '')
    errors[filterFields.filterId] = 'Choose the filter that these rules are for, or clear the rules.';
  if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
  const read = parseRules(written);
  const printed = read.kind === 'rules' ? read.printed : '';
  return { kind: 'checked', rules: printed, ...(filter === undefined ? {} : { filter }) };
}

export interface RequestedFeed {
  readonly feed: ProfileFeedKind;
  /** An ID, as text. */
  readonly profile: string;
}

export interface ReceiveAnswers {
  readonly feeds: readonly RequestedFeed[];
  /** Missing: the field didn't show. */
  readonly level?: NoiseLevel;
  readonly mentions?: readonly UserId[];
  /** Missing: it stays. */
  readonly budget?: number | 'unlimited';
  /** The arguments of `/gig digest`; missing: it stays. */
  readonly digest?: string;
}

type ReceiveCheck =
  | { readonly kind: 'checked'; readonly answers: ReceiveAnswers }
  | { readonly kind: 'errors'; readonly errors: Errors };

/** More are hardly meant for one channel. */
const MOST_PROFILES = 20;
const MOST_MENTIONED = 20;

function readProfiles(values: ViewValues, errors: Record<string, string>): readonly string[] {
  const chosen = values.get(receiveFields.profiles)?.options ?? [];
  const typed = (values.get(receiveFields.profileIds)?.text ?? '').split(/[\s,]+/u).filter((it) => it !== '');
  if (typed.some((it) => parseFilterId(it) === undefined))
    errors[receiveFields.profileIds] = 'Enter profile IDs: whole numbers above 0, separated by commas.';
  const all = [...new Set([...chosen, ...typed].map((it) => it.replace('#', '')))];
  if (all.length > MOST_PROFILES)
    errors[receiveFields.profileIds] = `Choose up to ${MOST_PROFILES} profiles at once.`;
  return all;
}

function readFeeds(values: ViewValues, errors: Record<string, string>): readonly RequestedFeed[] {
  const kinds = values.get(receiveFields.feeds)?.options ?? [];
  const profiles = readProfiles(values, errors);
  const feeds = (['invitations', 'outcomes'] as const).filter((feed) => kinds.includes(feed));
  if (feeds.length > 0 && profiles.length === 0)
    errors[receiveFields.profileIds] ??= 'Choose whose invitations or proposal updates this channel gets.';
  if (feeds.length === 0 && profiles.length > 0)
    errors[receiveFields.feeds] =
      'Choose invitations or proposal updates for these profiles, or clear the profiles.';
  return feeds.flatMap((feed) => profiles.map((profile) => ({ feed, profile })));
}

function readBudget(values: ViewValues, form: SetupForm, errors: Record<string, string>) {
  const text = (values.get(receiveFields.budget)?.text ?? '').trim();
  if (!form.isAdmin || text === '' || text === form.budget) return undefined;
  const limit = parseBudgetLimit(text);
  if (limit === undefined)
    errors[receiveFields.budget] =
      'Enter a whole number of credits from 0 (spend nothing) to 1,000,000, or off for no limit.';
  return limit;
}

function readDigest(values: ViewValues, form: SetupForm): string | undefined {
  const days = values.get(receiveFields.digest)?.option;
  const time = values.get(receiveFields.digestTime)?.time ?? form.digestTime;
  if (days === form.digest && time === form.digestTime) return undefined;
  if (days === 'weekdays' || days === 'daily') return `at ${time} ${days}`;
  return form.digest !== 'off' && days === 'off' ? 'off' : undefined;
}

/** All mistakes at once, each at its field. @param form with the answers of the first step */
export function checkReceiveAnswers(values: ViewValues, form: SetupForm): ReceiveCheck {
  const errors: Record<string, string> = {};
  const feeds = readFeeds(values, errors);
  const budget = readBudget(values, form, errors);
  const digest = readDigest(values, form);
  const level = form.isAdmin ? NoiseLevel.safeParse(values.get(receiveFields.level)?.option).data : undefined;
  const mentions = form.isAdmin ? [...new Set(values.get(receiveFields.mentions)?.users)] : undefined;
  if ((mentions?.length ?? 0) > MOST_MENTIONED)
    errors[receiveFields.mentions] = `Up to ${MOST_MENTIONED} people. For more, use \`/gig settings\`.`;
  const first = checkFilterAnswers(form.answers, form.edited);
  const hasFilter = first.kind === 'checked' && first.filter !== undefined;
  if (!hasFilter && feeds.length === 0 && Object.keys(errors).length === 0)
    errors[receiveFields.feeds] =
      'Go back and choose a filter, or choose invitations or proposal updates here.';
  if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
  return {
    kind: 'checked',
    answers: {
      feeds,
      ...(level ? { level } : {}),
      ...(mentions ? { mentions } : {}),
      ...(budget === undefined ? {} : { budget }),
      ...(digest === undefined ? {} : { digest }),
    },
  };
}
