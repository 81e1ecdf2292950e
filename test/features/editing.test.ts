/** Editing a subscription: everything that setup sets, in one form that several people may have open. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Answer, Person } from '../kit/person.ts';
import type { Desk } from '../kit/start-desk.ts';

const appTest = appTestWith({ empty: true });
const HOSTILE = `<!channel> <https://evil.example|x> ${'n'.repeat(165)}`;
const BUDGET = 'Project budget of at least';

async function begin({ market: { service }, person }: Desk, rules = 'react'): Promise<void> {
  service.addFilter({ id: 101, name: 'React work' });
  service.addSetup({ filter: { id: 101, name: 'React work' } });
  await person('ada').type(`/gig subscribe 101 ${rules}`);
}

/** The form, from the person's list. */
const edit = async (by: Person): Promise<Answer> => (await by.type('/gig list')).press('Edit');
const ask = async (by: Person, words: string) => (await by.type(`/gig ${words}`)).text;

describe('editing a subscription', () => {
  appTest(
    'begins with the rules as fields, and saves them while the marketplace fails',
    async ({ desk, market, ada }) => {
      await begin(desk, 'budget:>=500 country:DE,"United Kingdom" -wordpress react');
      const form = await edit(ada);
      for (const words of ['500', 'DE, United Kingdom', 'wordpress', 'react'])
        expect(form.text).toContain(words);
      market.fail('/filters/101/results', presetFaults.status(500), 10);
      expect((await form.send({ [BUDGET]: '800' })).text).toContain('Saved');
      const rules = await ask(ada, 'list');
      for (const words of ['budget:>=800', 'country:DE,"United Kingdom"', '-wordpress', 'react'])
        expect(rules).toContain(words);
      expect(ada.reads('web').filter((it) => /example/iu.test(it.text))).toEqual([]);
    },
  );

  appTest('shows and changes all that setup sets, at no cost', async ({ desk, market, ada, ben }) => {
    await begin(desk);
    market.service.addProfile({ id: 301, label: HOSTILE });
    market.service.addProposal({ profileId: 301 });
    for (const words of ['subscribe invitations 301', 'subscribe outcomes 301', 'digest at 08:30 daily'])
      await ada.type(`/gig ${words}`);
    await desk.pass(MINUTE);
    const form = await edit(ada);
    expect(form.text).toMatch(
      /react[\s\S]*Invitations: [\s\S]*Proposal updates: [\s\S]*Every day[\s\S]*08:30/u,
    );
    const preview = await form.press('Preview Rules', { [BUDGET]: '800', 'Digest time': '07:45' });
    expect(preview.text).toMatch(/800[\s\S]*hasn't seen any projects[\s\S]*07:45/u);
    await desk.restart();
    const said = ada.reads('web').length;
    const wrong = await form.send({ 'Profile IDs': 'x', [BUDGET]: 'many' });
    expect(wrong.text).toMatch(/many[\s\S]*profile/iu);
    const right = {
      [BUDGET]: '800',
      'Profile IDs': null,
      'Posted now': ['Proposal updates'],
      'Daily digest': 'None',
    };
    expect((await form.send(right)).text).toContain('Saved');
    const [change, ...more] = ada.reads('web').slice(said);
    expect(change?.text.match(/@ada/gu)).toHaveLength(1);
    expect(more).toEqual([]);
    await ada.close();
    const list = await ask(ada, 'list');
    expect(list).toMatch(/react budget:>=800|budget:>=800 react/u);
    expect(list).toMatch(/Proposal updates for/u);
    expect(list).not.toMatch(/Invitations for/u);
    expect(await ask(ada, 'digest')).toMatch(/no (?:daily )?digest/iu);
    expect(market.service.consumedCredits().total).toBe(0);
    expect((await (await edit(ada)).send()).text).toContain('Nothing changed');
    await ada.close();
    // It is the same for everyone in the channel.
    const his = await edit(ben);
    expect(his.text).toContain('/gig settings');
    await his.send({ 'More rules': 'vue', 'Daily digest': 'Monday to Friday' });
    expect(await ask(ada, 'list')).toContain('vue');
    expect(await ask(ada, 'digest')).toContain('Monday to Friday');
  });
});

describe('two people with the form', () => {
  appTest('each write only what they changed, and read what they replaced', async ({ desk, ada, ben }) => {
    await begin(desk);
    const [hers, his] = [await edit(ada), await edit(ben)];
    await his.send({ 'Hide projects with these words': 'wordpress' });
    const saved = await hers.send({ 'Daily digest': 'Every day' });
    expect(saved.text).toContain('Saved');
    expect(saved.text).not.toContain('someone else');
    await ada.close();
    expect(await ask(ada, 'list')).toContain('react -wordpress');
    expect(await ask(ada, 'digest')).toMatch(/9:00/u);
    const form = await edit(ada);
    await ben.type('/gig subscribe 101 vue');
    await ben.type('/gig digest at 07:15');
    const replaced = await form.send({ 'More rules': 'svelte', 'Daily digest': 'Monday to Friday' });
    expect(replaced.text).toMatch(/vue[\s\S]*replaced theirs[\s\S]*07:15[\s\S]*replaced theirs/u);
    const back = await replaced.press('Back');
    const again = await back.send({ 'More rules': 'svelte', 'Hide projects with these words': 'php' });
    expect(again.text).toContain('Saved');
    expect(again.text).not.toContain('someone else');
  });

  appTest("don't restart what one of them ended", async ({ desk, ada, ben }) => {
    await begin(desk);
    const old = await ada.type('/gig list');
    const form = await old.press('Edit');
    await (await ben.type('/gig list')).press('Unsubscribe');
    const refused = await form.send({ 'More rules': 'vue' });
    expect(refused.text).toMatch(/unsubscribed this channel.*rules weren't saved/u);
    await ada.close();
    expect(await ask(ada, 'list')).toContain('gets nothing');
    expect((await ada.press(old, 'Edit')).text).toMatch(/already gone/u);
    expect(ada.form().text).toBe('');
  });
});
