/** A project that goes away while somebody has a window of it open, and buttons of looked-up projects. */
import { expect } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest } from '../kit/app-test.ts';
import { type Desk, PATHS, SHOP } from '../kit/start-desk.ts';

appTest(
  'a lookup of a deleted project says so in its window, which goes on working',
  async ({ market, ben }) => {
    const card = await market.publish().cardIn('web');
    const window = await ben.press(card, 'Details');
    market.fail(PATHS.lookup, presetFaults.status(404, 'Project not found'));
    const looked = await window.press('Look Up');
    expect(looked.text).toContain('Rebuild our checkout');
    expect(looked.text).toContain("Couldn't find this project");
    expect(market.service.consumedCredits().total).toBeLessThanOrEqual(1);
    await looked.press('Claim');
    expect(card.text).toContain('Claimed by @ben');
  },
);

/** Lets the records of the card run out, by age. */
async function forgetCard({ app, market, pass }: Desk): Promise<void> {
  app.clock.moveBy(91 * DAY);
  market.publish({ ...SHOP, title: 'A new one' });
  await pass(10 * MINUTE);
}

appTest.for(['Skip', 'Assign', 'Details'])(
  '%s in a window whose card went away says so once, and changes nothing',
  async (choice, { desk, market, ben, ada }) => {
    const card = await market.publish().cardIn('web');
    const window = await ben.press(card, choice);
    await forgetCard(desk);
    const told = () => [...ben.notes('web'), ...ben.inbox()].length;
    const [before, others] = [told(), ada.inbox().length];
    if (choice === 'Details') await window.press('Claim');
    else await window.send(choice === 'Assign' ? { 'Assign to': 'ada' } : { Reason: 'Poor client' });
    expect(told()).toBe(before + 1);
    expect(ada.inbox()).toHaveLength(others);
    expect(card.text).not.toMatch(/@ada|@ben/u);
  },
);

appTest(
  'the message shortcut’s answer bids, claims and shares; the next one links the card',
  async ({ market, slack, ada, ben, pass }) => {
    const { project } = market.publish(SHOP, []);
    const message = slack.postAsUser({ user: 'ada', channel: 'web', text: `Look: ${project.url}` });
    const lookUp = async (who: typeof ada) => {
      await slack.messageShortcut({ user: who.name, message, callbackId: 'look_up_project' });
      await pass(5 * SECOND);
      return who.notes('web').at(-1) ?? expect.fail('no answer');
    };
    const answer = await lookUp(ben);
    expect(answer.text).toContain(project.title);
    expect((await ben.press(answer, 'Bid')).text).toContain(project.title);
    await ben.close();
    await ben.press(answer, 'Share to Channel');
    await ben.press(answer, 'Claim');
    await pass(20 * SECOND);
    const cards = ada.reads('web').filter((it) => it.offers('Details'));
    expect(cards).toHaveLength(1);
    expect(cards[0]?.text).toContain('Claimed by @ben');
    expect((await lookUp(ada)).text).toContain(`/p${cards[0]?.ts.replace('.', '')}`);
    expect(market.service.consumedCredits().total).toBe(1);
  },
);
