/** The form that sets up a channel: rules, previews, mistakes, and several people at once. */
import { afterEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { expectDecentView, expectHealthy } from './healthy.ts';
import { inviteBot, startSetupWorld } from './setup-world.ts';
import { SubscriptionForm } from './subscription-form.ts';
import { posted, startWorld, type World, wordsOf } from './world.ts';

let world: World;
let form: SubscriptionForm;
afterEach(() => world.stop());

async function begin(): Promise<void> {
  world = await startSetupWorld();
  form = new SubscriptionForm(world);
}

const credits = () => world.marketplace.consumedCredits().total;

describe('the form', () => {
  it('previews at a price that the button names, and only after the press', async () => {
    await begin();
    for (let number = 1; number <= 4; number++)
      world.marketplace.publishProject(102, {
        title: `Poster ${number}`,
        budget: { type: 'fixed', fixedAmount: number * 100 },
      });
    world.marketplace.addResult({ filterId: 102 });
    await world.gig('web', 'subscribe');
    await form.press('Preview Rules', { 'filter-id': '102', 'min-budget': '300' });
    expect(credits()).toBe(0);
    expect(findPressable(form.view(), 'Preview 10 Credits')).toBeDefined();
    await form.press('Preview 10 Credits', {});
    const spent = credits();
    expect(spent).toBeGreaterThan(0);
    expect(form.words()).toMatch(/4 projects of this filter.*2 would be posted/u);
    await form.press('Preview Rules', { 'min-budget': '400' });
    expect(form.words()).toMatch(/1 would be posted/u);
    expect(credits()).toBe(spent);
    expectHealthy(world);
  });

  it('says each mistake at its field, and keeps what was typed', async () => {
    await begin();
    await world.gig('web', 'subscribe');
    const answer = await form.submit({
      'filter-id': 'React',
      'min-budget': 'lots',
      'more-rules': 'rating:>9',
    });
    expect(answer.action).toBe('errors');
    expect(Object.keys(answer.errors).toSorted()).toEqual(['filter-id', 'min-budget', 'more-rules']);
    expect(
      (await form.submit({ 'filter-id': null, 'min-budget': '5k', 'more-rules': null })).errors,
    ).toHaveProperty('filter-id');
    await form.submit({ 'filter-id': '101' });
    expect((await form.submit({ feeds: ['invitations'] })).errors).toHaveProperty('profile-ids');
    await form.press('Back', {});
    expect(form.words()).toContain('5k');
    expect(world.slack.messages('web')).toHaveLength(0);
  });

  it('takes profiles from a list, for everyone in the channel', async () => {
    await begin();
    world.marketplace.addProfile({ id: 301, label: 'Ana' });
    world.marketplace.addProposal({ profileId: 301 });
    await world.gig('data', 'subscribe outcomes 301');
    await world.gig('web', 'subscribe', 'ben');
    await world.pass(5 * SECOND);
    await form.submit({ filter: '101' }, 'ben');
    expect(form.words('ben')).toContain('Ana (301)');
    await form.submit({ feeds: ['invitations', 'outcomes'], profiles: ['301'] }, 'ben');
    const list = await world.gig('web', 'list');
    for (const words of ['React work', 'nvitations', 'roposal updates']) expect(list).toContain(words);
    expectHealthy(world);
  });

  it('survives two people, a restart in the middle, and a person who gives up', async () => {
    await begin();
    await world.gig('web', 'subscribe');
    await world.gig('web', 'subscribe', 'ben');
    await form.submit({ filter: '101', without: 'wordpress' });
    await form.submit({ filter: '101' }, 'ben');
    await world.crash();
    await world.restart();
    await form.submit({ digest: 'daily' });
    await form.close('ben');
    await world.pass(5 * SECOND);
    expect(await world.gig('web', 'list')).toContain('-wordpress');
    expect(posted(world, 'example-card')).toHaveLength(1);
    expectHealthy(world);
  });

  it('tells the second of two people whose rules theirs replaced', async () => {
    await begin();
    await world.gig('web', 'subscribe');
    await world.gig('web', 'subscribe', 'ben');
    await form.submit({ filter: '101', without: 'wordpress' });
    await form.submit({});
    await form.submit({ filter: '101', without: 'php' }, 'ben');
    await form.submit({}, 'ben');
    expect(form.words('ben')).toMatch(/-wordpress.*yours replaced them/u);
    expect(await world.gig('web', 'list')).toContain('-php');
  });

  it('says what is unknown of a filter that was deleted meanwhile, at no cost', async () => {
    await begin();
    await world.gig('web', 'subscribe');
    world.marketplace.injectFault({ path: '/filters/101/results' }, presetFaults.status(404), 99);
    await form.press('Preview Rules', { filter: '101' });
    await form.press('Preview 10 Credits', {});
    expect(form.words()).toMatch(/no projects of filter 101 yet/u);
    await form.submit({});
    await form.submit({});
    expect(form.words()).toContain('Saved');
    expect(credits()).toBe(0);
    expect(posted(world, 'example-card')).toHaveLength(1);
    expectHealthy(world);
  });

  it('says what failed, and goes back to the answers', async () => {
    await begin();
    await world.gig('web', 'subscribe');
    await form.submit({ filter: '101', countries: 'Germany' });
    world.marketplace.injectFault({ path: '/filters/101/results' }, presetFaults.status(401), 10);
    await form.submit({});
    await world.pass(60 * SECOND);
    expect(form.words()).toContain('Nothing changed');
    expect(await world.gig('web', 'list')).not.toContain('Germany');
    world.marketplace.clearFaults();
    await form.press('Back', {});
    await form.submit({});
    await form.submit({});
    await world.pass(10 * SECOND);
    expect(await world.gig('web', 'list')).toContain('country:Germany');
  });

  it('opens with 200 filters of hostile names, with none at all, and where it is not invited', async () => {
    world = await startWorld();
    form = new SubscriptionForm(world);
    await world.gig('web', 'subscribe');
    await world.pass(5 * SECOND);
    expect(form.filterOptions()).toEqual([]);
    expectDecentView(form.view());
    await form.close();
    for (let id = 1; id <= 200; id++) {
      const name = `${'<!channel> <https://evil.example|x> '.repeat(5)}${'n'.repeat(100)}${id}`;
      world.marketplace.addFilter({ id, name });
      world.marketplace.addSetup({ filter: { id, name } });
    }
    world.slack.addChannel({ name: 'sales', withBot: false });
    await world.pass(600 * SECOND);
    await world.gig('sales', 'subscribe');
    await world.pass(10 * SECOND);
    expect(form.filterOptions()).toHaveLength(200);
    expectDecentView(form.view());
    expect(form.words()).toContain('/invite @gigdesk');
    await form.submit({ filter: '7' });
    await form.submit({});
    expect(form.words()).toContain('/invite @gigdesk');
    expect(world.slack.failedCalls()).toEqual([]);
  });

  it('is refused to guests, who read who can', async () => {
    await begin();
    world.slack.addUser({ name: 'gil', guest: 'multi' });
    world.slack.invite('sales', 'gil');
    await form.openWith(await inviteBot(world), 'Set Up', 'gil');
    expect(world.slack.view('gil')).toBeUndefined();
    const refusal = world.slack.ephemerals('gil', 'sales').map(wordsOf).join('\n');
    expect(refusal).toContain(`<@${world.slack.user('ada').id}>`);
  });
});
