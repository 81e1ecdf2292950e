/** Who may let a bid go out: never someone who wants it, and nobody whom Slack doesn't confirm just then. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { type Message, offering } from '../kit/read-screen.ts';
import { type Desk, letBid, PATHS, SHOP, sendBid, setRules } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
const PAY = { 'Fixed-price bid': '600', 'Cover letter': 'Dear client' };

describe('not by the person who asked', () => {
  const rules = {
    'Second approval above this amount': '500',
    'Second approval options': ['Not by the person who asked'],
  };

  reviewed('excludes the bidder, and everyone who asked again', async ({ desk, market, ada, ben }) => {
    const [cem, dan] = [desk.person('cem'), desk.person('dan')];
    await letBid(desk, ['ben', 'cem', 'dan']);
    const card = await market.publish(SHOP).cardIn('web');
    await sendBid(ben, card, PAY);
    await setRules(ada, rules);
    const form = await ada.press(offering(card, 'Reject'), 'Reject');
    await form.send({ Reason: 'Too early' });
    await cem.press(offering(card, 'Ask Again'), 'Ask Again');
    const asked = offering(card, 'Approve').text;
    expect(asked).toContain('@dan');
    expect(asked).not.toMatch(/@(?:ben|cem)[^\n]*please review/u);
    const refusal = await ben.press(offering(card, 'Approve'), 'Approve');
    expect(refusal.text).toContain("can't give one");
    await dan.press(offering(card, 'Approve'), 'Approve');
    for (const person of [ben, cem]) await person.press(offering(card, 'Approve'), 'Approve');
    expect(market.requests(PATHS.approve)).toEqual([]);
    await ada.press(offering(card, 'Approve'), 'Approve');
    expect(market.requests(PATHS.approve)).toHaveLength(1);
  });

  reviewed('excludes the bidder of a job whose state is unclear', async ({ market, ada, ben, pass }) => {
    market.service.setModes({ reviewWords: 'unclear' });
    const card = await market.publish(SHOP).cardIn('web');
    await sendBid(ben, card, PAY);
    const [job] = market.jobs;
    await setRules(ada, rules);
    await pass(10 * MINUTE);
    const details = await ben.type(`/gig job ${job?.id}`);
    const refusal = await details.press('Approve');
    expect(refusal.text).toContain("can't give one");
    expect(market.requests(PATHS.approve)).toEqual([]);
  });
});

describe('a bid that waits', () => {
  const second = { 'Second approval above this amount': '500' };

  async function waitForApproval(desk: Desk): Promise<Message> {
    const [ada, ben, cem] = ['ada', 'ben', 'cem'].map((name) => desk.person(name)) as [
      Person,
      Person,
      Person,
    ];
    await letBid(desk, ['ben', 'cem']);
    await setRules(ada, second);
    // Gigdesk knows them from earlier that day.
    for (const person of [ben, cem]) await person.type('/gig help');
    const card = await desk.market.publish(SHOP).cardIn('web');
    await sendBid(ben, card, PAY);
    expect(desk.market.jobs).toEqual([]);
    await desk.pass(MINUTE);
    return card;
  }

  appTest.for([
    ['an error', { kind: 'error', error: 'fatal_error' }],
    ['silence', { kind: 'hold', when: 'before', ms: 20 * SECOND }],
  ] as const)(
    'isn’t sent while Slack answers with %s who its people are',
    async ([, effect], { desk, slack, market, pass }) => {
      const card = await waitForApproval(desk);
      const fault = slack.injectFault('users.info', effect, Number.POSITIVE_INFINITY);
      await desk.person('cem').press(offering(card, 'Approve'), 'Approve');
      await pass(MINUTE);
      expect(market.jobs).toEqual([]);
      fault.cancel();
      await pass(2 * MINUTE);
      expect(market.jobs).toHaveLength(1);
    },
  );

  appTest('isn’t sent for someone who left while Slack was down', async ({ desk, slack, market, pass }) => {
    const card = await waitForApproval(desk);
    const fault = slack.injectFault(
      'users.info',
      { kind: 'error', error: 'fatal_error' },
      Number.POSITIVE_INFINITY,
    );
    await desk.person('cem').press(offering(card, 'Approve'), 'Approve');
    slack.deactivate('ben');
    await pass(MINUTE);
    fault.cancel();
    await pass(HOUR);
    expect(market.jobs).toEqual([]);
    expect(
      card
        .replies()
        .map((message) => message.text)
        .join('\n'),
    ).toContain("can't bid here anymore");
  });

  appTest(
    'goes out though Slack takes seconds to say who its people are',
    async ({ desk, slack, market, pass }) => {
      const card = await waitForApproval(desk);
      slack.injectFault(
        'users.info',
        { kind: 'hold', when: 'before', ms: 3 * SECOND },
        Number.POSITIVE_INFINITY,
      );
      await desk.person('cem').press(offering(card, 'Approve'), 'Approve');
      await pass(MINUTE);
      expect(market.jobs).toHaveLength(1);
    },
  );

  appTest(
    'isn’t sent while the user group of its people can’t be read',
    async ({ desk, slack, market, ada, pass }) => {
      const dan = desk.person('dan');
      const group = slack.addUserGroup({ handle: 'sales', users: [dan.id] });
      const form = await ada.type('/gig access');
      await form.send({ 'Bidders: user groups': ['@sales'] });
      await ada.close();
      await dan.type('/gig help');
      const card = await waitForApproval(desk);
      const fault = slack.injectFault(
        'usergroups.users.list',
        { kind: 'error', error: 'fatal_error' },
        Number.POSITIVE_INFINITY,
      );
      await dan.press(offering(card, 'Approve'), 'Approve');
      await pass(MINUTE);
      expect(market.jobs).toEqual([]);
      slack.removeUserGroup(group.id);
      fault.cancel();
      await pass(HOUR);
      expect(market.jobs).toEqual([]);
    },
  );
});
