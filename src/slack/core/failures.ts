/** Error messages for users: what failed and what to do next, with a reference into the log. Pure. */
import { findConnectionFailure, isAboutCertificate } from '../../base/connection-failure.ts';
import type { Instant, RandomSource } from '../../clock.ts';
import { ClockOffError } from '../../clock-watch.ts';
import { randomId } from '../../ids.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../../marketplace/errors.ts';
import { StorageError } from '../../storage/store.ts';
import { escapeMrkdwn, formatDate, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatDuration, formatNumber } from '../kit/numbers.ts';
import { moreCreditsAdvice } from '../kit/words/credits-text.ts';
import { NEW_TOKEN_ADVICE, NOT_CONNECTED } from '../kit/words/marketplace-failure.ts';
import { SlackCallError } from './errors.ts';
import type { Message } from './routes.ts';

type Sentence = (error: MarketplaceError, at: Instant) => string;

const LONGEST_WORDS = 300;

function tryAgain(error: MarketplaceError): string {
  const { retryAfterMs } = error.details;
  return `Try again in ${retryAfterMs === undefined ? 'a minute' : formatDuration(retryAfterMs)}.`;
}

function serverWords(error: MarketplaceError): string {
  const { serverMessage } = error.details;
  return serverMessage ? ` It says: “${safeLine(serverMessage, LONGEST_WORDS)}”.` : '';
}

function fieldLines(error: MarketplaceError): string {
  const fields = Object.entries(error.details.fields ?? {});
  return fields
    .slice(0, 10)
    .map(([field, words]) => `\n• ${safeLine(field, 80)}: ${safeLine(words, LONGEST_WORDS)}`)
    .join('');
}

const creditsDepleted: Sentence = (error) => {
  const { creditsNeeded, creditsRemaining, creditsResetAt } = error.details;
  const numbers =
    creditsNeeded === undefined || creditsRemaining === undefined
      ? ''
      : ` This needs ${formatCount(creditsNeeded, 'credit')}, ` +
        `but the account has ${formatNumber(creditsRemaining)} left.`;
  const reset = creditsResetAt === undefined ? undefined : formatDate(creditsResetAt, 'date');
  return `Not enough account credits.${numbers} ${moreCreditsAdvice(undefined, reset)}`;
};

const SENTENCES: Readonly<Record<MarketplaceErrorCode, Sentence>> = {
  'bad-request': (error) =>
    `The marketplace rejected this request.${serverWords(error)}${fieldLines(error)}\nFix it and try again.`,
  unauthorised: () => `The marketplace rejected the API token. ${NEW_TOKEN_ADVICE}`,
  'subscription-inactive': () =>
    "The marketplace team's subscription is inactive. " +
    'Ask the account owner to renew it in the dashboard, then try again.',
  'credits-depleted': creditsDepleted,
  forbidden: (error) =>
    `The API token is missing a permission for this.${serverWords(error)} Ask a team admin to check the ` +
    'token and the plan in the dashboard.',
  'not-found': () => 'The marketplace found nothing with this ID. Check it and try again.',
  'rate-limited': (error) => `The marketplace's rate limit was reached. ${tryAgain(error)}`,
  server: (error) => `The marketplace returned an error. ${tryAgain(error)}`,
  network: (error) => {
    const failure = findConnectionFailure(error);
    if (!failure) return `Couldn't reach the marketplace. ${tryAgain(error)}`;
    const doctor = 'sk the person who runs Gigdesk to run `npm run doctor`, which checks the connection.';
    return (
      `Couldn't reach the marketplace (${failure.code}). ` +
      (isAboutCertificate(failure) ? `A${doctor}` : `${tryAgain(error)} If it keeps failing, a${doctor}`)
    );
  },
  timeout: (error) => `No response from the marketplace. ${tryAgain(error)}`,
  unreadable: (error) => `Couldn't read the marketplace's response. ${tryAgain(error)}`,
  'not-connected': () => NOT_CONNECTED,
  'gate-timeout': (error, at) => {
    const { retryAfterMs } = error.details;
    const when = retryAfterMs === undefined ? 'in a minute' : `at ${formatDate(at + retryAfterMs, 'time')}`;
    return `Too many requests are waiting, so nothing was sent. Try again ${when}.`;
  },
};

const NO_TIME = 'Slack allows 3 seconds to open a window, and this took longer. Try again.';

/** Slack's errors about modals. */
const WINDOWS: ReadonlyMap<string, string> = new Map([
  ['expired_trigger_id', NO_TIME],
  ['invalid_trigger_id', NO_TIME],
  ['exchanged_trigger_id', NO_TIME],
  ['not_found', 'The window was closed. Open it again.'],
  ['hash_conflict', 'The window changed in the meantime. Try again.'],
  ['push_limit_reached', 'Too many windows are open. Close one, then try again.'],
]);

function slackSentence({ failureKind, code, isAboutView }: SlackCallError): string {
  if (isAboutView && failureKind === 'unknown')
    return (
      "Slack didn't confirm that the window opened. If it's open, continue there. " +
      "If it isn't, or if it stays empty, try again."
    );
  if (failureKind !== 'refused') return "Slack didn't respond as expected. Try again in a minute.";
  return WINDOWS.get(code) ?? `Slack rejected this: ${describeSlackError(code)}.`;
}

/** For example "This server's clock is 410 days ahead." */
export function clockErrorText(byMs: number): string {
  return `This server's clock is ${formatDuration(Math.abs(byMs))} ${byMs > 0 ? 'ahead' : 'behind'}.`;
}

function sentenceOf(error: unknown, at: Instant): string {
  if (error instanceof MarketplaceError) return SENTENCES[error.code](error, at);
  if (error instanceof SlackCallError) return slackSentence(error);
  if (error instanceof StorageError && error.code === 'full')
    return "Gigdesk's disk is full, so nothing changed. Ask the person who runs Gigdesk to free up space.";
  if (error instanceof ClockOffError)
    return (
      `${clockErrorText(error.byMs)} Nothing was sent. ` +
      'Ask the person who runs Gigdesk to correct the clock, then try again.'
    );
  return (
    'Something went wrong on our side. Try again. ' +
    'If it keeps happening, send the reference below to the person who runs Gigdesk.'
  );
}

/**
 * @param ref appears in the log next to the error itself, whose text is never shown.
 * @param at now, for sentences with a time.
 */
export function failureMessage(error: unknown, ref: string, at: Instant): Message {
  return { text: `:warning: ${sentenceOf(error, at)}\n_ref ${escapeMrkdwn(ref)}_` };
}

const WORDS: Readonly<Record<string, string>> = {
  is_archived: 'the channel is archived',
  channel_not_found: 'the channel was deleted or has a new ID, or Gigdesk was removed from it',
  not_in_channel: "Gigdesk isn't in the channel",
  restricted_action: "the channel's settings don't let apps post",
  restricted_action_read_only_channel: "the channel's settings don't let apps post",
  restricted_action_thread_only_channel: "the channel's settings don't let apps post",
  missing_scope: "Gigdesk's Slack app is missing a permission",
  no_permission: "Gigdesk's Slack app is missing a permission",
  access_denied: 'Slack denied access',
  invalid_auth: 'Slack rejected the token',
  not_authed: 'Slack rejected the token',
  token_expired: 'the token has expired',
  account_inactive: 'the Slack app was removed from the workspace',
  token_revoked: 'the Slack app was removed from the workspace',
};

/** Completes “Nothing can be posted there: …”. */
export function describeSlackError(error: string): string {
  const words = Object.hasOwn(WORDS, error) ? WORDS[error] : undefined;
  return words ?? `Slack returned ${codeOf(error)}`;
}

/** The same with Slack's own code, for readers who can look it up. */
export function describeSlackErrorWithCode(error: string): string {
  const words = Object.hasOwn(WORDS, error) ? WORDS[error] : undefined;
  return words ? `${words} (${codeOf(error)})` : describeSlackError(error);
}

function codeOf(error: string): string {
  return `\`${error.replace(/[^a-z_]/gu, '').slice(0, 60)}\``;
}

function channelUnreachableText(error: string): string {
  if (error === 'not_in_channel' || error === 'channel_not_found')
    return (
      "Gigdesk isn't in this conversation yet, so it can't post here. " +
      'Run `/invite @gigdesk`, then the command again.'
    );
  if (error === 'direct_message')
    return (
      'Subscriptions and digests only work in channels, not in direct messages. ' +
      'Go to a channel, run `/invite @gigdesk` there, then the command again.'
    );
  if (error === 'missing_scope')
    return (
      "Slack doesn't let Gigdesk read this conversation. " +
      "In a group message that's normal: use a channel instead. " +
      'In a channel, ask the person who runs Gigdesk to run `npm run doctor`, ' +
      'which names the missing permission.'
    );
  const why = describeSlackError(error);
  return `Couldn't post in this conversation: ${why}. Nothing was changed. Try another channel.`;
}

/** @param error Slack's error code for the channel. */
export function channelUnreachableMessage(error: string): Message {
  return { text: channelUnreachableText(error) };
}

/** A short reference for both the reply and the log, without characters that look alike. */
export function createErrorReference(random: RandomSource): string {
  return randomId(random, 5, '23456789ABCDEFGHJKLMNPQRSTUVWXYZ');
}
