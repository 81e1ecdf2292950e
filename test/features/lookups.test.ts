/**
 * Every lookup gets an answer within 20 s, however slow the marketplace is, and Slack's acknowledgement never
 * waits.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { addRequestHeading, commandRequestLabel, slowReplyMessage } from '../../src/slack/core/slow-reply.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { chargedCreditsText } from '../../src/slack/kit/words/credits-text.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { asRead, failureText } from './as-read.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
let project: ProjectWithFilterIds;
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
  project = world.marketplace.publishProject(101, { title: 'Rebuild our checkout' });
});
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

function shown(): string[] {
  return world.slack.ephemerals('ada', 'web').map(wordsOf);
}

/** Sends the request, then passes `ms`. */
async function ask(ms: number): Promise<string[]> {
  await world.slack.runSlashCommand({ user: 'ada', channel: 'web', text: `lookup ${project.ciphertext}` });
  await world.pass(ms);
  return shown();
}

const TIMEOUT = new MarketplaceError('timeout', 'none', 'no answer');

const asked = () => commandRequestLabel('lookup', project.ciphertext);

/** The notice shown after a second. */
function looking(): string {
  return slowReplyMessage(asked()).text;
}

/** Latency of each acknowledgement to Slack. */
function waits(): readonly (number | undefined)[] {
  return world.slack
    .sentRequests()
    .map((it) => (it.answeredAt === undefined ? undefined : it.answeredAt - it.sentAt));
}

const lookup = { path: /project/i };

describe('a lookup while the marketplace', () => {
  it('refuses for two minutes says when to try again', async () => {
    world.marketplace.injectFault(lookup, presetFaults.rateLimited('120'), Number.POSITIVE_INFINITY);
    const [answer, ...more] = await ask(21 * SECOND);
    expect(answer).toMatch(/\b2 (?:m|min)/i);
    expect(answer && asRead(world, answer)).toMatchSnapshot();
    expect(more).toEqual([]);
  });

  it('refuses for nine seconds is announced after two, and the project says what it answers', async () => {
    world.marketplace.injectFault(lookup, presetFaults.rateLimited('9'));
    expect(await ask(SECOND)).toEqual([]);
    await world.pass(SECOND);
    expect(shown()).toEqual([looking()]);
    await world.pass(18 * SECOND);
    const [, answer, ...more] = shown();
    expect(answer?.split('\n')[0]).toBe(addRequestHeading(asked(), { text: '' }).text.trim());
    expect(answer).toContain('Rebuild our checkout');
    expect(more).toEqual([]);
  });

  it('refuses for two minutes, the next one says when too', async () => {
    world.marketplace.injectFault(lookup, presetFaults.rateLimited('120'));
    await ask(SECOND);
    const [, answer, ...more] = await ask(21 * SECOND);
    expect(answer && asRead(world, answer)).toMatchSnapshot();
    expect(more).toEqual([]);
  });

  it.each([
    ['holds the answer', { kind: 'hold-headers' }],
    ['holds half of the answer', { kind: 'hold-body' }],
  ] as const)('%s says so after 20 s, and Slack is answered at once', async (_, effect) => {
    world.marketplace.injectFault(lookup, effect, Number.POSITIVE_INFINITY);
    expect(await ask(19 * SECOND)).toEqual([looking()]);
    await world.pass(2 * SECOND);
    expect(shown()).toEqual([looking(), expect.stringContaining(failureText(TIMEOUT))]);
    expect(waits()).toEqual([0]);
    world.marketplace.clearFaults();
    expect((await ask(MINUTE)).at(-1)).toContain('Rebuild our checkout');
    expect(world.marketplace.consumedCredits().total).toBe(1);
  });

  it.each([
    ['breaks the body', { kind: 'break-body' }],
    ['drops the connection', { kind: 'drop', when: 'after' }],
    ['has a fault', presetFaults.status(503)],
    ['shows a gateway’s page', presetFaults.html()],
    ['answers something else', presetFaults.wrongJson()],
  ] as const)('%s ends in a sentence within 20 s, or in the project', async (_, effect) => {
    world.marketplace.injectFault(lookup, effect, Number.POSITIVE_INFINITY);
    const failed = await ask(21 * SECOND);
    expect(failed).toHaveLength(1);
    expect(failed.map((it) => asRead(world, it))).toMatchSnapshot();
    world.marketplace.clearFaults();
    world.marketplace.injectFault(lookup, effect);
    await ask(MINUTE);
    world.marketplace.clearFaults();
    expect((await ask(MINUTE)).at(-1)).toContain('Rebuild our checkout');
    expect(world.marketplace.consumedCredits().total).toBe(1);
  });
});

describe('a lookup whose first try was charged without an answer', () => {
  it.each([
    ['asks a second time by itself', 1],
    ['is asked for again by its person', Number.POSITIVE_INFINITY],
  ])('and that %s does not say that nothing was charged', async (_, times) => {
    world.marketplace.injectFault(lookup, { kind: 'drop', when: 'after' }, times);
    await ask(30 * SECOND);
    world.marketplace.clearFaults();
    if (times > 1) await ask(30 * SECOND);
    expect(shown().at(-1)).toContain(chargedCreditsText({ charged: 0, atMost: 1 }));
    expect(world.marketplace.consumedCredits().total).toBe(1);
  });
});

describe('a lookup asked for again after its answer was lost', () => {
  it('holds one credit, also where its answer comes at the second try', async () => {
    await world.gig('web', 'budget 1');
    world.marketplace.injectFault(lookup, { kind: 'drop', when: 'after' }, Number.POSITIVE_INFINITY);
    await ask(30 * SECOND);
    world.marketplace.clearFaults();
    world.marketplace.injectFault(lookup, presetFaults.status(503));
    expect((await ask(30 * SECOND)).at(-1)).toContain('Rebuild our checkout');
    expect(world.marketplace.consumedCredits().total).toBe(1);
    expect(await world.gig('web', 'budget')).toMatchSnapshot();
  });
});

describe('Slack', () => {
  it('gets its answer to a press at once while the marketplace hangs', async () => {
    await world.gig('web', 'subscribe filter 101 backfill 1');
    await world.until('the card', () => world.told('web').length === 1, 5 * MINUTE);
    world.marketplace.injectFault({}, { kind: 'hold-headers' }, Number.POSITIVE_INFINITY);
    const message = world.cards('web')[0] ?? expect.fail('no card');
    const button = findPressable(message, 'Details');
    if (button?.kind !== 'button') return expect.fail('no button');
    const { actionId, blockId, value } = button;
    await world.slack.press({ user: 'ada', message, actionId, blockId, value });
    await world.pass(SECOND);
    const view = world.slack.view('ada') ?? expect.fail('no details');
    await world.slack.press({ user: 'ada', view, actionId: actionIds.detailsLookUp });
    await world.pass(30 * SECOND);
    expect(new Set(waits())).toEqual(new Set([0]));
    expect(shown().map((it) => asRead(world, it))).toMatchSnapshot();
  });

  it('may send a shared link again, and it is unfurled once', async () => {
    await world.gig('web', 'budget 100');
    const message = world.slack.postAsUser({ user: 'ben', channel: 'web', text: project.url });
    const fields = {
      channel: world.slack.channel('web').id,
      user: world.slack.user('ben').id,
      message_ts: message.ts,
      links: [{ url: project.url, domain: new URL(project.url).hostname }],
    };
    for (let time = 0; time < 3; time++) {
      await world.slack.sendEvent('link_shared', fields, { eventId: 'EvSAME' });
      await world.pass(MINUTE);
    }
    expect(world.slack.unfurls()).toHaveLength(1);
    expect(world.slack.apiCalls('chat.unfurl')).toHaveLength(1);
    expect(world.marketplace.consumedCredits().total).toBe(1);
  });
});

describe('a giant project', () => {
  it.each([
    ['of words', 'word '],
    ['of signs that grow when escaped', '&<>🦄'],
    ['of one word', 'aaaaa'],
    ['of lines', 'a\nb\n\n'],
    ['of letters that take three bytes', '漢字かなん'],
  ])('%s is shown within the limits of Slack', async (_, five) => {
    const text = (length: number) => five.repeat(length / 5);
    const [pattern] = project.workHistory;
    const job = pattern ?? expect.fail('no work history');
    project = world.marketplace.publishProject(101, {
      title: text(2_000),
      description: text(100_000),
      skills: Array.from({ length: 500 }, (__, n) => `${text(100)}${n}`),
      categories: Array.from({ length: 100 }, (__, n) => `${text(100)}${n}`),
      clientQuestions: Array.from({ length: 200 }, (__, n) => `${text(1_000)}${n}?`),
      durationLabel: text(1_000),
      engagementLabel: text(1_000),
      experienceLevel: text(1_000),
      preferredQualifications: {
        ...project.preferredQualifications,
        locations: Array.from({ length: 200 }, () => text(100)),
        languages: Array.from({ length: 200 }, () => text(100)),
      },
      client: { country: text(1_000), city: text(1_000), industry: text(1_000), companySize: text(1_000) },
      workHistory: Array.from({ length: 1_000 }, () => ({
        ...job,
        job_info: { ...job.job_info, title: text(1_000) },
      })),
    });
    const [answer, ...more] = await ask(21 * SECOND);
    expect(answer).toMatch(/\b1,000\b/u);
    expect(answer).toContain(project.url);
    expect(answer).toContain(chargedCreditsText({ charged: 1 }));
    expect(more).toEqual([]);
  });
});

describe('a subscription by id while the marketplace hangs', () => {
  it('is answered after 20 s, too: its name and its check are asked for side by side', async () => {
    world.marketplace.injectFault({}, { kind: 'hold-headers' }, Number.POSITIVE_INFINITY);
    await world.slack.runSlashCommand({ user: 'ada', channel: 'web', text: 'subscribe filter 101' });
    await world.pass(21 * SECOND);
    const command = commandRequestLabel('subscribe', 'filter 101');
    expect(shown()).toEqual([slowReplyMessage(command).text]);
    // Subscribed all the same: the first read shows whether the filter exists.
    const [answer, ...more] = world.slack.messages('web').map(wordsOf);
    expect(answer).toMatch(/subscribed this channel.*101/u);
    expect(answer).toContain("Couldn't check the filter's ID");
    expect(more).toEqual([]);
  });
});
