/** A submitted view: its acknowledgement, and the work behind it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { UserId } from '../../../src/ids.ts';
import { failureMessage } from '../../../src/slack/core/failures.ts';
import { notAllowedMessage } from '../../../src/slack/core/request-errors.ts';
import type { SubmissionResponse } from '../../../src/slack/core/routes.ts';
import { loadingView, noticeView } from '../../../src/slack/kit/block-builders.ts';
import { turn } from '../delivery/delivery-world.ts';
import { BoundaryWorld, LOCAL } from './boundary-world.ts';

/** The text of an internal error, before its reference. */
const [OURS = ''] = failureMessage(new Error('any'), 'ref', 0).text.split('\n');

let world: BoundaryWorld;
beforeEach(() => {
  world = new BoundaryWorld();
});

describe('the acknowledgement of a submitted view', () => {
  const view = noticeView('Done', 'All is well.');

  it.each<[SubmissionResponse, unknown]>([
    [{ kind: 'close' }, undefined],
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

  it('shows errors of missing inputs at the first existing one, so that Slack accepts them', async () => {
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

describe('the work behind a submission', () => {
  const done: string[] = [];
  beforeEach(() => {
    done.length = 0;
  });
  const withWork = (more: Partial<SubmissionResponse> = {}) => {
    world.submit = async () =>
      ({
        kind: 'close',
        channel: LOCAL,
        after: async (call) => {
          done.push(`${call.person.user} ${call.person.role} ${call.channel} ${call.view.privateMetadata}`);
        },
        ...more,
      }) as SubmissionResponse;
  };

  it('is done for whom the role at its channel suffices, which our records name', async () => {
    withWork();
    await world.submitView({}, { user: { id: 'ULOCAL', team_id: 'T1' } });
    await world.submitView({ private_metadata: 'C7' }, { user: { id: 'UVIEWER', team_id: 'T1' } });
    expect(done).toEqual(['ULOCAL bidder C7 draft']);
    expect(world.answers).toMatchObject([{ via: 'ephemeral', channel: 'C7' }]);
    const viewer = { user: UserId.parse('UVIEWER'), role: 'viewer' } as const;
    expect(world.texts).toEqual([notAllowedMessage(viewer, 'bidder').text]);
  });

  it('is refused to whom Slack calls a guest on request, whatever workspace a payload names', async () => {
    withWork();
    await world.submitView({}, { user: { id: 'UGUEST', team_id: 'T1' } });
    expect(done).toEqual([]);
    const stranger = { user: UserId.parse('UGUEST'), role: 'outsider' } as const;
    expect(world.texts).toEqual([notAllowedMessage(stranger, 'bidder').text]);
    await world.submitView({}, { user: { id: 'UADMIN', team_id: 'T2' } });
    expect(done).toEqual(['UADMIN admin C7 draft']);
  });

  it('refused leaves no view that waits for ever', async () => {
    withWork({ kind: 'update', view: loadingView('Your bid') } as Partial<SubmissionResponse>);
    await world.submitView({}, { user: { id: 'UVIEWER', team_id: 'T1' } });
    expect(world.updated).toEqual([{ id: 'V1', view: noticeView('Your bid', world.texts[0] ?? '') }]);
  });

  it('that fails is reported in its channel, or else to the person, with a reference', async () => {
    const fail = () => Promise.reject(new Error('broken'));
    withWork({ after: fail });
    await world.submitView();
    world.submit = async () => ({ kind: 'close', after: fail });
    await world.submitView();
    expect(world.answers).toMatchObject([
      { via: 'ephemeral', channel: 'C7' },
      { via: 'post', channel: 'UBIDDER' },
    ]);
    for (const text of world.texts) {
      expect(text).toContain(OURS);
      expect(text).toMatch(/ref \w{5}/u);
    }
  });

  it('that fails behind a loading view takes its place, too', async () => {
    withWork({
      kind: 'update',
      view: loadingView('Your bid'),
      after: () => Promise.reject(new Error('broken')),
    } as Partial<SubmissionResponse>);
    await world.submitView();
    expect(JSON.stringify(world.updated[0]?.view)).toContain(OURS);
    expect(world.texts).toHaveLength(1);
  });

  it('is done once for a submission that comes twice, which is answered twice', async () => {
    withWork();
    const again = { trigger_id: 'again' };
    await world.submitView({}, again);
    await world.submitView({}, again);
    expect([done.length, world.viewAcks]).toEqual([1, [undefined, undefined]]);
    await world.submitView();
    expect(done).toHaveLength(2);
  });

  it('is waited for when Gigdesk stops, and so is a decision', async () => {
    let decide: (answer: SubmissionResponse) => void = () => undefined;
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
