import type { ModalView } from '@slack/types';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { ChannelId } from '../../src/ids.ts';
import type { ActionCall, SubmissionAnswer, ViewPlace, ViewValues } from '../../src/slack/routes.ts';
import { loadingView, noticeView } from '../../src/slack/views/plain-view.ts';
import { BoundaryWorld } from './boundary-world.ts';
import { turn } from './delivery-world.ts';

const channel = ChannelId.parse('C7');
const input = (value: unknown) => ({ value: { type: 'plain_text_input', value } });

let world: BoundaryWorld;
beforeEach(() => {
  world = new BoundaryWorld();
});

/** What a route sees of these values. */
async function seenValues(values: unknown): Promise<ViewValues> {
  let seen: ViewValues = new Map();
  world.submit = async ({ view }) => {
    seen = view.values;
    return { kind: 'close' };
  };
  await world.submitView({ state: { values } });
  return seen;
}

describe('what was filled in', () => {
  it('reaches the route as it was typed and chosen, by the blocks that hold it', async () => {
    const values = await seenValues({
      amount: input('  50\n\n '),
      menu: { x: { type: 'static_select', selected_option: { text: {}, value: 'seven' } } },
      boxes: { x: { type: 'checkboxes', selected_options: [{ value: 'a' }, { value: 'b' }] } },
      people: { x: { type: 'multi_users_select', selected_users: ['U1', 'W2'] } },
      person: { x: { type: 'users_select', selected_user: 'U1' } },
      moment: { x: { type: 'datetimepicker', selected_date_time: 1_795_165_000 } },
    });
    expect(Object.fromEntries(values)).toEqual({
      amount: { text: '  50\n\n ' },
      menu: { option: 'seven' },
      boxes: { options: ['a', 'b'] },
      people: { users: ['U1', 'W2'] },
      person: { users: ['U1'] },
      moment: { at: 1_795_165_000_000 },
    });
  });

  it('is missing where it is empty', async () => {
    const values = await seenValues({
      amount: input(null),
      letter: input(''),
      menu: { x: { selected_option: null } },
      boxes: { x: { selected_options: [] } },
      people: { x: { selected_users: [] } },
      moment: { x: { selected_date_time: null } },
      nothing: {},
    });
    expect([...values]).toEqual([]);
  });

  it('holds any text to the character, and hostile names do no harm', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 3_000 }),
        fc.constantFrom('__proto__', 'constructor', 'toString', 'amount'),
        async (text, blockId) => {
          const values: unknown = JSON.parse(
            JSON.stringify({ values: [[blockId, input(text)]] }),
            (key, value: unknown) =>
              key === 'values' && Array.isArray(value) ? Object.fromEntries(value) : value,
          );
          const seen = await seenValues((values as { values: unknown }).values);
          expect(seen.get('hasOwnProperty')).toBeUndefined();
          if (blockId !== '__proto__') expect(seen.get(blockId)).toEqual({ text });
          expect(({} as Record<string, unknown>)['text']).toBeUndefined();
        },
      ),
      { numRuns: 50 },
    );
  });

  it('goes along with a press in the view, and the value is the chosen option', async () => {
    await world.press('press', {
      message: undefined,
      channel: undefined,
      response_url: undefined,
      view: {
        id: 'V1',
        hash: 'h7',
        callback_id: 'form',
        private_metadata: 'draft',
        state: { values: { amount: input(' 50') } },
      },
      actions: [
        { action_id: 'press', type: 'static_select', value: null, selected_option: { value: 'chosen' } },
      ],
    });
    expect(world.calls[0]).toMatchObject({
      value: 'chosen',
      view: { id: 'V1', hash: 'h7', callbackId: 'form', privateMetadata: 'draft' },
    });
    expect((world.calls[0] as ActionCall).view?.values.get('amount')).toEqual({ text: ' 50' });
  });
});

describe('the acknowledgement of a submitted view', () => {
  const view = noticeView('Done', 'All is well.');

  it.each<[SubmissionAnswer, unknown]>([
    [{ kind: 'close' }, undefined],
    [{ kind: 'close-all' }, { response_action: 'clear' }],
    [
      { kind: 'update', view },
      { response_action: 'update', view },
    ],
    [
      { kind: 'push', view },
      { response_action: 'push', view },
    ],
    [
      { kind: 'errors', errors: { letter: 'Too long.' } },
      { response_action: 'errors', errors: { letter: 'Too long.' } },
    ],
  ])('says what its route decided: %j', async (answer, body) => {
    world.submit = async () => answer;
    await world.submitView();
    expect(world.viewAcks).toEqual([body]);
  });

  it('shows errors of inputs that are not there at the first one that is, so that Slack takes them', async () => {
    const errors = { intro: 'A.', ['__proto__']: 'B.', amount: 'C.', letter: 'D.' };
    world.submit = async () => ({ kind: 'errors', errors });
    await world.submitView();
    expect(world.viewAcks).toEqual([
      { response_action: 'errors', errors: { amount: 'A. B. C.', letter: 'D.' } },
    ]);
  });

  it('comes before the work behind it', async () => {
    const order: string[] = [];
    world.submit = async () => ({
      kind: 'close',
      after: async () => {
        order.push(`after ${world.viewAcks.length} acknowledgement`);
      },
    });
    await world.submitView();
    expect(order).toEqual(['after 1 acknowledgement']);
  });

  it('that could not be sent keeps the work from being done: Slack told that nothing was', async () => {
    let isDone = false;
    world.submit = async () => ({
      kind: 'close',
      after: async () => {
        isDone = true;
      },
    });
    const broken = () => Promise.reject(new Error('the connection is gone'));
    const body = { type: 'view_submission', team: { id: 'T1' }, user: { id: 'UBIDDER' }, trigger_id: 't' };
    const acknowledged = world.boundary.view(
      { ...body, view: { id: 'V1', callback_id: 'form', blocks: [] } },
      broken,
    );
    await expect(acknowledged).rejects.toThrow('the connection is gone');
    await turn();
    expect([isDone, world.boundary.isIdle]).toEqual([false, true]);
  });
});

describe('a submission that can not be decided', () => {
  const shown = () => JSON.stringify(world.viewAcks[0]);
  const logged = (level: string) => world.logged.filter((it) => it.level === level);
  const wrongView: ModalView = {
    ...noticeView('x', 'x'),
    title: { type: 'plain_text', text: 'x'.repeat(30) },
  };

  it.each<[string, () => Promise<SubmissionAnswer>]>([
    ['throws', () => Promise.reject(new Error('secret inner words'))],
    [
      'throws at once',
      () => {
        throw new Error('secret inner words');
      },
    ],
    ['has a view that Slack would refuse', async () => ({ kind: 'update', view: wrongView })],
    ['has errors without a single one', async () => ({ kind: 'errors', errors: {} })],
  ])(
    'since its route %s: it stays open with what was typed, and the reference is in the log',
    async (_, submit) => {
      world.submit = submit;
      await world.submitView();
      expect(world.viewAcks).toHaveLength(1);
      expect(world.viewAcks[0]).toMatchObject({
        response_action: 'errors',
        errors: { amount: expect.any(String) },
      });
      const ref = /\(ref (\w{5})\)/u.exec(shown())?.[1];
      expect(ref).toBeDefined();
      expect(logged('error')[0]?.fields).toMatchObject({ ref, user: 'UBIDDER' });
      expect(shown()).not.toContain('secret');
    },
  );

  it('within 2 s is acknowledged then, and what comes late does nothing', async () => {
    let decide: (answer: SubmissionAnswer) => void = () => undefined;
    let isDone = false;
    world.submit = () =>
      new Promise((resolve) => {
        decide = resolve;
      });
    await world.submitView();
    world.clock.moveBy(2 * SECOND - 1);
    await turn();
    expect(world.viewAcks).toEqual([]);
    world.clock.moveBy(1);
    await turn();
    expect(shown()).toMatch(/What you typed is still here.*ref \w{5}/u);
    decide({
      kind: 'close',
      after: async () => {
        isDone = true;
      },
    });
    await turn();
    expect([world.viewAcks.length, isDone]).toEqual([1, false]);
  });

  it('late and failing does not end the process', async () => {
    let fail: (error: Error) => void = () => undefined;
    world.submit = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    await world.submitView();
    world.clock.moveBy(2 * SECOND);
    await turn();
    fail(new Error('late'));
    await turn();
    expect(logged('warn').map((it) => it.message)).toContain('a late submission failed, too');
  });

  it('counts the time that it has waited before, so that Slack hears of it within 3 s', async () => {
    world.submit = () => new Promise(() => undefined);
    const from = world.clock.now();
    world.clock.moveBy(1_500);
    const blocks = [{ type: 'input', block_id: 'amount' }];
    void world.boundary.view(
      {
        type: 'view_submission',
        team: { id: 'T1' },
        user: { id: 'U1' },
        trigger_id: 't',
        view: { id: 'V1', callback_id: 'form', blocks },
      },
      async (answer) => {
        world.viewAcks.push([world.clock.now() - from, answer]);
      },
      from,
    );
    await turn();
    world.clock.moveBy(500);
    await turn();
    expect(world.viewAcks).toMatchObject([[2_000, { response_action: 'errors' }]]);
  });

  it('and has no input is closed, and the person is told', async () => {
    world.submit = () => Promise.reject(new Error('broken'));
    await world.submitView({ blocks: [{ type: 'section', block_id: 'a' }] });
    expect(world.viewAcks).toEqual([undefined]);
    expect(world.answers).toMatchObject([{ via: 'post', channel: 'UBIDDER' }]);
    expect(world.texts[0]).toMatch(/Something went wrong on our side.*ref \w{5}/su);
  });

  it('while Gigdesk stops stays open and says so', async () => {
    void world.boundary.stop(MINUTE);
    await world.submitView();
    expect(shown()).toContain('just restarting');
    await world.submitView({ blocks: [] });
    expect(world.viewAcks[1]).toBeUndefined();
    expect(world.texts[0]).toContain('just restarting');
  });

  it('of another workspace says so, and nothing runs', async () => {
    let isAsked = false;
    world.submit = async () => {
      isAsked = true;
      return { kind: 'close' };
    };
    await world.submitView({}, { team: { id: 'T2' } });
    expect(shown()).toContain('serves another workspace');
    expect(isAsked).toBe(false);
  });

  it('of a view that nobody knows is closed, and the person is told', async () => {
    await world.submitView({ callback_id: 'of-an-older-version' });
    expect(world.viewAcks).toEqual([undefined]);
    expect(world.texts[0]).toContain('older version');
  });

  it.each([
    { state: { values: { amount: input('x'.repeat(20_000)) } } },
    { state: { values: { amount: { x: { selected_users: ['<!channel>'] } } } } },
    { private_metadata: 'x'.repeat(3_001) },
    { id: 7 },
  ])('in another shape stays open where that is possible, and nothing of it is logged: %#', async (wrong) => {
    await world.submitView(wrong);
    expect(shown()).toMatch(/nothing was sent.*ref \w{5}/u);
    expect(JSON.stringify(world.logged)).not.toMatch(/xxxx|<!channel>/u);
  });

  it.each([undefined, null, 'text', [], { view: null }, { view: { blocks: 'x' } }])(
    'in no shape at all is acknowledged all the same: %j',
    async (body) => {
      await world.boundary.view(body, async (answer) => {
        world.viewAcks.push(answer);
      });
      expect(world.viewAcks).toEqual([undefined]);
    },
  );
});

describe('the work behind a submission', () => {
  const done: string[] = [];
  beforeEach(() => {
    done.length = 0;
  });
  const withWork = (more: Partial<SubmissionAnswer> = {}) => {
    world.submit = async () =>
      ({
        kind: 'close',
        channel,
        after: async (call) => {
          done.push(`${call.person.user} ${call.person.role} ${call.channel} ${call.view.privateMetadata}`);
        },
        ...more,
      }) as SubmissionAnswer;
  };

  it('is done for whom the role at its channel suffices, which our records name', async () => {
    withWork();
    await world.submitView({}, { user: { id: 'ULOCAL', team_id: 'T1' } });
    await world.submitView({ private_metadata: 'C7' }, { user: { id: 'UVIEWER', team_id: 'T1' } });
    expect(done).toEqual(['ULOCAL bidder C7 draft']);
    expect(world.answers).toMatchObject([{ via: 'ephemeral', channel: 'C7' }]);
    expect(world.texts[0]).toContain('This is for bidders');
  });

  it('is refused to people of other workspaces, whoever Slack says they are', async () => {
    withWork();
    await world.submitView({}, { user: { id: 'UADMIN', team_id: 'T2' } });
    expect(done).toEqual([]);
    expect(world.texts[0]).toContain('Guests and people of other workspaces');
  });

  it('refused leaves no view that waits for ever', async () => {
    withWork({ kind: 'update', view: loadingView('Your bid') } as Partial<SubmissionAnswer>);
    await world.submitView({}, { user: { id: 'UVIEWER', team_id: 'T1' } });
    expect(world.updated).toEqual([{ id: 'V1', view: noticeView('Your bid', world.texts[0] ?? '') }]);
  });

  it('that fails is told in the channel where it belongs, or else to the person, with a reference', async () => {
    const fail = () => Promise.reject(new Error('broken'));
    withWork({ after: fail });
    await world.submitView();
    world.submit = async () => ({ kind: 'close', after: fail });
    await world.submitView();
    expect(world.answers).toMatchObject([
      { via: 'ephemeral', channel: 'C7' },
      { via: 'post', channel: 'UBIDDER' },
    ]);
    for (const text of world.texts) expect(text).toMatch(/Something went wrong on our side.*ref \w{5}/su);
  });

  it('that fails behind a loading view takes its place, too', async () => {
    withWork({
      kind: 'update',
      view: loadingView('Your bid'),
      after: () => Promise.reject(new Error('broken')),
    } as Partial<SubmissionAnswer>);
    await world.submitView();
    expect(JSON.stringify(world.updated[0]?.view)).toContain('Something went wrong on our side');
    expect(world.texts).toHaveLength(1);
  });

  it('is waited for when Gigdesk stops, and so is a decision', async () => {
    let decide: (answer: SubmissionAnswer) => void = () => undefined;
    world.submit = () =>
      new Promise((resolve) => {
        decide = resolve;
      });
    await world.submitView();
    expect(world.boundary.isIdle).toBe(false);
    const stopped = world.boundary.stop(10 * SECOND);
    decide({
      kind: 'close',
      after: async () => {
        done.push('all');
      },
    });
    expect(await stopped).toBe(0);
    expect(done).toEqual(['all']);
  });
});

describe('a closed view', () => {
  it('is told to its route without an answer', async () => {
    const closed: ViewPlace[] = [];
    world.closed = async (place) => {
      closed.push(place);
    };
    await world.closeView();
    expect(closed).toMatchObject([{ user: 'UVIEWER', view: { id: 'V1', privateMetadata: 'draft' } }]);
    expect([world.acks, world.texts]).toEqual([1, []]);
  });

  it('of no route, of another workspace, in another shape or with a failing route is acknowledged', async () => {
    world.closed = () => Promise.reject(new Error('broken'));
    await world.closeView();
    await world.closeView({ callback_id: 'open-form' });
    await world.closeView({ callback_id: 'unknown' });
    await world.closeView({ id: 7 });
    await world.closeView({}, { team: { id: 'T2' } });
    expect([world.acks, world.texts, world.boundary.isIdle]).toEqual([5, [], true]);
    expect(world.logged.filter((it) => it.level === 'error')).toHaveLength(1);
  });
});

describe('a press in a view', () => {
  const pressed = {
    message: undefined,
    channel: undefined,
    response_url: undefined,
    user: { id: 'ULOCAL', team_id: 'T1' },
    view: { id: 'V1', hash: 'h', callback_id: 'form', private_metadata: 'C7' },
  };

  it('takes its channel and role from our records, and is answered there', async () => {
    world.place = async ({ user, view }) => (user === 'ULOCAL' && view.id === 'V1' ? channel : undefined);
    world.work = (call) => (call as ActionCall).answer({ text: 'here' });
    await world.press('placed', pressed);
    expect(world.calls[0]).toMatchObject({ channel: 'C7', person: { role: 'bidder' } });
    expect(world.answers).toEqual([{ via: 'ephemeral', channel: 'C7', text: 'here' }]);
  });

  it('of which the records know nothing belongs to no channel, whatever the view says', async () => {
    await world.press('placed', pressed);
    expect(world.calls).toEqual([]);
    expect(world.answers).toMatchObject([{ via: 'post', channel: 'ULOCAL' }]);
    expect(world.texts[0]).toContain('This is for bidders');
  });

  it('whose records can not be read is told', async () => {
    world.place = () => Promise.reject(new Error('broken'));
    await world.press('placed', pressed);
    expect(world.texts[0]).toMatch(/Something went wrong on our side/u);
  });
});

it('the role is asked for the channel of the call', async () => {
  await world.command('lookup', { user_id: 'ULOCAL', channel_id: 'C7' });
  await world.press('spend', { user: { id: 'ULOCAL', team_id: 'T1' }, channel: { id: 'C7' } });
  await world.press('spend', { user: { id: 'ULOCAL', team_id: 'T1' }, channel: { id: 'C1' } });
  expect(world.calls).toMatchObject([{ person: { role: 'bidder' } }, { person: { role: 'bidder' } }]);
});
