/** Hostile texts in every field that marketplace users can write, on everything the app shows. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { objectOrEmpty, stringOrUndefined } from '../../src/workbench/slack/json-reading.ts';
import { type Desk, startDesk } from '../kit/start-desk.ts';
import { hostileText } from '../slack/arbitraries.ts';
import { brokenInside } from './broken-inside.ts';
import { fuzz } from './fuzz.ts';
import { playEverything } from './play-everything.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk({ requestsPerMinute: 500, env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' } });
  desk.slack.setRateLimits('off');
});
afterAll(() => desk.stop());

/** Returns the next text, and starts over at the end. */
type Texts = () => string;

/** Every name and text written by strangers. */
function seed({ market: { service } }: Desk, text: Texts): void {
  service.reset();
  const filter = { id: 101, name: text() };
  service.addFilter({ ...filter, qualifier: true });
  service.addSetup({ id: 7, name: text(), filter, status: 'active', timezone: text(), schedule: text() });
  service.addOrganization({
    id: 7,
    label: text(),
    type: 'agency',
    contractors: [{ uid: 'c-1', name: text() }],
  });
  service.addTemplate({ id: 61, name: text() });
  service.addProfile({ id: 31, label: text(), type: 'freelancer' });
  service.setModes({ lists: 'data' });
}

let projects = 0;
function publish({ market: { service } }: Desk, text: Texts): void {
  const words = { title: `t${text()}`, description: text(), skills: [text(), text()], categories: [text()] };
  const more = {
    clientQuestions: [text()],
    durationLabel: text(),
    engagementLabel: text(),
    experienceLevel: text(),
  };
  const client = { country: text(), city: text(), industry: text() };
  const ciphertext = `~02${++projects}`;
  const url = `https://www.marketplace.example/jobs/${ciphertext}`;
  const project = service.publishProject(101, { ...words, ...more, client, ciphertext, url });
  service.setVerdict(project.id, { decision: 'qualified', reason: text() });
  service.publishProject([], {
    ...words,
    ciphertext: '~021',
    url: 'https://www.marketplace.example/jobs/~021',
  });
  service.addInvitation({
    profileId: 31,
    title: `t${text()}`,
    invitationLetter: text(),
    statusLabel: text(),
    jobPostingUid: project.uid,
  });
  service.addProposal({
    profileId: 31,
    coverLetter: text(),
    coverLetterVariant: text(),
    occupationTitle: text(),
    jobTitle: text(),
    answers: [{ question: text(), answer: text() }],
    isHired: true,
  });
  service.addJob({
    projectId: project.id,
    setupId: 7,
    status: 'failed',
    errorMessage: text(),
    reason: text(),
  });
}

/** All mrkdwn in it. */
function mrkdwnIn(shown: unknown): readonly string[] {
  if (typeof shown === 'string' && /^[[{]/u.test(shown)) return mrkdwnIn(JSON.parse(shown));
  if (Array.isArray(shown)) return shown.flatMap(mrkdwnIn);
  const { type, text, ...rest } = objectOrEmpty(shown);
  const own = type === 'mrkdwn' && typeof text === 'string' ? [text] : [];
  return [...own, ...[text, ...Object.values(rest)].flatMap(mrkdwnInObject)];
}

const mrkdwnInObject = (part: unknown) => (typeof part === 'object' ? mrkdwnIn(part) : []);

/** No mention, no channel call, no foreign link, no invisible character. */
function expectHarmless(shown: string): void {
  expect(shown).not.toMatch(/<(?!https?:\/\/|!date\^\d+\^|@[UW]|#C)|<@U0ANA>|<https:\/\/evil/u);
  // Our own zero-width space: it keeps Slack from capitalizing a day's name.
  expect(shown.replaceAll(/(?<=<!date\^\d+\^)\u200b/gu, '')).not.toMatch(/[\p{Cf}\0]/u);
}

describe('whatever strangers write', () => {
  const texts = fc.array(hostileText, { minLength: 3, maxLength: 12 });

  fuzz(
    'mentions nobody, hides nothing, breaks nothing: cards, threads, answers, forms, Homes, digests',
    fc.record({ given: texts, isOld: fc.boolean() }),
    4,
    async ({ given, isOld }) => {
      let next = 0;
      const text = () => given[next++ % given.length] ?? '';
      const { slack, app, pass } = desk;
      const ada = desk.person('ada');
      const lines = app.logLines.length;
      const calls = slack.apiCalls().length;
      seed(desk, text);
      // An older Slack, which gets the plain form of newer blocks.
      slack.refuseBlocks(isOld ? ['data_table', 'container', 'data_visualization', 'alert'] : []);
      for (const command of ['subscribe filter 101', 'subscribe outcomes 31', 'subscribe invitations 31'])
        await ada.type(`/gig ${command}`);
      publish(desk, text);
      await pass(4 * MINUTE);
      await playEverything(desk, ['ben']);
      await ada.type('/gig digest now');
      for (const { args, method } of slack.apiCalls().slice(calls)) {
        const words =
          method === 'response_url' || method.startsWith('chat.')
            ? [stringOrUndefined(args['text']) ?? '']
            : [];
        const shown = [...words, ...mrkdwnIn(args['blocks']), ...mrkdwnIn(args['view'])];
        for (const each of shown) expectHarmless(each);
      }
      expect(brokenInside(app, lines)).toEqual([]);
      const isRefused = (messages: readonly string[]) => messages.join().includes('unsupported type');
      expect(slack.failedCalls().filter(({ messages }) => !isRefused(messages))).toEqual([]);
    },
  );
});
