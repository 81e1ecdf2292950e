/** Who may bid and approve, even with forged presses and forms. */
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { refusalFor } from './as-read.ts';
import { begin } from './begin-bid.ts';
import { grant, press, SETUP } from './bidder.ts';
import { wordsOf } from './world.ts';

describe('who may', () => {
  it('a viewer is refused, asks for access, and bids once an admin has granted it', async () => {
    const { bid, world } = await begin();
    world.slack.addUser({ name: 'cem' });
    world.slack.invite('web', 'cem');
    await bid.press('Bid', 'cem');
    await world.pass(2 * SECOND);
    expect(world.slack.view('cem')).toBeUndefined();
    const refusal = bid.note('cem');
    await press(world, 'Request Access', { message: refusal }, 'cem');
    await world.pass(5 * SECOND);
    const request =
      world.slack.messages('web').find((it) => findPressable(it, 'Grant')) ?? expect.fail('no request');
    await press(world, 'Grant', { message: request }, 'ben');
    await world.pass(3 * SECOND);
    await bid.press('Bid', 'cem');
    await world.pass(2 * SECOND);
    expect(world.slack.view('cem')).toBeUndefined();
    await press(world, 'Grant', { message: request }, 'ada');
    await world.pass(5 * SECOND);
    expect(findPressable(world.slack.message('web', request.ts) ?? request, 'Grant')).toBeUndefined();
    await bid.open('cem');
    await bid.submit('cem');
    expect(bid.creates()).toHaveLength(1);
  });

  it('a bidder whose role was taken away while the form was open sends nothing, and is told', async () => {
    const { bid, world } = await begin();
    await bid.open();
    await grant(world, []);
    await bid.submit();
    expect(bid.creates()).toEqual([]);
    const told = [...world.slack.ephemerals('ben', 'web').map(wordsOf), bid.screen()];
    expect(told.join('\n')).toContain(refusalFor('bidder'));
  });

  it('a guest stays an outsider although a list names them', async () => {
    const { bid, world } = await begin();
    world.slack.addUser({ name: 'gil', guest: 'single' });
    world.slack.invite('web', 'gil');
    await grant(world, ['ben', 'gil']);
    await bid.press('Bid', 'gil');
    await world.pass(2 * SECOND);
    expect(world.slack.view('gil')).toBeUndefined();
    expect(bid.told('gil')).toContain(refusalFor('bidder', 'outsider'));
  });

  it('a form with the id of another person, or none, finds nothing and sends nothing', async () => {
    const { bid, world } = await begin();
    await bid.open('ada');
    const stolen = bid.view('ada');
    const own = await bid.open();
    for (const privateMetadata of [stolen.privateMetadata, '', '{"a":1}', '__proto__', 'x'.repeat(3_000)]) {
      await world.slack.submitView({
        user: 'ben',
        view: own,
        values: { setup: String(SETUP) },
        forgedMetadata: privateMetadata,
      });
      await world.pass(2 * SECOND);
    }
    expect(bid.creates()).toEqual([]);
  });

  it('a forged approval of a viewer does nothing', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit();
    world.slack.addUser({ name: 'cem' });
    world.slack.invite('web', 'cem');
    const value = JSON.stringify({ job: bid.job().id, seen: 0 });
    await world.slack.press({
      message: bid.card(),
      user: 'cem',
      actionId: 'job_approve',
      value,
      force: true,
    });
    for (const wrong of ['', '{}', '{"job":-1,"seen":0}', '{"job":"1","seen":0}', '[1]', 'null'])
      await world.slack.press({
        message: bid.card(),
        user: 'ben',
        actionId: 'job_approve',
        value: wrong,
        force: true,
      });
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toEqual([]);
  });
});
