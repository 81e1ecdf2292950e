/** Creates the two Web API clients and fetches the bot's identity. Why two: docs/decisions/0004-slack.md. */
import { type FetchFunction, WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import { SECOND } from '../../clock.ts';
import { TeamId, UserId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { Secret } from '../../secret.ts';
import { toSlackCallError } from './errors.ts';
import { createSdkLog } from './sdk-log.ts';
import type { SlackClients } from './slack-calls.ts';

export interface ClientOptions {
  readonly botToken: Secret;
  /** Slack's own when absent. */
  readonly apiUrl?: string;
  readonly fetch?: FetchFunction;
  readonly log: Log;
}

/** Wraps `fetch` to report the Date header of each response. `onDate` must not throw. */
export function wrapFetchToReportDates(fetch: FetchFunction, onDate: (date: unknown) => void): FetchFunction {
  return async (input, init) => {
    const answer = await fetch(input, init);
    onDate(answer.headers.get('date'));
    return answer;
  };
}

const TIMEOUT_MS = 10 * SECOND;

/**
 * New options each time, since the SDK changes them. Never set `headers`: the SDK shares it between clients.
 */
export function createWebClientOptions(
  options: Omit<ClientOptions, 'botToken'>,
  retries: number,
): WebClientOptions {
  return {
    ...(options.apiUrl ? { slackApiUrl: options.apiUrl } : {}),
    ...(options.fetch ? { fetch: options.fetch } : {}),
    logger: createSdkLog(options.log),
    retryConfig: { retries },
    timeout: TIMEOUT_MS,
    // Otherwise one 429 stops all calls of the client for as long as Slack demands.
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  };
}

export function createSlackClients(options: ClientOptions): SlackClients {
  const token = options.botToken.reveal();
  return {
    main: new WebClient(token, createWebClientOptions(options, 2)),
    withoutRetries: new WebClient(token, createWebClientOptions(options, 0)),
  };
}

/** The workspace and bot of the token. */
export interface BotIdentity {
  readonly team: TeamId;
  readonly botUserId: UserId;
  readonly botId: string;
}

const AuthTest = z.object({ team_id: TeamId, user_id: UserId, bot_id: z.string() });

/**
 * @throws SlackCallError when Slack refuses the token or is unreachable; ZodError for a token that isn't a
 * bot's.
 */
export async function fetchBotIdentity(clients: SlackClients): Promise<BotIdentity> {
  try {
    const answer = AuthTest.parse(await clients.main.auth.test());
    return { team: answer.team_id, botUserId: answer.user_id, botId: answer.bot_id };
  } catch (thrown) {
    throw thrown instanceof z.ZodError ? thrown : toSlackCallError(thrown);
  }
}
