/** A server error is an answer: the app doesn't report a missing one, and the result stays unknown. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { FULL } from '../templates/forms.ts';
import { asRead, viewAsRead } from './as-read.ts';
import { begin } from './begin-bid.ts';
import { CREATE } from './bidder.ts';
import {
  begin as beginTemplate,
  fillIn,
  goTo,
  screen,
  startTemplateWorld,
  submit,
  words,
} from './template-play.ts';

const APPROVE = { path: '/auto-bidding/jobs/*/approve' };

describe('HTTP 500', () => {
  it('on a bid is called an error, and nothing is sent again', async () => {
    const { bid, world } = await begin();
    world.marketplace.injectFault(CREATE, presetFaults.errorAfterEffect(500));
    await bid.open();
    await bid.submit();
    const told = [bid.screen(), bid.cardWords(), bid.thread().join('\n'), await world.gig('web', 'audit')];
    for (const each of told) expect(each).toMatch(/HTTP 500/u);
    expect(await bid.states()).toEqual(['unknown']);
    expect([
      bid.screenAsRead(),
      bid.cardLines(),
      bid.threadAsRead(),
      asRead(world, told[3] ?? ''),
    ]).toMatchSnapshot();
    expect(findPressable(bid.card(), 'Check')).toBeDefined();
    await world.pass(10 * MINUTE);
    expect(bid.creates()).toHaveLength(1);
    await bid.press('Check');
    await world.pass(MINUTE);
    expect(bid.toldAsRead()).toMatchSnapshot();
  });

  it('on an approval is called an error, and nothing is sent again', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit('ben', { cover_letter: 'Dear client' });
    world.marketplace.injectFault(APPROVE, presetFaults.status(500));
    await bid.press('Approve');
    await world.until('the approval', () => bid.approvals().length === 1);
    world.marketplace.injectFault({ path: '/auto-bidding/jobs/*/status' }, presetFaults.status(503), 1_000);
    await world.pass(5_000);
    const told = [bid.told(), bid.cardWords(), bid.thread().at(-1), await world.gig('web', 'audit')];
    for (const each of told) expect(each).toMatch(/HTTP 500/u);
    expect([
      bid.toldAsRead(),
      bid.cardLines(),
      bid.threadAsRead(),
      asRead(world, told[3] ?? ''),
    ]).toMatchSnapshot();
    await world.pass(10 * MINUTE);
    expect(bid.approvals()).toHaveLength(1);
  });

  it('on a template is called an error', async () => {
    const world = await startTemplateWorld();
    onTestFinished(() => world.stop());
    await beginTemplate(world);
    await fillIn(world, FULL);
    world.marketplace.injectFault({ path: '/proposal-templates', method: 'POST' }, presetFaults.status(500));
    await goTo(world, 'review');
    await submit(world);
    expect(words(world)).toMatch(/HTTP 500/u);
    const told = [await world.gig('web', 'template drafts', 'ben'), await world.gig('web', 'audit')];
    expect([viewAsRead(world, screen(world)), ...told.map((it) => asRead(world, it))]).toMatchSnapshot();
  });
});

it('where nothing came, that is said', async () => {
  const { bid, world } = await begin();
  world.marketplace.injectFault(CREATE, { kind: 'drop', when: 'before' });
  await bid.open();
  await bid.submit();
  expect(await bid.states()).toEqual(['unknown']);
  for (const each of [bid.screen(), bid.cardWords(), bid.thread().join('\n')])
    expect(each).not.toMatch(/HTTP/u);
  expect([bid.screenAsRead(), bid.cardLines(), bid.threadAsRead()]).toMatchSnapshot();
});
