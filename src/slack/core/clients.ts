/**
 * Creates the two Web API clients, fetches the bot's identity, and retries until Slack responds. Why two:
 * docs/decisions/0004-slack.md.
 */
import { type Logger, LogLevel } from '@slack/bolt';
import {
  type FetchFunction,
  type WebAPICallResult,
  WebAPIHTTPError,
  WebAPIRequestError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { z } from 'zod';
import { backoffMs } from '../../base/backoff.ts';
import { findConnectionFailure } from '../../base/connection-failure.ts';
import { type Clock, type RandomSource, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { TeamId, UserId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { Secret } from '../../secret.ts';
import { SlackCallError, toSlackCallError } from './errors.ts';
import type { SlackClients } from './slack-calls.ts';

/**
 * Repeats calls by the app's clock; the SDK's own retries use the machine's timers. Only for calls that may
 * be repeated although Slack has done them: an answer can get lost.
 */
class RetryingWebClient extends WebClient {
  readonly #clock: Clock;

  /** @param options with the SDK's own retries off */
  constructor(token: string, options: WebClientOptions, clock: Clock) {
    super(token, options);
    this.#clock = clock;
  }

  /** Every method of the Web API goes through it. */
  override async apiCall(...call: Parameters<WebClient['apiCall']>): Promise<WebAPICallResult> {
    for (let failures = 1; ; failures++) {
      try {
        return await super.apiCall(...call);
      } catch (thrown) {
        // A refusal or a 429 is an answer.
        const isUnanswered = thrown instanceof WebAPIRequestError || thrown instanceof WebAPIHTTPError;
        if (failures > 2 || !isUnanswered) throw thrown;
      }
      await this.#clock.sleep(backoffMs(failures, SECOND, 10 * SECOND));
    }
  }
}

export interface ClientOptions {
  readonly botToken: Secret;
  /** Slack's own when absent. */
  readonly apiUrl?: string;
  readonly fetch?: FetchFunction;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * @param hooks `beforeSending`: when it throws, nothing is sent. `onDate` gets the Date header of each
 * response, and must not throw
 */
export function wrapFetch(
  fetch: FetchFunction,
  hooks: { readonly beforeSending?: () => Promise<void>; readonly onDate: (date: unknown) => void },
): FetchFunction {
  return async (input, init) => {
    await hooks.beforeSending?.();
    const answer = await fetch(input, init);
    hooks.onDate(answer.headers.get('date'));
    return answer;
  };
}

/** What failed calls end with names only that they failed. The address may have a secret. */
function logFailures(fetch: FetchFunction, log: Log): FetchFunction {
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (thrown) {
      const failure = findConnectionFailure(thrown);
      if (failure) log.warn('Slack request failed', { cause: failure.code, help: failure.help });
      throw thrown;
    }
  };
}

/**
 * New options each time, since the SDK changes them. Never set `headers`: the SDK shares it between clients.
 * Its retries are off: they use timers of their own. Left out, Socket Mode would retry 100 times.
 */
export function createWebClientOptions(options: Omit<ClientOptions, 'botToken' | 'clock'>): WebClientOptions {
  return {
    slackApiUrl: options.apiUrl || undefined,
    fetch: logFailures(options.fetch ?? globalThis.fetch, options.log),
    logger: createSdkLog(options.log),
    retryConfig: { retries: 0 },
    timeout: 10 * SECOND,
    // Otherwise one 429 stops all calls of the client for as long as Slack demands.
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  };
}

export function createSlackClients(options: ClientOptions): SlackClients {
  const token = options.botToken.reveal();
  return {
    main: new RetryingWebClient(token, createWebClientOptions(options), options.clock),
    withoutRetries: new WebClient(token, createWebClientOptions(options)),
  };
}

/** The workspace and bot of the token. */
export interface BotIdentity {
  readonly team: TeamId;
  readonly botUserId: UserId;
  readonly botId: string;
  /** `https://acme.slack.com/`, for links to messages; missing if Slack named none. */
  readonly workspaceUrl?: string;
  /** The token's permissions; undefined if Slack names none. */
  readonly scopes: readonly string[] | undefined;
}

const lenient = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);
const AuthTest = z.object({
  team_id: TeamId,
  user_id: UserId,
  bot_id: z.string(),
  url: lenient(z.url({ protocol: /^https$/u })),
  response_metadata: lenient(z.object({ scopes: z.array(z.string()).optional() })),
});

/** @throws SlackCallError when Slack refuses the token or is unreachable; ZodError unless it is a bot's */
export async function fetchBotIdentity(clients: SlackClients): Promise<BotIdentity> {
  try {
    const answer = AuthTest.parse(await clients.main.auth.test());
    const { team_id: team, user_id: botUserId, bot_id: botId, url: workspaceUrl } = answer;
    const scopes = answer.response_metadata?.scopes;
    return { team, botUserId, botId, scopes, workspaceUrl };
  } catch (thrown) {
    throw thrown instanceof z.ZodError ? thrown : toSlackCallError(thrown);
  }
}

function lineOf(words: readonly unknown[]): string {
  return words
    .map((word) => (typeof word === 'string' ? word : word instanceof Error ? word.message : typeof word))
    .join(' ')
    .replace(/\bx(?:ox[a-z]|app)(?:\.[a-z]+)?-[\w-]+/giu, '[secret]')
    .replace(/\b(?:https?|wss?):\/\/\S+/giu, '[address]')
    .slice(0, 500);
}

/**
 * Forwards the SDK's log lines to our log. Drops debug lines, which contain raw payloads, and removes tokens
 * and secret URLs from the others.
 */
export function createSdkLog(log: Log): Logger {
  return {
    debug: () => undefined,
    info: (...words) => log.info('slack sdk', { line: lineOf(words) }),
    warn: (...words) => log.warn('slack sdk', { line: lineOf(words) }),
    error: (...words) => log.error('slack sdk', { line: lineOf(words) }),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}

/** Resolves with `work`'s value or rejects with the signal's reason. `work` keeps running. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * Retries until Slack answers.
 * @throws SlackCallError when Slack refuses, since waiting doesn't help; any error that isn't Slack's; the
 * signal's reason.
 */
export async function retryUntilSlackResponds<T>(
  attempt: () => Promise<T>,
  options: Pick<ClientOptions, 'clock' | 'log'> & {
    readonly random: RandomSource;
    readonly signal: AbortSignal;
  },
): Promise<T> {
  const { clock, random, log, signal } = options;
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    try {
      return await unlessAborted(attempt(), signal);
    } catch (thrown) {
      if (!(thrown instanceof SlackCallError && thrown.failureKind !== 'refused') || signal.aborted)
        throw thrown;
      log.warn('could not reach Slack, retrying', { failures, error: asError(thrown) });
    }
    const pauseMs = backoffMs(failures, SECOND, 30 * SECOND);
    await clock.sleep(pauseMs * (0.5 + random() / 2), signal);
  }
}
