/** Gigdesk's side of Slack over the real SDK, connected to the simulated Slack. */
import { expect } from 'vitest';
import { type Clock, machineClock } from '../../src/clock.ts';
import type { HintIntake } from '../../src/hints/hints.ts';
import type { Log } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { type SlackApp, startSlackApp } from '../../src/slack/connect.ts';
import { createSlackClients, fetchBotIdentity } from '../../src/slack/core/clients.ts';
import { createPersonResolver } from '../../src/slack/core/person-resolver.ts';
import { createJsonPoster } from '../../src/slack/core/replies.ts';
import type { RouteTable, Services } from '../../src/slack/core/routes.ts';
import { createSlackCalls } from '../../src/slack/core/slack-calls.ts';
import { SlackDispatcher } from '../../src/slack/core/slack-dispatcher.ts';
import type { Forwarding } from '../../src/slack/core/slack-request.ts';
import { type ServedTeam, serveSingleTeam, type TeamHandlers } from '../../src/slack/teams.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { createMemoryStore } from '../memory-store.ts';

const half = () => 0.5;

const noHints: HintIntake = {
  isSecret: async () => false,
  takeHints: () => expect.fail('nobody sends hints'),
};

export interface Connected {
  readonly app: SlackApp;
  readonly boundary: SlackDispatcher;
  /** Log lines by level. */
  readonly logged: readonly { readonly level: string; readonly line: string }[];
}

interface ConnectGiven {
  readonly clock?: Clock;
  readonly hints?: HintIntake;
  /** The process is one of several replicas. */
  readonly cluster?: (here: ServedTeam) => { readonly teams: TeamHandlers; readonly forwarding?: Forwarding };
}

export async function connect(
  slack: SimulatedSlack,
  mode: 'socket' | 'http',
  table: RouteTable,
  { clock = machineClock, hints = noHints, ...given }: ConnectGiven = {},
): Promise<Connected> {
  const logged: { level: string; line: string }[] = [];
  const write = (level: string) => (message: string, fields?: object) => {
    logged.push({ level, line: JSON.stringify({ message, ...fields }) });
  };
  const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const botToken = new Secret(slack.botToken);
  const options = { botToken, apiUrl: slack.apiUrl, clock, log };
  const clients = createSlackClients(options);
  const identity = await fetchBotIdentity(clients);
  const calls = createSlackCalls(clients);
  const services = {
    team: identity.team,
    version: '0',
    startedAt: 0,
    timezone: 'UTC',
    clock,
    store: createMemoryStore(),
    random: half,
    log,
    slack: calls,
    // Routes of these tests use no feature.
  } as unknown as Services;
  const people = createPersonResolver({
    info: (user) => clients.main.users.info({ user }),
    members: (usergroup) => clients.main.usergroups.users.list({ usergroup }),
    access: { findGrantedRole: async () => ({ role: 'viewer', isUncertain: false }) },
    team: identity.team,
    admins: new Set(),
    clock,
    log,
  });
  const boundary = new SlackDispatcher({ table, services, people, post: createJsonPoster().post });
  const app = await startSlackApp({
    ...options,
    receive:
      mode === 'socket'
        ? { mode, appToken: new Secret(slack.appToken) }
        : { mode, signingSecret: new Secret(slack.signingSecret) },
    http: { host: '127.0.0.1', port: 0 },
    teams: serveSingleTeam({ identity, dispatcher: boundary, hints }),
    ...given.cluster?.({ kind: 'here', identity, dispatcher: boundary, hints }),
    clock,
    random: half,
  });
  if (mode === 'http') slack.attachHttp(`http://127.0.0.1:${app.port}/slack/events`);
  return { app, boundary, logged };
}
