/** A submitted view that can't be processed: typed text stays, and nobody waits forever. */
import type { ModalView } from '@slack/types';
import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/clock.ts';
import { failureMessage } from '../../../src/slack/core/failures.ts';
import {
  restartingMessage,
  submissionFailedText,
  submissionOtherWorkspaceText,
  submissionRestartingText,
  submissionUnreadableText,
  unknownViewMessage,
} from '../../../src/slack/core/request-errors.ts';
import type { SubmissionResponse } from '../../../src/slack/core/routes.ts';
import { noticeView } from '../../../src/slack/kit/block-builders.ts';
import { turn } from '../delivery/delivery-world.ts';
import { BoundaryWorld, typed } from './boundary-world.ts';

/** The text of an internal error, before its reference. */
const [OURS = ''] = failureMessage(new Error('any'), 'ref', 0).text.split('\n');

/** The reference in a text. */
const refOf = (text = '') => /ref (\w{5})/u.exec(text)?.[1] ?? expect.fail('no reference');

let world: BoundaryWorld;
beforeEach(() => {
  world = new BoundaryWorld();
});

describe('a submission that can not be decided', () => {
  const shown = () => JSON.stringify(world.viewAcks[0]);
  const logged = (level: string) => world.logged.filter((it) => it.level === level);
  const wrongView: ModalView = {
    ...noticeView('x', 'x'),
    title: { type: 'plain_text', text: 'x'.repeat(30) },
  };

  it.each<[string, () => Promise<SubmissionResponse>]>([
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
      const ref = refOf(shown());
      expect(shown()).toContain(submissionFailedText(ref));
      expect(logged('error')[0]?.fields).toMatchObject({ ref, user: 'UBIDDER' });
      expect(shown()).not.toContain('secret');
    },
  );

  it('within 2 s is acknowledged then, and what comes late does nothing', async () => {
    let decide: (answer: SubmissionResponse) => void = () => undefined;
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
    expect(shown()).toContain(submissionFailedText(refOf(shown())));
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
    expect(logged('warn').map(({ fields }) => fields)).toContainEqual({
      view: 'form',
      error: expect.objectContaining({ message: 'late' }),
    });
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
    expect(world.texts[0]).toContain(OURS);
    expect(world.texts[0]).toMatch(/ref \w{5}/u);
  });

  it('shows the errors of a view without inputs in a message, because no input can carry them', async () => {
    world.submit = async () => ({ kind: 'errors', errors: { letter: 'Too <long>.', amount: 'Too low.' } });
    await world.submitView({ blocks: [{ type: 'section', block_id: 'a' }] });
    expect(world.viewAcks).toEqual([undefined]);
    expect(world.answers).toMatchObject([{ via: 'post', channel: 'UBIDDER' }]);
    expect(world.texts).toEqual([expect.stringContaining('Too &lt;long&gt;. Too low.')]);
    expect(logged('error')).toEqual([]);
  });

  it('while Gigdesk stops stays open and says so', async () => {
    void world.boundary.stop(MINUTE);
    await world.submitView();
    expect(shown()).toContain(submissionRestartingText());
    await world.submitView({ blocks: [] });
    expect(world.viewAcks[1]).toBeUndefined();
    expect(world.texts).toEqual([restartingMessage().text]);
  });

  it('of another workspace says so, and nothing runs', async () => {
    let isAsked = false;
    world.submit = async () => {
      isAsked = true;
      return { kind: 'close' };
    };
    await world.submitView({}, { team: { id: 'T2' } });
    expect(shown()).toContain(submissionOtherWorkspaceText());
    expect(isAsked).toBe(false);
  });

  it('of a view that nobody knows is closed, and the person is told', async () => {
    await world.submitView({ callback_id: 'of-an-older-version' });
    expect(world.viewAcks).toEqual([undefined]);
    expect(world.texts).toEqual([unknownViewMessage().text]);
  });

  it.each([
    { state: { values: { amount: typed('x'.repeat(20_000)) } } },
    { state: { values: { amount: { x: { selected_users: ['<!channel>'] } } } } },
    { private_metadata: 'x'.repeat(3_001) },
    { id: 7 },
  ])('in another shape stays open where that is possible, and nothing of it is logged: %#', async (wrong) => {
    await world.submitView(wrong);
    expect(shown()).toContain(submissionUnreadableText(refOf(shown())));
    expect(JSON.stringify(world.logged)).not.toMatch(/xxxx|<!channel>/u);
  });

  it.each([
    ['whose blocks can not be read', { blocks: 'x', state: { values: 7 } }, 'push'],
    ['without inputs', { blocks: [{ type: 'section' }], state: { values: 7 } }, 'push'],
    [
      'that stands on others',
      { blocks: [{ type: 'section' }], root_view_id: 'V0', id: 'V1', hash: 7 },
      'update',
    ],
  ])('in another shape %s is told in a view', async (_, wrong, how) => {
    await world.submitView(wrong);
    expect(world.viewAcks).toMatchObject([{ response_action: how, view: { type: 'modal' } }]);
    expect(shown()).toContain(submissionUnreadableText(refOf(shown())));
  });

  it('that is no object at all is told in a view', async () => {
    await world.submitView({}, { view: null });
    expect(world.viewAcks).toMatchObject([{ response_action: 'push' }]);
  });

  it('is taken in without what Slack may leave out', async () => {
    world.submit = async () => ({ kind: 'errors', errors: { letter: 'Too long.' } });
    const blocks = [{ type: 'section' }, { type: 'divider' }, { type: 'input', block_id: 'letter' }];
    await world.submitView({ blocks, root_view_id: null, state: null }, { team: null });
    expect(shown()).toContain('"letter":"Too long."');
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
