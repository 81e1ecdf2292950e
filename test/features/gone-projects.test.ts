/** A project that goes away while somebody has a window of it open, and buttons of looked-up projects. */
import { expect } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
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

/** A day later, the card is deleted for its age; a window opened now is still known then. */
async function ageCard({ app, pass }: Desk): Promise<void> {
  app.clock.moveBy(90 * DAY - 12 * HOUR);
  await pass(10 * MINUTE);
}

async function forgetCard({ app, pass }: Desk): Promise<void> {
  app.clock.moveBy(14 * HOUR);
  await pass(10 * MINUTE);
}

appTest.for(['Skip', 'Assign', 'Details'])(
  '%s in a window whose card went away says so once, and changes nothing',
  async (choice, { desk, market, ben, ada }) => {
    const card = await market.publish().cardIn('web');
    await ageCard(desk);
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
