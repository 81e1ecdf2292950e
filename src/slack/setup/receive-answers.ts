/**
 * Reads and checks what else a channel gets, as people put it into the setup form; all of it is input from
 * outside. Pure.
 */
import type { ProfileFeedKind } from '../../profiles/profiles.ts';
import type { ViewValues } from '../core/routes.ts';
import { parseFilterId } from '../kit/words/filters.ts';
import { checkFilterAnswers, type FieldErrors } from './setup-answers.ts';
import type { FollowedFeed, ReceiveInputs, SetupForm } from './setup-forms.ts';

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

export interface RequestedFeed {
  readonly feed: ProfileFeedKind;
  /** An ID, as text. */
  readonly profile: string;
}

/** Only what the person changed. */
export interface ReceiveAnswers {
  readonly feeds: readonly RequestedFeed[];
  /** Followed until now. */
  readonly ended: readonly FollowedFeed[];
  /** The arguments of `/gig digest`. */
  readonly digest?: string;
}

type ReceiveCheck =
  | { readonly kind: 'checked'; readonly answers: ReceiveAnswers }
  | { readonly kind: 'errors'; readonly errors: FieldErrors };

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

function checkFeeds(inputs: ReceiveInputs, errors: Errors): readonly RequestedFeed[] {
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
export function checkReceiveInputs(inputs: ReceiveInputs, form: SetupForm): ReceiveCheck {
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
