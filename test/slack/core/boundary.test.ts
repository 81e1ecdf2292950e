import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/clock.ts';
import { UserId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { failureMessage } from '../../../src/slack/core/failures.ts';
import {
  notAllowedMessage,
  otherWorkspaceMessage,
  restartingMessage,
  unknownButtonMessage,
  unknownCommandMessage,
  unreadableRequestMessage,
} from '../../../src/slack/core/request-errors.ts';
import type { ActionCall, CommandCall } from '../../../src/slack/core/routes.ts';
import { assertUniqueRoutes } from '../../../src/slack/core/slack-dispatcher.ts';
import { turn } from '../delivery/delivery-world.ts';
import { BoundaryWorld } from './boundary-world.ts';

/** The text of an internal error, before its reference. */
const [OURS = ''] = failureMessage(new Error('any'), 'ref', 0).text.split('\n');
const VIEWER = { user: UserId.parse('UVIEWER'), role: 'viewer' } as const;

/** The reference in a text. */
const refOf = (text = '') => /ref (\w{5})/u.exec(text)?.[1] ?? expect.fail('no reference');

let world: BoundaryWorld;
beforeEach(() => {
  world = new BoundaryWorld();
});

describe('a command', () => {
  it('is acknowledged before any work, and the work goes on behind', async () => {
    let finish: () => void = () => undefined;
    world.work = async () => {
      expect(world.acks).toBe(1);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    };
    await world.command('lookup x');
    expect([world.acks, world.boundary.isIdle]).toEqual([1, false]);
    finish();
    await turn();
    expect(world.boundary.isIdle).toBe(true);
  });

  it('reaches its handler with its arguments as they were typed', async () => {
    await world.command('  LookUp   a &lt;b&gt; &amp; c\nd ');
    expect(world.calls[0]).toMatchObject({ args: 'a <b> & c\nd', channel: 'C1', person: { role: 'viewer' } });
  });

  it('alone shows the menu', async () => {
    await world.command('');
    expect(world.calls).toHaveLength(1);
  });

  it('that is mistyped gets a guess, and nothing that it holds can mention anybody', async () => {
    await world.command('lokup x');
    await world.command('&lt;!channel&gt;');
    expect(world.texts).toHaveLength(2);
    for (const fact of ['`lokup`', '`/gig lookup`']) expect(world.texts[0]).toContain(fact);
    expect(world.texts[1]).toContain('`&lt;!channel&gt;`');
    expect(world.texts).toMatchSnapshot();
  });

  it('gets all guesses that are equally near', () => {
    const known = ['list', 'stats', 'status'];
    const named = (word: string) =>
      [...unknownCommandMessage(word, known).text.matchAll(/`\/gig (\w+)`/gu)].map(([, command]) => command);
    expect(named('statsu')).toEqual(['stats', 'status', 'help']);
    expect(named('nonsense')).toEqual(['help']);
  });

  it('suggests the command for a word that people type instead, if there is such a command', () => {
    const named = (word: string, known: readonly string[]) =>
      [...unknownCommandMessage(word, known).text.matchAll(/`\/gig (\w+)`/gu)].map(([, command]) => command);
    expect(named('Follow', ['list', 'subscribe'])).toEqual(['subscribe', 'help']);
    expect(named('follow', ['list'])).toEqual(['help']);
    expect(named('constructor', ['list'])).toEqual(['help']);
  });

  it('is answered to the person alone, or to the channel where the handler says so', async () => {
    world.work = async (call) => {
      await (call as CommandCall).answer({ text: 'for you' });
      await (call as CommandCall).answer({ text: 'for all' }, 'channel');
    };
    await world.command('lookup');
    expect(world.answers.map((it) => it.body)).toMatchObject([
      { text: 'for you', response_type: 'ephemeral' },
      { text: 'for all', response_type: 'in_channel' },
    ]);
  });

  it('is answered through the Web API once the response_url is used up, expired or refused', async () => {
    world.work = async (call) => {
      for (let n = 1; n <= 6; n++) await (call as CommandCall).answer({ text: `${n}` });
      world.clock.moveBy(31 * MINUTE);
      await (call as CommandCall).answer({ text: 'late' });
    };
    await world.command('lookup');
    expect(world.answers.map((it) => it.via)).toEqual([
      ...Array(5).fill('response_url'),
      'ephemeral',
      'ephemeral',
    ]);
    world.responseStatus = 404;
    world.work = (call) => (call as CommandCall).answer({ text: 'refused' });
    await world.command('lookup');
    expect(world.answers.at(-1)).toEqual({ via: 'ephemeral', channel: 'C1', text: 'refused' });
  });
});

describe('roles', () => {
  it('are checked at every call: a refusal says who may do it', async () => {
    await world.command('budget 100');
    await world.press('spend');
    expect(world.calls).toEqual([]);
    expect(world.texts).toEqual([
      notAllowedMessage(VIEWER, 'admin').text,
      notAllowedMessage(VIEWER, 'bidder').text,
    ]);
    expect(world.texts).toMatchSnapshot();
    await world.command('budget 100', { user_id: 'UADMIN' });
    await world.press('spend', { user: { id: 'UBIDDER', team_id: 'T1' } });
    expect(world.calls).toHaveLength(2);
  });

  it('of people are what Slack says on request, whatever workspace a payload names for them', async () => {
    await world.press('press', { user: { id: 'UGUEST', team_id: 'T1' } });
    expect(world.calls).toEqual([]);
    expect(world.texts).toEqual([notAllowedMessage({ ...VIEWER, role: 'outsider' }, 'viewer').text]);
    expect(world.texts).toMatchSnapshot();
    await world.press('press', { user: { id: 'UADMIN', team_id: 'T2' } });
    expect(world.calls[0]).toMatchObject({ person: { role: 'admin' } });
  });

  it('that Slack could not tell are no accusation: the refusal says to try again', async () => {
    await world.command('lookup', { user_id: 'UNKNOWN' });
    expect(world.calls).toEqual([]);
    expect(world.texts).toEqual([notAllowedMessage({ ...VIEWER, unsure: true }, 'viewer').text]);
    expect(world.texts).toMatchSnapshot();
  });

  it('are asked for the channel of the call', async () => {
    await world.command('lookup', { user_id: 'ULOCAL', channel_id: 'C7' });
    await world.press('spend', { user: { id: 'ULOCAL', team_id: 'T1' }, channel: { id: 'C7' } });
    await world.press('spend', { user: { id: 'ULOCAL', team_id: 'T1' }, channel: { id: 'C1' } });
    expect(world.calls).toMatchObject([{ person: { role: 'bidder' } }, { person: { role: 'bidder' } }]);
  });
});

describe('a failure', () => {
  it('is told in a sentence with a reference that stands in the log with the error', async () => {
    world.work = () => Promise.reject(new Error('secret inner words'));
    await world.command('lookup');
    const ref = /ref (\w{5})_/u.exec(world.texts[0] ?? '')?.[1];
    expect(ref).toBeDefined();
    expect(world.texts[0]).not.toContain('secret inner words');
    expect(world.logged.find((it) => it.level === 'error')?.fields).toMatchObject({
      ref,
      error: { message: 'secret inner words' },
      user: 'UVIEWER',
      channel: 'C1',
    });
  });

  it('of the marketplace says what to do next', async () => {
    world.work = () => Promise.reject(new MarketplaceError('unauthorised', 'none', 'HTTP 401'));
    await world.press('press');
    expect(world.texts[0]).toContain('`MARKETPLACE_API_TOKEN`');
  });

  it('by a message that breaks limits is told too, and the message is not sent', async () => {
    world.work = (call) => (call as CommandCall).answer({ text: 'x', blocks: [{ type: 'section' }] });
    await world.command('lookup');
    expect(world.texts).toHaveLength(1);
    expect(world.texts[0]).toContain(OURS);
  });
});

describe('a press', () => {
  it('reaches its handler with value, message and view', async () => {
    await world.press('press');
    expect(world.calls[0]).toMatchObject({ value: 'the value', message: { ts: '1.5' } });
    await world.press('press', {
      message: undefined,
      channel: undefined,
      view: { id: 'V1', private_metadata: 'm' },
      actions: [{ action_id: 'press', selected_option: { value: 'chosen' } }],
    });
    expect(world.calls[1]).toMatchObject({ value: 'chosen', view: { id: 'V1', privateMetadata: 'm' } });
  });

  it('in a view without an address is answered in the direct messages', async () => {
    world.work = (call) => (call as ActionCall).answer({ text: 'hello' });
    await world.press('press', { channel: undefined, response_url: undefined, message: undefined });
    expect(world.answers).toEqual([{ via: 'post', channel: 'UVIEWER', text: 'hello' }]);
  });

  it('can replace the pressed message where the person alone sees it', async () => {
    world.work = (call) => (call as ActionCall).replace({ text: 'new' });
    await world.press('press', { container: { is_ephemeral: true } });
    expect(world.answers[0]?.body).toEqual({ text: 'new', replace_original: true });
    await world.press('press', { container: { is_ephemeral: false } });
    expect(world.answers[1]?.body).toMatchObject({ text: 'new', replace_original: false });
  });

  it('of a button of an older version is answered; of a plain link it needs no answer', async () => {
    await world.press('gone_for_long');
    await world.press('open_link');
    expect(world.texts).toEqual([unknownButtonMessage().text]);
    expect(world.acks).toBe(2);
  });
});

describe('what is not to be done', () => {
  it('a call that Slack sends again runs once', async () => {
    await world.command('lookup', { trigger_id: 'same' });
    await world.command('lookup', { trigger_id: 'same' });
    expect([world.calls.length, world.acks]).toEqual([1, 2]);
  });

  it('an event that Slack sends again runs once', async () => {
    const event = {
      channel: 'C1',
      user: 'U1',
      message_ts: '1.1',
      links: [{ url: 'https://a.example', domain: 'a' }],
    };
    for (const event_id of ['Ev1', 'Ev1', 'Ev2'])
      world.boundary.events.linkShared({ team_id: 'T1', event_id, event });
    world.boundary.events.linkShared({
      team_id: 'T1',
      event_id: 'Ev3',
      event: { ...event, source: 'composer' },
    });
    world.boundary.events.linkShared({ team_id: 'T2', event_id: 'Ev4', event });
    await turn();
    expect(world.calls).toHaveLength(2);
  });

  it("an event of another company's person in a shared channel is handled", async () => {
    const links = [{ url: 'https://a.example', domain: 'a' }];
    const event = { channel: 'C1', user: 'U9', message_ts: '1.1', links };
    const shared = { team_id: 'T9', event_id: 'Ev1', event, authorizations: [{ team_id: 'T1' }] };
    world.boundary.events.linkShared(shared);
    world.boundary.events.linkShared({ ...shared, event_id: 'Ev2', authorizations: [{ team_id: 'T2' }] });
    await turn();
    expect(world.calls).toHaveLength(1);
  });

  it('a press in a form that our workspace opened is ours, wherever the person belongs', async () => {
    const view = { id: 'V1', app_installed_team_id: 'T1' };
    await world.press('read', { view, team: { id: 'T9' }, user: { id: 'UGUEST', team_id: 'T9' } });
    await world.press('press', { view, team: { id: 'T9' }, user: { id: 'UGUEST', team_id: 'T9' } });
    expect(world.calls).toMatchObject([{ person: { role: 'outsider' } }]);
  });

  it('a call of another workspace is refused with a sentence, and logged', async () => {
    await world.command('lookup', { team_id: 'T2' });
    await world.press('press', { team: { id: 'T2' } });
    expect(world.calls).toEqual([]);
    expect(world.texts[0]).toBe(otherWorkspaceMessage().text);
    expect(
      world.logged.filter(({ level, fields }) => level === 'warn' && fields?.['team'] === 'T2'),
    ).toHaveLength(2);
  });

  it('a payload in another shape is refused with a reference, and nothing of it is logged', async () => {
    for (const wrong of [{ user_id: '<!channel>' }, { channel_id: 7 }, { text: 'x'.repeat(20_000) }])
      await world.command('lookup', wrong);
    for (const body of [undefined, null, 'text', []]) await world.boundary.action(body, world.ack);
    await turn();
    expect(world.calls).toEqual([]);
    expect(world.texts).toHaveLength(3);
    expect(world.texts[0]).toBe(unreadableRequestMessage(refOf(world.texts[0])).text);
    expect(JSON.stringify(world.logged)).not.toContain('hooks.example');
  });

  it('a malformed payload without response_url is refused at its source, or to the person', async () => {
    const odd = { response_url: undefined, actions: [{ action_id: 'press', value: 7 }] };
    await world.press('press', odd);
    await world.press('press', { ...odd, channel: undefined });
    expect(world.answers).toMatchObject([
      { via: 'ephemeral', channel: 'C1' },
      { via: 'post', channel: 'UVIEWER' },
    ]);
    for (const text of world.texts) expect(text).toBe(unreadableRequestMessage(refOf(text)).text);
  });

  it('a press is taken in without what Slack may leave out, or set to null', async () => {
    const bare = { team: null, container: null, message: null, view: null, response_url: null };
    await world.press('press', bare);
    await world.press('press', { ...bare, channel: null, container: { thread_ts: null } });
    await world.press('press', { user: { id: 'UVIEWER', team_id: null } });
    expect(world.calls).toHaveLength(3);
  });

  it('a call that names no workspace at all is refused with a sentence', async () => {
    await world.press('press', { team: null, user: { id: 'UVIEWER' } });
    expect(world.calls).toEqual([]);
    expect(world.texts[0]).toBe(otherWorkspaceMessage().text);
  });

  it('of shared links, one that can not be read keeps no other from being shown', async () => {
    const links = [{ url: 'https://a.example' }, { url: 7 }, null, { url: 'x'.repeat(4_000), domain: 'x' }];
    const event = { channel: 'C1', user: 'U1', message_ts: '1.1', links };
    world.boundary.events.linkShared({ team_id: 'T1', event_id: 'Ev9', event });
    await turn();
    expect(world.calls).toMatchObject([{ links: [{ url: 'https://a.example' }] }]);
  });

  it('nothing new is begun while stopping; what is under way is waited for until the deadline', async () => {
    world.work = () => new Promise(() => undefined);
    await world.command('lookup');
    const stopped = world.boundary.stop(10 * SECOND);
    await world.command('lookup');
    expect(world.texts).toEqual([restartingMessage().text]);
    world.clock.moveBy(10 * SECOND);
    expect(await stopped).toBe(1);
  });

  it('what came before a stop is handled: Slack was told that it arrived', async () => {
    const links = [{ url: 'https://a.example', domain: 'a' }];
    const event = { channel: 'C1', user: 'U1', message_ts: '1.1', links };
    const command = world.command('lookup');
    world.boundary.events.linkShared({ team_id: 'T1', event_id: 'Ev1', event });
    const stopped = world.boundary.stop(10 * SECOND);
    await command;
    expect(await stopped).toBe(0);
    expect([world.calls.length, world.texts]).toEqual([2, []]);
  });

  it('an event that the end cuts off is no error in the log, one that fails is', async () => {
    const links = [{ url: 'https://a.example', domain: 'a' }];
    const event = { channel: 'C1', user: 'U1', message_ts: '1.1', links };
    const failures: ((error: Error) => void)[] = [];
    world.work = () => new Promise((_, reject) => failures.push(reject));
    const share = async (event_id: string) => {
      world.boundary.events.linkShared({ team_id: 'T1', event_id, event });
      await turn();
    };
    await share('Ev1');
    await share('Ev2');
    failures[0]?.(new Error('broken'));
    await turn();
    const stopped = world.boundary.stop(10 * SECOND);
    failures[1]?.(new Error('The store is closed.'));
    await stopped;
    expect(world.logged.map(({ level }) => level)).toEqual(['error', 'warn']);
  });
});

it('a slow acknowledgement is logged', async () => {
  await world.boundary.command(
    {},
    async () => {
      world.clock.moveBy(2_600);
    },
    world.clock.now(),
  );
  expect(world.logged).toContainEqual({
    level: 'warn',
    message: expect.any(String),
    fields: { kind: 'command', tookMs: 2_600 },
  });
});

it('two routes of one name are refused at the start', () => {
  const action = { id: 'a', needs: 'viewer', run: async () => undefined } as const;
  expect(() =>
    assertUniqueRoutes({ commands: [], actions: [action, action], shortcuts: [], views: [], events: {} }),
  ).toThrow(RangeError);
});
