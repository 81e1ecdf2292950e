/**
 * Reads and checks what people put into the setup form: which projects, and what else a channel gets. All of
 * it is input from outside. Pure.
 */
import { parseRules } from '../../feed/decide-card.ts';
import type { FilterId } from '../../ids.ts';
import type { ProfileFeedKind } from '../../profiles/profiles.ts';
import { joinRules, rulesByField, type SimpleRules, splitRules } from '../../query/simple-rules.ts';
import type { ViewValues } from '../core/routes.ts';
import { cleanLine, clipText } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { parseFilterId } from '../kit/words/filters.ts';
import type { FilterAnswers, FollowedFeed, ReceiveInputs, SetupForm } from './setup-forms.ts';

/** The filter and its rules. */
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

export const ANY_TYPE = 'any';

type FieldErrors = Readonly<Record<string, string>>;

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

function findRuleErrors(rules: SimpleRules): FieldErrors {
  const errors: Record<string, string> = {};
  for (const [field, part] of rulesByField(rules)) {
    const error = ruleError(part);
    if (error) errors[filterFields[field]] = FIELD_ERRORS[field] ?? error;
  }
  if (Object.keys(errors).length > 0) return errors;
  const whole = ruleError(joinRules(rules));
  return whole ? { [filterFields.more]: whole } : {};
}

/** Whether a person changed an edited subscription's rules. @param rules normalized */
export function areRulesChanged(rules: string, { rules: shown }: NonNullable<SetupForm['edited']>): boolean {
  // The form writes rules in an order that may differ from that of a command.
  const read = parseRules(joinRules(splitRules(shown)));
  return rules !== shown && rules !== (read.kind === 'rules' ? read.printed : shown);
}

/**
 * All mistakes at once, each at its field.
 * @returns `filter`: missing if the person skipped this step; `rules`: normalized
 */
export function checkFilterAnswers(
  { typedId, chosen, rules }: FilterAnswers,
  edited: SetupForm['edited'],
):
  | { readonly kind: 'checked'; readonly filter?: FilterId; readonly rules: string }
  | { readonly kind: 'errors'; readonly errors: FieldErrors } {
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
  return { kind: 'checked', rules: printed, filter };
}

/** What else the channel gets. */
export const receiveFields = {
  followed: 'followed',
  feeds: 'feeds',
  profiles: 'profiles',
  profileIds: 'profile-ids',
  digest: 'digest',
  digestTime: 'digest-time',
} as const;

/** The value of a followed feed's option. */
export function followedKey({ kind, profile, organization }: FollowedFeed): string {
  return `${kind}:${profile}:${organization ?? ''}`;
}

/** What the fields show: as typed before, else as it is in the channel. */
export function currentReceiveInputs(form: SetupForm): ReceiveInputs {
  const { digest, digestTime, followed } = form;
  return (
    form.receive ?? {
      kept: followed.map(followedKey),
      feeds: [],
      profiles: [],
      profileIds: '',
      digest,
      digestTime,
    }
  );
}

/** Exactly as typed. @param values of a view with the fields */
export function readReceiveInputs(values: ViewValues, form: SetupForm): ReceiveInputs {
  const before = currentReceiveInputs(form);
  const kept = values.get(receiveFields.followed)?.options ?? [];
  const days = values.get(receiveFields.digest)?.option;
  return {
    kept: form.followed.map(followedKey).filter((key) => kept.includes(key)),
    feeds: [...(values.get(receiveFields.feeds)?.options ?? [])],
    profiles: [...(values.get(receiveFields.profiles)?.options ?? [])],
    profileIds: values.get(receiveFields.profileIds)?.text ?? '',
    digest: days === 'off' || days === 'weekdays' || days === 'daily' ? days : before.digest,
    digestTime: values.get(receiveFields.digestTime)?.time ?? form.digestTime,
  };
}

/** Only what the person changed. */
export interface ReceiveAnswers {
  /** `profile`: an ID, as text. */
  readonly feeds: readonly { readonly feed: ProfileFeedKind; readonly profile: string }[];
  readonly ended: readonly FollowedFeed[];
  /** The arguments of `/gig digest`. */
  readonly digest?: string;
}

/** More are hardly meant for one channel. */
const MOST_PROFILES = 20;

type Errors = Record<string, string>;

function checkProfiles({ profiles, profileIds }: ReceiveInputs, errors: Errors): readonly string[] {
  const written = profileIds.split(/[\s,]+/u).filter((it) => it !== '');
  if (written.some((it) => parseFilterId(it) === undefined))
    errors[receiveFields.profileIds] = 'Enter profile IDs: whole numbers above 0, separated by commas.';
  const all = [...new Set([...profiles, ...written].map((it) => it.replace('#', '')))];
  if (all.length > MOST_PROFILES)
    errors[receiveFields.profileIds] = `Choose up to ${MOST_PROFILES} profiles at once.`;
  return all;
}

function checkFeeds(inputs: ReceiveInputs, errors: Errors): ReceiveAnswers['feeds'] {
  const profiles = checkProfiles(inputs, errors);
  const feeds = (['invitations', 'outcomes'] as const).filter((feed) => inputs.feeds.includes(feed));
  if (feeds.length > 0 && profiles.length === 0)
    errors[receiveFields.profileIds] ??= 'Choose whose invitations or proposal updates this channel gets.';
  if (feeds.length === 0 && profiles.length > 0)
    errors[receiveFields.feeds] =
      'Choose invitations or proposal updates for these profiles, or clear the profiles.';
  return feeds.flatMap((feed) => profiles.map((profile) => ({ feed, profile })));
}

function digestArguments({ digest, digestTime }: ReceiveInputs, form: SetupForm): string | undefined {
  if (digest === form.digest && digestTime === form.digestTime) return undefined;
  if (digest !== 'off') return `at ${digestTime} ${digest}`;
  return form.digest === 'off' ? undefined : 'off';
}

/** All mistakes at once, each at its field. @param form with the chosen filter */
export function checkReceiveInputs(
  inputs: ReceiveInputs,
  form: SetupForm,
):
  | { readonly kind: 'checked'; readonly answers: ReceiveAnswers }
  | { readonly kind: 'errors'; readonly errors: FieldErrors } {
  const errors: Errors = {};
  const feeds = checkFeeds(inputs, errors);
  const ended = form.followed.filter((feed) => !inputs.kept.includes(followedKey(feed)));
  const digest = digestArguments(inputs, form);
  const first = checkFilterAnswers(form.answers, form.edited);
  const isAnything = first.kind === 'errors' || first.filter !== undefined || feeds.length + ended.length > 0;
  if (!isAnything && Object.keys(errors).length === 0)
    errors[receiveFields.feeds] =
      'Go back and choose a filter, or choose invitations or proposal updates here.';
  if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
  return { kind: 'checked', answers: { feeds, ended, digest } };
}
