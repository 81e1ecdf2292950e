/** Requests for approval: what they show, whom they notify, how they end, and that nobody approves blind. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { type BidAtHand, begin } from './begin-bid.ts';
import { addSlowSetup, grant, OTHER_SETUP, press, SETUP, wordsOfView } from './bidder.ts';
import { HomeAtHand } from './home-desk.ts';
import { changeSettings } from './settings-form.ts';
import { postOf, type World, wordsOf } from './world.ts';

const LETTER = 'Dear client, I have built nine checkouts.';
const ANSWER = 'Three shops for bakeries.';

/** Ben's bid waits for review. */
async function ask(values: Readonly<Record<string, string>> = {}) {
  const begun = await begin({ reviews: true });
  await begun.bid.open();
  await begun.bid.submit('ben', {
    bid_amount: '450',
    boost: '12',
    cover_letter: LETTER,
    ...values,
  });
  await begun.world.pass(5 * SECOND);
  return begun;
}

const mention = (world: World, user: string) => `<@${world.slack.user(user).id}>`;

function requests(world: World, channel = 'web'): readonly SlackMessage[] {
  const all = world.slack.messages(channel).flatMap(({ ts }) => world.slack.thread(channel, ts));
  return all.filter((it) => postOf(it).startsWith('approval-request:'));
}

/** Whether anything in the channel still offers to decide. */
function offers(bid: BidAtHand): boolean {
  const all = [bid.card(), ...requests(bid.world)];
  return all.some((it) => ['Approve', 'Reject', 'Review'].some((label) => findPressable(it, label)));
}

/** Presses a button that was there when the person looked. */
async function pressStale(world: World, message: SlackMessage, label: string): Promise<void> {
  const found = findPressable(message, label);
  if (found?.kind !== 'button') return expect.fail(`there was no “${label}”`);
  const { actionId, blockId, value } = found;
  await world.slack.press({ message, user: 'ada', actionId, blockId, value, force: true });
}

async function reject(bid: BidAtHand, reason: string, user = 'ada'): Promise<void> {
  await bid.press('Approve', user, 'deny');
  await press(bid.world, 'Reject', { message: bid.request() }, user);
  await bid.world.pass(SECOND);
  await bid.world.slack.submitView({ user, values: { reason } });
  await bid.world.pass(5 * SECOND);
}

describe('a request for approval', () => {
  it('shows all that will be sent, who asks, and mentions somebody else who may approve', async () => {
    const { bid, world } = await ask();
    const words = wordsOf(bid.request());
    for (const part of ['Rebuild our checkout', LETTER, '$450', '12 connects', 'Fast setup'])
      expect(words).toContain(part);
    expect(words).toMatch(/Cost:\* unknown/u);
    expect(words).toContain(mention(world, 'ben'));
    expect(words).toContain(mention(world, 'ada'));
    expect(findPressable(bid.card(), 'Approve')).toBeUndefined();
    // A short letter needs no second press.
    expect(findPressable(bid.request(), 'Review')).toBeUndefined();
  });

  it('looks the price up for one credit, and shows it with the boost', async () => {
    const { bid, world } = await ask();
    await press(world, 'Look Up (1 Credit)', { message: bid.request() }, 'ada');
    await world.pass(5 * SECOND);
    const price = bid.project.connectsPrice;
    expect(wordsOf(bid.request())).toContain(`${price + 12} connects`);
    expect(findPressable(bid.request(), 'Look Up (1 Credit)')).toBeUndefined();
    expect(bid.told('ada')).toMatch(/credit/u);
    await bid.press('Approve', 'ada');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
  });

  it('shows a long and hostile letter harmlessly, all of it behind one press', async () => {
    const end = 'Yours, the end.';
    const letter = `<!channel> <https://evil.example|Approve> ${'word '.repeat(500)}${end}`;
    const { bid, world } = await ask({ cover_letter: letter });
    expect(wordsOf(bid.request())).not.toContain(end);
    await press(world, 'Review', { message: bid.request() }, 'ada');
    await world.pass(SECOND);
    expect(bid.screen('ada')).toContain(end);
    expect(bid.screen('ada')).toContain('<!channel>');
    const sections = [...bid.request().blocks, ...bid.view('ada').blocks];
    for (const text of sections
      .map((block) => JSON.stringify(block))
      .filter((it) => it.includes('evil.example')))
      expect(text).toContain('"plain_text"');
  });

  it('goes by direct message to somebody elsewhere if nobody else in the channel may approve', async () => {
    const { bid, world } = await begin({ reviews: true, env: { ADMIN_USER_IDS: 'U00000010' } });
    world.slack.addUser({ name: 'eve' });
    await grant(world, ['ada']);
    await bid.open('ada');
    await bid.submit('ada', { cover_letter: LETTER });
    await world.pass(5 * SECOND);
    expect(wordsOf(bid.request())).toContain(mention(world, 'eve'));
    const [direct, ...more] = world.slack.directMessages('eve');
    expect(more).toEqual([]);
    if (!direct) return expect.fail('eve got no message');
    expect(wordsOf(direct)).toContain(LETTER);
    await press(world, 'Approve', { message: direct }, 'eve');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    expect(bid.thread().at(-1)).toContain(mention(world, 'eve'));
    const [after] = world.slack.directMessages('eve');
    expect(after && findPressable(after, 'Approve')).toBeUndefined();
  });
});

describe('a rejection', () => {
  it('needs a reason, which reaches who asked, names who decided, and sends nothing', async () => {
    const { bid, world } = await ask();
    await press(world, 'Reject', { message: bid.request() }, 'ada');
    await world.pass(SECOND);
    const empty = await world.slack.submitView({ user: 'ada', values: { reason: ' ' } });
    expect(Object.keys(empty.errors ?? {})).toEqual(['reason']);
    await world.slack.submitView({ user: 'ada', values: { reason: 'The rate is <!here> too low' } });
    await world.pass(5 * SECOND);
    const told = bid.thread().at(-1) ?? '';
    expect(told).toContain('too low');
    expect(told).not.toContain('<!here>');
    for (const user of ['ada', 'ben']) expect(told).toContain(mention(world, user));
    // It still waits there, and both the window and the thread say so.
    expect(bid.job().status).toBe('pending_review');
    for (const words of [told, bid.screen('ada')]) expect(words).toMatch(/still waits for review/u);
    expect(wordsOf(bid.request())).toContain(mention(world, 'ada'));
    expect(offers(bid)).toBe(false);
    expect(bid.approvals()).toEqual([]);
    expect(await world.gig('web', 'audit')).toMatch(/rejected .*too low/u);
  });

  it('and an approval at once have one outcome', async () => {
    const { bid, world } = await ask();
    await press(world, 'Reject', { message: bid.request() }, 'ada');
    await world.pass(SECOND);
    await Promise.all([
      world.slack.submitView({ user: 'ada', values: { reason: 'No' } }),
      bid.press('Approve', 'ben'),
    ]);
    await world.pass(10 * SECOND);
    const [job] = (await bid.books()).jobs;
    const isRejected = job?.review?.ended?.kind === 'rejected';
    expect(bid.approvals()).toHaveLength(isRejected ? 0 : 1);
    expect(job?.approval?.state).toBe(isRejected ? undefined : 'approved');
    expect(offers(bid)).toBe(false);
  });

  it('is approved only after somebody asked again', async () => {
    const { bid, world } = await ask();
    const old = bid.request();
    await reject(bid, 'Too early');
    await pressStale(world, old, 'Approve');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toEqual([]);
    expect(bid.told('ada')).toContain('Too early');
    await press(world, 'Ask Again', { message: bid.request() }, 'ben');
    await world.pass(5 * SECOND);
    expect(requests(world)).toHaveLength(2);
    expect(wordsOf(bid.request())).toContain(mention(world, 'ada'));
    await bid.press('Approve', 'ada');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    expect(offers(bid)).toBe(false);
  });

  it('is refused to people who may not approve', async () => {
    const { bid, world } = await ask();
    world.slack.addUser({ name: 'vic' });
    await reject(bid, 'Mine now', 'vic');
    expect(offers(bid)).toBe(true);
    expect(bid.thread().join()).not.toContain('Mine now');
  });
});

describe('a request that nobody answers', () => {
  it('counts as rejected after the chosen time, once, also over a restart', async () => {
    const { bid, world } = await begin({ reviews: true });
    await changeSettings(world, 'web', { 'approval-hours': '4' });
    await bid.open();
    await bid.submit();
    await world.pass(HOUR);
    await world.crash();
    await world.pass(2 * HOUR, MINUTE);
    await world.restart();
    expect(offers(bid)).toBe(true);
    await world.pass(2 * HOUR, MINUTE);
    const told = bid.thread().filter((it) => /counts as rejected\.\*/u.test(it) && it.includes('4 hours'));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(mention(world, 'ben'));
    expect(offers(bid)).toBe(false);
    expect(bid.approvals()).toEqual([]);
    await world.crash();
    await world.restart();
    await world.pass(HOUR, MINUTE);
    expect(bid.thread().filter((it) => it.includes('4 hours'))).toHaveLength(1);
  });
});

describe('approving what was shown', () => {
  it('shows what changed since, sends nothing, and asks again', async () => {
    const { bid, world } = await ask();
    world.marketplace.updateJob(bid.job().id, { scheduledAt: world.clock.now() + 3 * HOUR });
    await bid.press('Approve', 'ada');
    await world.pass(3 * SECOND);
    expect(bid.approvals()).toEqual([]);
    expect(bid.told('ada')).toMatch(/Scheduled: .* →/u);
    await press(world, 'Approve', { message: bid.note('ada') }, 'ada');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
  });

  it('in Review shows the difference in the same window', async () => {
    const { bid, world } = await ask();
    await press(world, 'Review', { message: bid.card() }, 'ada');
    await world.pass(SECOND);
    world.marketplace.updateJob(bid.job().id, { reason: 'Disqualified: wrong stack' });
    await world.slack.submitView({ user: 'ada', values: {} });
    await world.pass(3 * SECOND);
    expect(bid.approvals()).toEqual([]);
    expect(bid.screen('ada')).toContain('wrong stack');
    await world.slack.submitView({ user: 'ada', values: {} });
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    expect(bid.screen('ada')).toContain(mention(world, 'ada'));
    expect(offers(bid)).toBe(false);
  });

  it('is not done while the job cannot be read', async () => {
    const { bid, world } = await ask();
    world.marketplace.injectFault(
      { path: '/auto-bidding/jobs/*/status' },
      { kind: 'answer', status: 403, json: { error: 'Not you' } },
    );
    await bid.press('Approve', 'ada');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toEqual([]);
    await bid.press('Approve', 'ada');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
  });

  it('happens once for a double press in Review, opened from Home', async () => {
    const { bid, world } = await ask();
    const home = new HomeAtHand(world);
    await home.open('ada');
    await home.press('ada', 'Review');
    const view = bid.view('ada');
    expect(wordsOfView(view)).toContain(LETTER);
    await Promise.all([
      world.slack.submitView({ user: 'ada', view, values: {} }),
      world.slack.submitView({ user: 'ada', view, values: {} }),
    ]);
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    expect(home.words('ada')).not.toContain(`#${bid.job().id}`);
  });
});

describe('a job made elsewhere', () => {
  it('shows what the API returns, and plainly what it does not', async () => {
    const { bid, world } = await begin();
    const { id } = world.marketplace.addJob({
      projectId: bid.project.id,
      setupId: SETUP,
      status: 'pending_review',
      coverLetter: LETTER,
      answers: [{ question: 'Which?', answer: ANSWER }],
    });
    const words = await world.gig('web', `job ${id}`);
    expect(words).toMatch(/doesn't return its cover letter, answers and boost/u);
    expect(words).not.toContain(LETTER);
    expect(words).toMatch(/Fixed price:\* unknown/u);
    await press(world, 'Approve', { message: bid.note('ada') }, 'ada');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
  });
});

it("Review shows what the setup's template sends where the bid is silent, and whose bid it is", async () => {
  const { bid, world } = await begin({ reviews: true });
  addSlowSetup(world, { letter: 'We have built forty shops.', reviewsJobs: true });
  await world.pass(6 * MINUTE);
  await bid.open();
  await bid.submit('ben', { boost: '12', setup: String(OTHER_SETUP) });
  await world.pass(5 * SECOND);
  const request = requests(world)[0] ?? expect.fail('no request');
  for (const person of ['ada', 'ben']) {
    await press(world, 'Review', { message: request }, person);
    await world.pass(3 * SECOND);
    const shown = wordsOfView(bid.view(person));
    expect(shown).toContain('We have built forty shops.');
    expect(shown).toContain('12 connects');
    expect(/your own bid/u.test(shown)).toBe(person === 'ben');
  }
});
