import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { refusalFor, statusAsRead } from './as-read.ts';
import { unsubscribe } from './buttons.ts';
import { changeSettings } from './settings-form.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
let project: ProjectWithFilterIds;
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  world.marketplace.addSetup({ filter: { id: 101, name: 'React work' } });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(20 * SECOND);
  project = world.marketplace.publishProject(101, {
    title: 'Rebuild our checkout',
    client: { country: 'Norway' },
  });
  await world.until('the card', () => world.told('web').length === 1, MINUTE);
});
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

function card(): SlackMessage {
  return world.cards('web')[0] ?? expect.fail('no card');
}

/**
 * Presses the button or menu option with this prefix, on a message or the open modal; then waits until idle.
 */
async function press(words: string, user = 'ada', on: SlackMessage = card()): Promise<void> {
  const { slack } = world;
  const view = slack.view(user);
  const found = findPressable(view ?? on, words) ?? expect.fail(`nothing says “${words}” on: ${wordsOf(on)}`);
  const at = {
    ...(view ? { view } : { message: on }),
    user,
    actionId: found.actionId,
    blockId: found.blockId,
  };
  if (found.kind === 'button') await slack.press({ ...at, value: found.value });
  else await slack.chooseOption({ ...at, option: found.option });
  await world.pass(5 * SECOND);
}

/** Toggles compact cards on a person's last list. */
/** The person's last ephemeral message. */
function shownTo(user: string): string {
  return world.slack.ephemerals(user, 'web').map(wordsOf).join('\n');
}

describe('the buttons of a card', () => {
  it('Claim says on the card who has it, and Release gives it back', async () => {
    await press('Claim', 'ben');
    expect(wordsOf(card())).toContain(`<@${world.slack.user('ben').id}>`);
    expect(findPressable(card(), 'Claim')).toBeUndefined();
    await press('Release', 'ben');
    expect(findPressable(card(), 'Claim')).toBeDefined();
  });

  it('of two who claim at once one has it, and the other is told who', async () => {
    const at = { message: card(), actionId: 'card_claim' };
    await Promise.all([world.slack.press({ ...at, user: 'ben' }), world.slack.press({ ...at, user: 'ada' })]);
    await world.pass(5 * SECOND);
    const [ben, ada] = [world.slack.user('ben').id, world.slack.user('ada').id];
    const first = wordsOf(card()).includes(ben) ? { id: ben, late: 'ada' } : { id: ada, late: 'ben' };
    expect(wordsOf(card())).toContain(first.id);
    expect(shownTo(first.late)).toContain(first.id);
  });
});

describe('/gig', () => {
  it('help lists every command, and explains one', async () => {
    const help = await world.gig('web', 'help');
    for (const word of ['subscribe', 'list', 'lookup', 'results', 'budget', 'pause', 'status']) {
      expect(help).toContain(`\`${word}\``);
    }
    expect(await world.gig('web', 'help budget')).toContain('/gig budget');
    expect(await world.gig('web', '')).toContain('Add Subscription');
  });

  it('lookup takes a link, a ~id and Slack’s own form of a link', async () => {
    for (const text of [
      project.url,
      project.ciphertext,
      `<${project.url}>`,
      `<${project.url}|the project>`,
    ]) {
      expect(await world.gig('web', `lookup ${text}`)).toContain('Rebuild our checkout');
    }
    expect(world.marketplace.consumedCredits().total).toBe(1);
  });

  it('list shows the subscription with its state; Unsubscribe ends it', async () => {
    expect(await world.gig('web', 'list')).toContain('React work');
    await unsubscribe(world, 'web', '101');
    expect(await world.gig('web', 'list')).not.toContain('React work');
    world.marketplace.publishProject(101);
    await world.pass(2 * MINUTE);
    expect(world.told('web')).toHaveLength(1);
  });

  it('settings switch the channel to compact cards and back', async () => {
    await changeSettings(world, 'web', { density: 'compact' });
    world.marketplace.publishProject(101, { title: 'A short one' });
    await world.pass(MINUTE);
    const [full, compact] = world.cards('web');
    expect(compact && wordsOf(compact)).toContain('A short one');
    expect(compact?.blocks.length).toBeLessThan(full?.blocks.length ?? 0);
    await changeSettings(world, 'web', { density: 'full' });
    world.marketplace.publishProject(101);
    await world.pass(MINUTE);
    expect(world.cards('web').at(-1)?.blocks.length).toBeGreaterThan(compact?.blocks.length ?? 9);
  });

  it('results lists monitoring results, and a button their projects', async () => {
    world.marketplace.addResult({ filterId: 101 });
    const answer = await world.gig('web', 'results 101');
    expect(answer).toContain('React work');
    const shown = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no answer');
    await press('Projects', 'ada', shown);
    expect(shownTo('ada')).toContain('Rebuild our checkout');
  });

  it('pause stops the feed here for a while, and its end brings what came meanwhile', async () => {
    await world.gig('web', 'pause 2h');
    const missed = world.marketplace.publishProject(101);
    await world.pass(30 * MINUTE);
    expect(world.told('web')).toHaveLength(1);
    expect(await world.gig('web', 'list')).toContain(':double_vertical_bar:');
    await world.gig('web', 'pause off');
    await world.pass(2 * MINUTE);
    expect(world.told('web')).toEqual([project.ciphertext, missed.ciphertext]);
  });

  it('a pause ends by itself', async () => {
    await world.gig('web', 'pause 1h');
    const missed = world.marketplace.publishProject(101);
    await world.pass(HOUR + 2 * MINUTE);
    expect(world.told('web')).toEqual([project.ciphertext, missed.ciphertext]);
  });

  it('status tells the last good poll, requests and credits', async () => {
    const status = await world.gig('web', 'status');
    expect(status).toContain('React work');
    expect(statusAsRead(world, status)).toMatchSnapshot();
  });

  it.each([
    ['subscribe filter 999', /999/, /gig subscribe filter/],
    ['subscribe filter 101 budget:>lots', /budget/, /gig subscribe|budget:>/],
    ['subscribe filter 101 colour:red', /colour/, /country:|category:/],
    ['subscribe sandwiches 101', /sandwiches/, /gig subscribe filter/],
    ['lookup https://example.com/nothing', /example\.com|`~ID`/i, /gig lookup/],
    ['lookup', /~\d+/, /gig lookup/],
    ['budget lots', /lots/, /gig budget/],
    ['pause forever and ever', /forever/, /gig pause/],
    ['results nine', /nine/, /gig results/],
    ['sttaus', /sttaus/, /gig status/],
    ['list 77', /77/, /Subscriptions/],
  ])('%s is answered with what is wrong and what would be right', async (text, wrong, right) => {
    const answer = await world.gig('web', text);
    expect(answer).toMatch(wrong);
    expect(answer).toMatch(right);
  });

  it('works over signed HTTP requests just as well', async () => {
    const other = await startWorld({ mode: 'http' });
    try {
      expect(await other.gig('web', 'help')).toContain('`lookup`');
      other.slack.setForgery('wrong-signature');
      expect(await other.gig('web', 'help')).toBe('');
      other.slack.setForgery('future');
      expect(await other.gig('web', 'help')).toBe('');
    } finally {
      await other.stop();
    }
  });
});

describe('elsewhere in Slack', () => {
  it('the message shortcut looks up a linked project', async () => {
    const message = world.slack.postAsUser({ user: 'ben', channel: 'web', text: `Shall we? ${project.url}` });
    await world.slack.messageShortcut({ user: 'ben', message, callbackId: 'look_up_project' });
    await world.pass(5 * SECOND);
    const shown = `${shownTo('ben')}${JSON.stringify(world.slack.view('ben') ?? '')}`;
    expect(shown).toContain('Rebuild our checkout');
  });

  it('a link of a project is unfurled, without a credit when it is known', async () => {
    const before = world.marketplace.consumedCredits().total;
    await world.slack.postLinks({ user: 'ben', channel: 'web', urls: [project.url] });
    await world.pass(5 * SECOND);
    expect(JSON.stringify(world.slack.unfurls())).toContain('Rebuild our checkout');
    expect(world.marketplace.consumedCredits().total).toBe(before);
  });
});

describe('who is no full member', () => {
  const REFUSAL = refusalFor('admin', 'outsider');

  beforeEach(() => {
    world.slack.addUser({ name: 'gus', guest: 'multi' });
    world.slack.addUser({ name: 'sam', stranger: true });
    for (const name of ['gus', 'sam']) world.slack.invite('web', name);
  });

  it.each(['gus', 'sam'])('spends nothing and changes nothing: %s', async (name) => {
    world.marketplace.addFilter({ id: 102, name: 'Other work' });
    const unknown = world.marketplace.publishProject(102);
    const before = { consumed: world.marketplace.consumedCredits().total, told: world.told('web') };
    const list = await world.gig('web', 'list');
    for (const text of [
      `lookup ${unknown.ciphertext}`,
      'subscribe filter 102',
      'pause',
      'pause off',
      'results 101',
      'budget',
      'budget 9000',
      'status',
    ])
      expect(await world.gig('web', text, name), text).toContain(REFUSAL);

    for (const words of ['Details', 'Claim', 'Skip', 'Mute', 'Assign']) {
      const answers = world.slack.ephemerals(name, 'web').length;
      await press(words, name);
      const [refusal, ...more] = world.slack.ephemerals(name, 'web').slice(answers);
      expect(wordsOf(refusal ?? expect.fail(`no answer to ${words}`)), words).toContain(REFUSAL);
      // Ada set up the channel, so she can help.
      expect(refusal && wordsOf(refusal)).toContain(`<@${world.slack.user('ada').id}>`);
      expect(more).toEqual([]);
    }
    const message = world.slack.postAsUser({ user: name, channel: 'web', text: unknown.url });
    await world.slack.messageShortcut({ user: name, message, callbackId: 'look_up_project' });
    await world.slack.postLinks({ user: name, channel: 'web', urls: [unknown.url] });
    await world.pass(MINUTE);

    expect(world.marketplace.consumedCredits().total).toBe(before.consumed);
    expect(world.slack.unfurls()).toEqual([]);
    expect(world.told('web')).toEqual(before.told);
    expect(world.slack.thread('web', card().ts)).toHaveLength(1);
    expect(findPressable(card(), 'Claim')).toBeDefined();
    expect((await world.gig('web', 'list')).replace(/<!date[^>]*>/g, '')).toBe(
      list.replace(/<!date[^>]*>/g, ''),
    );
  });

  it('reads help and the list, and its links get no preview', async () => {
    expect(await world.gig('web', 'help', 'gus')).toContain('`subscribe`');
    expect(await world.gig('web', 'list', 'gus')).toContain('React work');
    await world.slack.postLinks({ user: 'gus', channel: 'web', urls: [project.url] });
    await world.pass(5 * SECOND);
    expect(world.slack.unfurls()).toEqual([]);
  });
});
