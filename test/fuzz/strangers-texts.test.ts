/** Hostile texts in every field that marketplace users can write, on everything the app shows. */
import type { ModalView } from '@slack/types';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { Message } from '../../src/slack/core/routes.ts';
import type { SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { grant } from '../features/bidder.ts';
import { FAST, startWorld, type World } from '../features/world.ts';
import { hostileText } from '../slack/arbitraries.ts';
import { expectHarmless, expectHarmlessTexts } from '../slack/harmless.ts';
import { findViewRubricProblems } from '../slack/rubric.ts';
import { brokenInside } from './broken-inside.ts';
import { fuzz } from './fuzz.ts';
import { playEverything } from './play-everything.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ ...FAST });
  world.slack.setRateLimits('off');
  await grant(world, ['ben']);
});
afterAll(() => world.stop());

/** Returns the next text, and starts over at the end. */
type Texts = () => string;

/** Every name and text written by strangers. */
function seed({ marketplace }: World, text: Texts): void {
  marketplace.reset();
  const filter = { id: 101, name: text() };
  marketplace.addFilter({ ...filter, qualifier: true });
  marketplace.addSetup({ id: 7, name: text(), filter, status: 'active', timezone: text(), schedule: text() });
  marketplace.addOrganization({
    id: 7,
    label: text(),
    type: 'agency',
    contractors: [{ uid: 'c-1', name: text() }],
  });
  marketplace.addTemplate({ id: 61, name: text() });
  marketplace.addProfile({ id: 31, label: text(), type: 'freelancer' });
  marketplace.setModes({ lists: 'data' });
}

let projects = 0;
function publish({ marketplace }: World, text: Texts): void {
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
  const project = marketplace.publishProject(101, { ...words, ...more, client, ciphertext, url });
  marketplace.setVerdict(project.id, { decision: 'qualified', reason: text() });
  marketplace.publishProject([], {
    ...words,
    ciphertext: '~021',
    url: 'https://www.marketplace.example/jobs/~021',
  });
  marketplace.addInvitation({
    profileId: 31,
    title: `t${text()}`,
    invitationLetter: text(),
    statusLabel: text(),
    jobPostingUid: project.uid,
  });
  marketplace.addProposal({
    profileId: 31,
    coverLetter: text(),
    coverLetterVariant: text(),
    occupationTitle: text(),
    jobTitle: text(),
    answers: [{ question: text(), answer: text() }],
    isHired: true,
  });
  marketplace.addJob({
    projectId: project.id,
    setupId: 7,
    status: 'failed',
    errorMessage: text(),
    reason: text(),
  });
}

type Blocks = NonNullable<Message['blocks']>;

/** Slack shows our blocks and views in the same shape. */
const asSent = <T>(shown: unknown) => shown as T;

/** As the SDK sends it. */
function readView(sent: unknown): unknown {
  return typeof sent === 'string' ? JSON.parse(sent) : sent;
}

function expectHarmlessView(view: SlackView | undefined): void {
  if (!view) return;
  const { blocks } = asSent<ModalView>(view);
  expect(findViewRubricProblems(blocks)).toEqual([]);
  expectHarmlessTexts('a view', blocks);
}

describe('whatever strangers write', () => {
  const texts = fc.array(hostileText, { minLength: 3, maxLength: 12 });

  fuzz(
    'mentions nobody, hides nothing, breaks nothing: cards, threads, answers, forms, Homes, digests',
    texts,
    4,
    async (given) => {
      let next = 0;
      const text = () => given[next++ % given.length] ?? '';
      const { slack } = world;
      const lines = world.logLines.length;
      const calls = slack.apiCalls().length;
      seed(world, text);
      for (const command of ['subscribe filter 101', 'subscribe outcomes 31', 'subscribe invitations 31'])
        await world.gig('web', command);
      publish(world, text);
      await world.pass(4 * MINUTE);
      await playEverything(world, ['ben'], 3);
      await world.gig('web', 'digest now');
      await world.pass(SECOND);
      const said = slack.messages('web').flatMap((it) => slack.thread('web', it.ts));
      const all = [...said, ...slack.ephemerals()].filter((it) => it.byBot);
      for (const { text: words, blocks } of all.slice(-150))
        expectHarmless(blocks.length > 0 ? { text: words, blocks: asSent<Blocks>(blocks) } : { text: words });
      for (const user of ['ada', 'ben']) expectHarmlessView(slack.home(user));
      for (const { args, method } of slack.apiCalls().slice(calls))
        if (method.startsWith('views.')) expectHarmlessView(asSent<SlackView>(readView(args['view'])));
      expect(brokenInside(world, lines)).toEqual([]);
      expect(slack.failedCalls()).toEqual([]);
    },
  );
});
