/**
 * Validly signed requests with any content; triggers and response URLs are real ones of the apparent user.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { machineClock, SECOND } from '../../src/clock.ts';
import type { SentAppRequest } from '../../src/workbench/slack/simulated-slack.ts';
import { startBidWorld } from '../features/bidder.ts';
import { inviteOthers } from '../features/strangers.ts';
import { FAST, type World } from '../features/world.ts';
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
  readonly world: World;
  readonly donors: readonly Donor[];
  /** The donor as if this person had just sent it. */
  asSentBy(user: string, donor: Donor): Promise<Payload>;
  /** Signs and sends `text`, the payload's JSON. */
  send(type: Donor['type'], text: string): Promise<{ readonly status: number; readonly body: string }>;
  stop(): Promise<void>;
}

/** Adds the data that commands may use, besides a card and a setup. */
function seedMore({ marketplace }: World): void {
  const contractors = [{ uid: 'c-1', name: 'Ana' }];
  marketplace.addOrganization({ id: 7, label: 'Studio', type: 'agency', contractors });
  marketplace.addTemplate({ id: 61 });
  marketplace.addProfile({ id: 31, label: 'Ana Webb', type: 'freelancer' });
  const project = marketplace.publishProject([], {
    ciphertext: '~021',
    url: 'https://www.marketplace.example/jobs/~021',
  });
  marketplace.addInvitation({ profileId: 31, jobPostingUid: project.uid });
  marketplace.addProposal({ id: 81, profileId: 31, isHired: true, coverLetter: 'A letter' });
}

/** An app after every action, done by ada (an admin) and ben (a bidder); cem, gus and sam are bystanders. */
export async function startForger(): Promise<Forger> {
  const { world } = await startBidWorld({ mode: 'http', reviews: true, ...FAST });
  inviteOthers(world);
  world.slack.setRateLimits('off');
  seedMore(world);
  await playEverything(world);
  const donors = world.slack
    .sentRequests()
    .map(({ type, payload }) => ({ type, payload: payload as Payload }));
  // From now on the app ignores Slack's own requests: the forged ones use their triggers and URLs.
  const sink = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  world.slack.attachHttp(`http://127.0.0.1:${(sink.address() as AddressInfo).port}/`);
  return {
    world,
    donors,
    asSentBy: (user, donor) => asSentBy(world, user, donor),
    send: (type, text) => send(world, type, text),
    stop: async () => {
      sink.closeAllConnections();
      sink.close();
      await world.stop();
    },
  };
}

async function asSentBy({ slack }: World, user: string, { type, payload }: Donor): Promise<Payload> {
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

async function send(world: World, type: Donor['type'], text: string) {
  const { body, contentType } = bodyOf(type, text);
  const at = String(Math.floor(world.clock.now() / SECOND));
  const key = createHmac('sha256', world.slack.signingSecret).update(`v0:${at}:${body}`);
  const answer = await globalThis.fetch(`${world.address()}/slack/events`, {
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
