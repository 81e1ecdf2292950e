/** The funnel and tried rules: projects found, claimed, bid on, viewed, hired. */
import { expect } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import type { SimulatedProposal } from '../../src/workbench/marketplace/records.ts';
import { appTest } from '../kit/app-test.ts';
import { type Desk, letBid, SHOP, sendBid } from '../kit/start-desk.ts';

const NODE = { id: 102, name: 'Node work' };

/** The number of projects at each step of a funnel. */
function stepsOf(text: string): Record<string, number> {
  const steps = /(\d+) (found|matched|posted|claimed|bid|viewed|interviewed|hired)\b/gu;
  const [line = ''] = text.split('\n');
  return Object.fromEntries([...line.matchAll(steps)].map(([, count, step]) => [step, Number(count)]));
}

function publish({ market }: Desk, title: string, fixedAmount: number, filters: readonly number[] = [101]) {
  const budget = { type: 'fixed', fixedAmount } as const;
  return market.publish({ ...SHOP, title, clientQuestions: [], budget }, filters);
}

/** Requests that cost credits so far. */
function costs({ market }: Desk) {
  return market.service.consumedCredits().total;
}

/** One project for each step, and one for each reason that doesn't need time. */
async function workThroughProjects(desk: Desk): Promise<void> {
  const { market, person, pass } = desk;
  const [ada, ben] = [person('ada'), person('ben')];
  market.service.addProfile({ id: 31, label: 'Ada Webb', type: 'freelancer' });
  market.service.addFilter(NODE);
  await ada.type('/gig budget 1000');
  await ada.type('/gig subscribe filter 101 -wordpress');
  await ada.type('/gig subscribe filter 102');
  await pass(20 * SECOND);
  const outcomes: readonly Partial<SimulatedProposal>[] = [
    { jobTitle: 'Hired shop', isHired: true },
    { jobTitle: 'Interviewed <!channel> shop', isInterviewed: true },
    { jobTitle: 'Viewed shop', isViewed: true },
    { jobTitle: 'Sent shop' },
  ];
  const bidOn = outcomes.map(({ jobTitle = '' }, n) =>
    publish(desk, jobTitle, 900 - 100 * n, n === 2 ? [101, 102] : [101]),
  );
  const claimed = publish(desk, 'Claimed shop', 500);
  const skipped = publish(desk, 'Skipped shop', 400);
  publish(desk, 'Unclaimed shop', 300);
  publish(desk, 'WordPress shop', 200);
  for (const [n, { project, cardIn }] of bidOn.entries()) {
    await sendBid(ben, await cardIn('web'));
    const job = market.jobs.find(({ projectId }) => projectId === project.id);
    const { id } = market.service.turnJobIntoProposal(job?.id ?? 0);
    market.service.updateProposal(id, outcomes[n] ?? {});
  }
  await ben.press(await claimed.cardIn('web'), 'Claim');
  await (await ben.press(await skipped.cardIn('web'), 'Skip')).send();
  // The jobs are read until their proposals are known.
  await pass(20 * MINUTE);
}

appTest(
  'the funnel follows projects from found to hired, and tried rules know them',
  async ({ desk, ada }) => {
    await workThroughProjects(desk);
    const before = costs(desk);
    const byFilter = await ada.type('/gig stats funnel');
    expect(costs(desk)).toBe(before);
    const steps = {
      found: 8,
      matched: 7,
      posted: 7,
      claimed: 5,
      bid: 4,
      viewed: 3,
      interviewed: 2,
      hired: 1,
    };
    expect(stepsOf(byFilter.text)).toEqual(steps);
    const rows = byFilter.text.split('\n').map((line) =>
      line
        .split(/\s*\|\s*/u)
        .slice(0, 9)
        .join(' '),
    );
    expect(rows.filter((row) => /10[12]/u.test(row))).toEqual([
      '“React work” (101) 8 7 7 5 4 3 2 1',
      'Filter 102 1 1 1 1 1 1 0 0',
    ]);

    const tried = await ada.type('/gig try "React work" budget:>650 budget:<850');
    expect(tried.text).toMatch(/2 of 8 projects.*now: 7,/u);
    const missed = [/Hired shop.*: hired/u, /Sent shop.*: bid on/u, /Claimed shop.*: claimed/u];
    for (const project of missed) expect(tried.text).toMatch(project);
    expect(tried.text).toMatch(/won:\*?\n• Interviewed <!channel> shop.*: interviewed/u);
    // “Node work” found it, too, and still shows it.
    const narrow = await ada.type('/gig try 101 budget:>850');
    expect(narrow.text).toMatch(/still shows 1 /u);
    expect(narrow.text).not.toContain('Viewed shop');
    const form = await tried.press('Edit Subscription');
    const preview = await form.press('Preview Rules', { 'Project budget of at least': '850' });
    expect(preview.text).toMatch(/1 of 8 projects/u);
    const wrong = await form.press('Preview Rules', { 'Project budget of at least': 'lots' });
    expect(wrong.text).toContain('amount of dollars');
    await ada.close();
    expect((await ada.type('/gig list')).text).toContain('-wordpress');
  },
);

appTest(
  'the funnel by channel has those that the reader may see',
  async ({ desk, slack, ada, ben, pass }) => {
    slack.addChannel({ name: 'secret', private: true, members: ['ben'] });
    await ben.type('/gig subscribe filter 101', 'secret');
    await ada.type('/gig subscribe filter 101', 'data');
    await pass(20 * SECOND);
    expect((await ada.type('/gig stats funnel')).text).toMatch(/No projects/u);
    const card = publish(desk, 'A shop', 100);
    await card.cardIn('data');
    const seen = await ada.type('/gig stats funnel 7 by channel');
    for (const name of ['#web', '#data']) expect(seen.text).toContain(name);
    expect(seen.text).not.toContain('#secret');
    expect(seen.text).toMatch(/left out/u);
    // The same project in two channels counts once in all.
    expect(stepsOf(seen.text)).toMatchObject({ found: 1, posted: 1, claimed: 0 });
    expect((await seen.press('By Filter')).text).toContain('“React work” (101)');
    expect((await ben.type('/gig stats funnel by channel', 'secret')).text).toContain('#secret');
    await letBid(desk, ['ben'], 'data');
    await sendBid(ben, await card.cardIn('data'));
    expect(stepsOf((await ada.type('/gig stats funnel', 'data')).text)).toMatchObject({ bid: 1 });
    const elsewhere = await ada.type('/gig stats funnel');
    expect(elsewhere.text).toContain('1 bid from another channel');
    expect(stepsOf(elsewhere.text)).toMatchObject({ posted: 1, bid: 0 });
    await desk.restart(2 * DAY);
    expect((await ada.type('/gig stats funnel 1')).text).toMatch(/No projects/u);
    expect((await ada.type('/gig stats funnel 900')).text).toContain('stats funnel 14 by channel');
  },
);

appTest('tried rules agree with what the feed decides with them', async ({ desk, ada, pass }) => {
  const rules = 'budget:>450 -hired';
  await ada.type('/gig subscribe filter 101 -wordpress');
  await ada.type(`/gig subscribe filter 101 ${rules}`, 'data');
  for (const channel of ['web', 'data']) await ada.type('/gig budget 1000', channel);
  await pass(20 * SECOND);
  const words = ['hired', 'wordpress', 'viewed', 'sent'];
  const projects = Array.from({ length: 16 }, (_, n) => ({ word: words[n % 4], amount: 100 + 50 * n }));
  for (const [n, { word, amount }] of projects.entries()) publish(desk, `A ${word} shop ${n}`, amount);
  await pass(3 * MINUTE);
  const today = projects.filter(({ word }) => word !== 'wordpress');
  const other = projects.filter(({ word, amount }) => amount > 450 && word !== 'hired');
  for (const [channel, shown] of Object.entries({ web: today, data: other })) {
    const funnel = await ada.type('/gig stats funnel', channel);
    expect(stepsOf(funnel.text)).toMatchObject({ found: 16, posted: shown.length });
  }
  const before = costs(desk);
  const { text } = await ada.type(`/gig try 101 ${rules}`);
  expect(text).toMatch(new RegExp(`${other.length} of 16 projects.*now: ${today.length},`, 'u'));
  const hidden = today.filter((each) => !other.includes(each)).length;
  const added = other.filter((each) => !today.includes(each)).length;
  expect(text).toContain(`${hidden} would be hidden, ${added} would be added`);
  const back = await ada.type('/gig try 101 -wordpress', 'data');
  expect(back.text).toMatch(new RegExp(`${today.length} of 16 projects.*now: ${other.length}`, 'u'));
  expect((await ada.type('/gig try 101 -wordpress')).text).toMatch(/same projects as today/u);
  expect(costs(desk)).toBe(before);
});

appTest(
  'rules are tried without a subscription, and say what is wrong',
  async ({ desk, market, ada, pass }) => {
    market.service.addFilter(NODE);
    expect((await ada.type('/gig try')).text).toContain('/gig try 123');
    expect((await ada.type('/gig try 102 budget:>lots')).text).toContain('/gig try 102 ');
    expect((await ada.type('/gig try 102 budget:>5')).text).toMatch(/no projects/u);
    await ada.type('/gig subscribe filter 102', 'data');
    await pass(20 * SECOND);
    for (const amount of [500, 100])
      await publish(desk, `A shop for ${amount}`, amount, [102]).cardIn('data');
    expect((await ada.type('/gig try filter 102 budget:>5')).text).toMatch(
      /2 of 2 projects.*doesn't follow the filter/u,
    );
    await ada.type('/gig subscribe filter 102 budget:>50');
    const form = await (await ada.type('/gig try 102')).press('Edit Subscription');
    const preview = await form.press('Preview Rules', { 'Project budget of at least': '300' });
    expect(preview.text).toMatch(/last 2 projects of this filter, \*?1 would be posted/u);
    await ada.close();
    await desk.restart(15 * DAY);
    expect((await ada.type('/gig try 102', 'data')).text).toMatch(/no projects/u);
  },
);
