/** Editing a subscription: everything that setup sets, in one form that several people may have open. */
import { afterEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { unsubscribe } from './buttons.ts';
import { expectDecentView, expectHealthy } from './healthy.ts';
import { SubscriptionForm } from './subscription-form.ts';
import { posted, startWorld, type World, wordsOf } from './world.ts';

let world: World;
let form: SubscriptionForm;
afterEach(() => world.stop());

const HOSTILE = `<!channel> <https://evil.example|x> ${'n'.repeat(165)}`;

async function begin(rules = ''): Promise<void> {
  world = await startWorld();
  form = new SubscriptionForm(world);
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  world.marketplace.addSetup({ filter: { id: 101, name: 'React work' } });
  await world.gig('web', `subscribe 101 ${rules}`);
  await world.pass(2 * SECOND);
}

/** Opens the form from the person's list. */
async function edit(user = 'ada'): Promise<void> {
  await world.gig('web', 'list', user);
  const message = world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('no list');
  await form.openWith(message, 'Edit', user);
}

const lastWords = () => wordsOf(world.slack.messages('web').at(-1) ?? expect.fail('no message'));

describe('editing a subscription', () => {
  it('begins with the rules as fields, and saves them even while the marketplace fails', async () => {
    await begin('budget:>=500 country:DE,"United Kingdom" -wordpress react');
    await edit();
    const shown = form.words();
    for (const words of ['"500"', 'DE, United Kingdom', '"wordpress"', '"react"'])
      expect(shown).toContain(words);
    world.marketplace.injectFault({ path: '/filters/101/results' }, presetFaults.status(500), 10);
    await form.submit({ 'min-budget': '800' });
    expect(form.words()).toContain('Saved');
    const rules = await world.gig('web', 'list');
    for (const words of ['budget:&gt;=800', 'country:DE,"United Kingdom"', '-wordpress', 'react'])
      expect(rules).toContain(words);
    expect(posted(world, 'example-card')).toHaveLength(0);
    expectHealthy(world);
  });

  it('shows and changes all that setup sets, at no cost', async () => {
    await begin('react');
    world.marketplace.addProfile({ id: 301, label: HOSTILE });
    world.marketplace.addProposal({ profileId: 301 });
    await world.gig('web', 'subscribe invitations 301');
    await world.gig('web', 'subscribe outcomes 301');
    await world.gig('web', 'digest at 08:30 daily');
    await world.pass(60 * SECOND);
    const before = world.marketplace.consumedCredits().total;
    await edit();
    expectDecentView(form.view());
    for (const words of ['"react"', 'invitations:301:', 'outcomes:301:', '"08:30"', '"daily"'])
      expect(form.words()).toContain(words);
    await form.press('Preview Rules', { 'min-budget': '800', 'digest-time': '07:45' });
    for (const words of ['"800"', '"07:45"', "hasn't seen any projects"])
      expect(form.words()).toContain(words);
    await world.crash();
    await world.restart();
    const said = world.slack.messages('web').length;
    expect((await form.submit({ 'profile-ids': 'x', 'min-budget': 'many' })).errors).toMatchObject({
      'profile-ids': expect.any(String),
      'min-budget': expect.any(String),
    });
    await form.submit({
      'min-budget': '800',
      'profile-ids': null,
      followed: ['outcomes:301:'],
      digest: 'off',
    });
    expect(form.words()).toContain('Saved');
    expect(world.slack.messages('web')).toHaveLength(said + 1);
    expect(lastWords().match(new RegExp(`<@${world.slack.user('ada').id}>`, 'gu'))).toHaveLength(1);
    const list = await world.gig('web', 'list');
    for (const words of ['budget:&gt;=800', 'react']) expect(list).toContain(words);
    expect(list).toMatch(/proposal updates/iu);
    expect(list).not.toMatch(/^\*?Invitations for/mu);
    expect(await world.gig('web', 'digest')).toMatch(/no (?:daily )?digest/iu);
    expect(world.marketplace.consumedCredits().total).toBe(before);
    await edit();
    expect(form.words()).toContain('"800"');
    await form.submit({});
    expect(form.words()).toContain('Nothing changed');
    expectHealthy(world);
  });

  it('is the same for everyone in the channel, and leads to the rest of the settings', async () => {
    await begin();
    await edit('ben');
    expect(form.words('ben')).toContain('/gig settings');
    for (const field of ['budget', 'level', 'mentions'])
      expect(form.words('ben')).not.toContain(`"block_id":"${field}"`);
    await form.submit({ 'more-rules': 'vue', digest: 'weekdays' }, 'ben');
    expect(await world.gig('web', 'list')).toContain('`vue`');
    expect(await world.gig('web', 'digest')).toContain('9:00');
  });
});

describe('two people with the form', () => {
  it('each write only what they changed', async () => {
    await begin('react');
    await edit();
    await edit('ben');
    await form.submit({ without: 'wordpress' }, 'ben');
    await form.submit({ digest: 'daily' });
    expect(form.words()).toContain('Saved');
    expect(form.words()).not.toContain('someone else');
    expect(await world.gig('web', 'list')).toContain('react -wordpress');
    expect(await world.gig('web', 'digest')).toContain('9:00');
    expectHealthy(world);
  });

  it('read what they replaced', async () => {
    await begin('react');
    await edit();
    await world.gig('web', 'subscribe 101 vue', 'ben');
    await world.gig('web', 'digest at 07:15', 'ben');
    await form.submit({ 'more-rules': 'svelte', digest: 'daily' });
    for (const words of ['`vue`', '07:15']) expect(form.words()).toContain(words);
    expect(form.words().match(/replaced theirs/gu)).toHaveLength(2);
    expect(await world.gig('web', 'list')).toContain('`svelte`');
    await form.press('Back', {});
    await form.submit({ 'more-rules': 'svelte', without: 'php' });
    expect(form.words()).toContain('Saved');
    expect(form.words()).not.toContain('someone else');
  });

  it("don't restart what one of them ended", async () => {
    await begin('react');
    await edit();
    await unsubscribe(world, 'web', '101', 'ben');
    await form.submit({ 'more-rules': 'vue' });
    expect(form.words()).toMatch(/unsubscribed this channel.*rules weren't saved/u);
    const list = await world.gig('web', 'list');
    expect(list).not.toContain('vue');
    expect(list).toContain('gets nothing');
    await form.close();
    const lists = world.slack.ephemerals('ada', 'web').filter((it) => findPressable(it, 'Edit'));
    const old = lists.at(-1) ?? expect.fail('no list');
    await form.openWith(old, 'Edit');
    expect(world.slack.view('ada')).toBeUndefined();
    expect(world.slack.ephemerals('ada', 'web').at(-1)?.text).toMatch(/already gone/u);
  });
});
