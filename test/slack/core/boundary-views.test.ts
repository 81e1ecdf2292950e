/** Closing a view, and a press within one. */
import { beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { UserId } from '../../../src/ids.ts';
import { failureMessage } from '../../../src/slack/core/failures.ts';
import { notAllowedMessage } from '../../../src/slack/core/request-errors.ts';
import type { ActionCall, SubmissionResponse, ViewInteraction } from '../../../src/slack/core/routes.ts';
import { noticeView } from '../../../src/slack/kit/block-builders.ts';
import { turn } from '../delivery/delivery-world.ts';
import { BoundaryWorld, LOCAL, typed } from './boundary-world.ts';

let world: BoundaryWorld;
beforeEach(() => {
  world = new BoundaryWorld();
});

describe('a closed view', () => {
  it('is told to its route without an answer', async () => {
    const closed: ViewInteraction[] = [];
    world.closed = async (place) => {
      closed.push(place);
    };
    await world.closeView();
    expect(closed).toMatchObject([{ user: 'UVIEWER', view: { id: 'V1', privateMetadata: 'draft' } }]);
    expect([world.acks, world.texts]).toEqual([1, []]);
  });

  it('with no route, a failing one, another workspace, or another shape is acknowledged', async () => {
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
    world.place = async ({ user, view }) => (user === 'ULOCAL' && view.id === 'V1' ? LOCAL : undefined);
    world.work = (call) => (call as ActionCall).answer({ text: 'here' });
    await world.press('placed', pressed);
    expect(world.calls[0]).toMatchObject({ channel: 'C7', person: { role: 'bidder' } });
    expect(world.answers).toEqual([{ via: 'ephemeral', channel: 'C7', text: 'here' }]);
  });

  it('of which the records know nothing belongs to no channel, whatever the view says', async () => {
    await world.press('placed', pressed);
    expect(world.calls).toEqual([]);
    expect(world.answers).toMatchObject([{ via: 'post', channel: 'ULOCAL' }]);
    const local = { user: UserId.parse('ULOCAL'), role: 'viewer' } as const;
    expect(world.texts).toEqual([notAllowedMessage(local, 'bidder').text]);
  });

  it('whose records can not be read is told', async () => {
    world.place = () => Promise.reject(new Error('broken'));
    await world.press('placed', pressed);
    const [ours = ''] = failureMessage(new Error('any'), 'ref', 0).text.split('\n');
    expect(world.texts[0]).toContain(ours);
  });
});

describe('a press in a form that waits until it is known who pressed', () => {
  const holding = (letter: string) => ({ state: { values: letter ? { letter: typed(letter) } : {} } });
  const view = { id: 'V1', hash: 'h', callback_id: 'form', private_metadata: 'draft', ...holding('old') };
  let admit: () => void;

  /** The text of the `letter` input that each press got. */
  const letters = () =>
    world.calls.map((call) => ('view' in call ? call.view?.values.get('letter')?.text : undefined));

  async function pressAndWait(action = 'typed'): Promise<void> {
    world.admitted = new Promise((resolve) => {
      admit = resolve;
    });
    await world.press(action, { message: undefined, view });
  }

  async function letIn(): Promise<void> {
    admit();
    await turn();
  }

  it.each<[string, SubmissionResponse]>([
    ['another view', { kind: 'update', view: noticeView('Sent', 'On its way.') }],
    ['none', { kind: 'close' }],
  ])('is over where the form was sent meanwhile and %s stands in its place', async (_, answer) => {
    world.submit = async () => answer;
    await pressAndWait();
    await world.submitView(holding('new'));
    await letIn();
    expect([world.calls, world.texts]).toEqual([[], []]);
  });

  it('is over as well where that is still being decided', async () => {
    let decide: (answer: SubmissionResponse) => void = () => undefined;
    world.submit = () =>
      new Promise((resolve) => {
        decide = resolve;
      });
    await pressAndWait();
    await world.submitView(holding('new'));
    await letIn();
    expect(world.calls).toEqual([]);
    decide({ kind: 'close' });
    await turn();
    expect(world.calls).toEqual([]);
  });

  it.each<[string, SubmissionResponse]>([
    ['was sent with mistakes', { kind: 'errors', errors: { letter: 'Too long.' } }],
    ['is below another', { kind: 'push', view: noticeView('More', 'More.') }],
  ])('knows what was typed since where the form %s', async (_, answer) => {
    world.submit = async () => answer;
    await pressAndWait();
    await world.submitView(holding('new'));
    await letIn();
    expect(letters()).toEqual(['new']);
  });

  it('knows what the form held when it was closed, if Slack tells', async () => {
    await pressAndWait();
    await world.closeView(holding('new'));
    await letIn();
    await pressAndWait();
    await world.closeView(holding(''));
    await letIn();
    expect(letters()).toEqual(['new', 'old']);
  });

  it('is as it was where another form was sent, or this one before it', async () => {
    await world.submitView(holding('new'));
    await pressAndWait();
    await world.submitView({ ...holding('new'), id: 'V2' });
    await letIn();
    expect(letters()).toEqual(['old']);
  });

  it('does what it does where it is more than a part of the form', async () => {
    await pressAndWait('press');
    await world.submitView(holding('new'));
    await letIn();
    expect(letters()).toEqual(['old']);
  });

  it('finds a submission of the last minute however many there were before', async () => {
    for (let count = 0; count < 1_100; count++) await world.submitView({ id: `V-${count}` });
    await pressAndWait();
    await world.submitView(holding('new'));
    world.clock.moveBy(30 * SECOND);
    await world.submitView({ id: 'V2' });
    await letIn();
    expect(world.calls).toEqual([]);
  });
});

describe('a view that is closed while Gigdesk stops', () => {
  it('is told to its route as long as others are waited for, and not afterwards', async () => {
    let work: () => void = () => undefined;
    world.work = () =>
      new Promise((resolve) => {
        work = resolve;
      });
    const closed: ViewInteraction[] = [];
    world.closed = async (place) => {
      closed.push(place);
    };
    await world.press('press');
    const stopped = world.boundary.stop(10 * SECOND);
    await world.closeView();
    expect(closed).toHaveLength(1);
    work();
    expect(await stopped).toBe(0);
    await world.closeView();
    expect([closed.length, world.acks]).toEqual([1, 3]);
  });
});
