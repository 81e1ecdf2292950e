/**
 * Validly signed requests with any content; triggers and response URLs are real ones of the apparent user.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import type { SentAppRequest } from '../../src/workbench/slack/simulated-slack.ts';
import { type Desk, startDesk } from '../kit/start-desk.ts';
import type { Json } from './hostile-json.ts';
import { playEverything } from './play-everything.ts';

type Fields = { readonly [name: string]: Json };
export type Payload = Fields;

/** A real request, caused by the action of a person with a role. */
export interface Donor {
  readonly type: SentAppRequest['type'];
  readonly payload: Payload;
}

export interface Forger {
  readonly desk: Desk;
  readonly donors: readonly Donor[];
  /** The donor as if this person had just sent it. */
  asSentBy(user: string, donor: Donor): Promise<Payload>;
  /** Signs and sends `text`, the payload's JSON. */
  send(type: Donor['type'], text: string): Promise<{ readonly status: number; readonly body: string }>;
  stop(): Promise<void>;
}

/** Adds the data that commands may use, besides a card and a setup. */
function seedMore({ market: { service, publish } }: Desk): void {
  publish();
  const contractors = [{ uid: 'c-1', name: 'Ana' }];
  service.addOrganization({ id: 7, label: 'Studio', type: 'agency', contractors });
  service.addTemplate({ id: 61 });
  service.addProfile({ id: 31, label: 'Ana Webb', type: 'freelancer' });
  const project = service.publishProject([], {
    ciphertext: '~021',
    url: 'https://www.marketplace.example/jobs/~021',
  });
  service.addInvitation({ profileId: 31, jobPostingUid: project.uid });
  service.addProposal({ id: 81, profileId: 31, isHired: true, coverLetter: 'A letter' });
}

/** An app after every action, done by ada (an admin) and ben (a bidder); cem, gus and sam are bystanders. */
export async function startForger(): Promise<Forger> {
  const fast = { requestsPerMinute: 500, env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' } };
  const desk = await startDesk({ mode: 'http', reviews: true, ...fast });
  const { slack } = desk;
  slack.setRateLimits('off');
  desk.person('cem');
  desk.person('gus', { guest: 'multi' });
  desk.person('sam', { stranger: true });
  for (const name of ['gus', 'sam']) slack.invite('web', name);
  seedMore(desk);
  await desk.pass(MINUTE);
  await playEverything(desk, ['ada', 'ben']);
  const donors = slack.sentRequests().map(({ type, payload }) => ({ type, payload: payload as Payload }));
  // From now on the app ignores Slack's own requests: the forged ones use their triggers and URLs.
  const sink = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  slack.attachHttp(`http://127.0.0.1:${(sink.address() as AddressInfo).port}/`);
  return {
    desk,
    donors,
    asSentBy: (user, donor) => asSentBy(desk, user, donor),
    send: (type, text) => send(desk, type, text),
    stop: async () => {
      sink.closeAllConnections();
      sink.close();
      await desk.stop();
    },
  };
}

async function asSentBy({ slack }: Desk, user: string, { type, payload }: Donor): Promise<Payload> {
  const { id, name } = slack.user(user);
  const team = user === 'sam' ? 'T0STRANGE' : slack.team.id;
  if (type === 'events_api') {
    const event = payload['event'] as Fields;
    return {
      ...payload,
      event_id: `Ev${slack.sentRequests().length}${machineClock.now()}`,
      event: { ...event, user: id },
    };
  }
  const { triggerId, responseUrl } = await slack.runSlashCommand({ user, channel: 'web', text: 'help' });
  const fresh = {
    trigger_id: triggerId,
    ...('response_url' in payload ? { response_url: responseUrl ?? '' } : {}),
  };
  return type === 'slash_commands'
    ? { ...payload, ...fresh, user_id: id, user_name: name }
    : { ...payload, ...fresh, user: { id, name, username: name, team_id: team } };
}

function formOf(text: string): string {
  try {
    const fields: unknown = JSON.parse(text);
    const given = typeof fields === 'object' && fields !== null ? Object.entries(fields) : [];
    return given
      .map(([name, value]) => {
        const written = typeof value === 'string' ? value : JSON.stringify(value);
        return `${encodeURIComponent(name)}=${encodeURIComponent(written)}`;
      })
      .join('&');
  } catch {
    return text;
  }
}

/** Unpaired surrogates can't be sent. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function bodyOf(type: Donor['type'], text: string): { readonly body: string; readonly contentType: string } {
  const form = 'application/x-www-form-urlencoded';
  if (type === 'events_api') return { body: text, contentType: 'application/json' };
  if (type === 'slash_commands') return { body: formOf(wellFormed(text)), contentType: form };
  return { body: `payload=${encodeURIComponent(wellFormed(text))}`, contentType: form };
}

async function send({ slack, app }: Desk, type: Donor['type'], text: string) {
  const { body, contentType } = bodyOf(type, text);
  const at = String(Math.floor(app.clock.now() / SECOND));
  const key = createHmac('sha256', slack.signingSecret).update(`v0:${at}:${body}`);
  const answer = await globalThis.fetch(`${app.address()}/slack/events`, {
    method: 'POST',
    body,
    headers: {
      'content-type': contentType,
      'x-slack-request-timestamp': at,
      'x-slack-signature': `v0=${key.digest('hex')}`,
    },
  });
  return { status: answer.status, body: await answer.text() };
}
