/** Hostile texts in every field that marketplace users can write, on everything the app shows. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { objectOrEmpty, stringOrUndefined } from '../../src/workbench/slack/json-reading.ts';
import { Crawl } from '../features/press-crawl.ts';
import { COMMANDS, startBoard } from '../features/press-play.ts';
import { brokenInside } from './broken-inside.ts';
import { fuzz } from './fuzz.ts';
import { hostileText } from './hostile.ts';

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

fuzz(
  'what strangers write mentions nobody, hides nothing, breaks nothing',
  fc.record({
    given: fc.array(
      hostileText.map((it) => it.slice(0, 10_000)),
      { minLength: 3, maxLength: 12 },
    ),
    isOld: fc.boolean(),
  }),
  2,
  async ({ given, isOld }) => {
    let next = 0;
    const text = () => given[next++ % given.length] ?? '';
    const desk = await startBoard(text);
    const { slack, app, market } = desk;
    const ada = desk.person('ada');
    // An older Slack gets the plain form of newer blocks.
    if (isOld) slack.refuseBlocks(['data_table', 'container', 'data_visualization', 'alert']);
    const crawl = new Crawl(desk, async ({ send }) => void (await desk.settleAfter(send())));
    for (const line of ['filter 102', 'outcomes 301', 'invitations 301'])
      await ada.type(`/gig subscribe ${line}`, 'board');
    const texts = { invitationLetter: text(), statusLabel: text() };
    market.service.addInvitation({ profileId: 301, title: `t${text()}`, ...texts });
    const { project } = market.publish({ title: `t${text()}`, description: text() }, 102);
    await desk.pass(4 * MINUTE);
    for (const line of [...COMMANDS, `lookup ${project.ciphertext}`, `bid ${project.ciphertext}`]) {
      await ada.type(`/gig ${line}`, 'board');
      await crawl.run(ada);
    }
    const { message } = await slack.postLinks({ user: 'ada', channel: 'board', urls: [project.url] });
    await desk.settleAfter(slack.messageShortcut({ user: 'ada', message, callbackId: 'look_up_project' }));
    await ada.home();
    await crawl.end(ada);
    for (const { args, method } of slack.apiCalls()) {
      const isMessage = method === 'response_url' || method.startsWith('chat.');
      const words = isMessage ? [stringOrUndefined(args['text']) ?? ''] : [];
      const shown = [...words, ...mrkdwnIn(args['blocks']), ...mrkdwnIn(args['view'])];
      for (const each of shown) expectHarmless(each);
    }
    expect(brokenInside(app)).toEqual([]);
    const isRefused = (messages: readonly string[]) => messages.join().includes('unsupported type');
    expect(slack.failedCalls().filter(({ messages }) => !isRefused(messages))).toEqual([]);
    await desk.stop();
  },
);
