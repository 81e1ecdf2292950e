/** What the channel reads about its people's changes: each once, whatever Slack's rate limit says. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Answer } from '../kit/person.ts';
import type { Desk } from '../kit/start-desk.ts';

const appTest = appTestWith({ empty: true });
const FILTERS = [101, 102, 103];
const LIMITED = { kind: 'ratelimited', retryAfterS: 30 } as const;

appTest.for([
  ['Slack takes none for half a minute', async () => undefined],
  ['the process dies before the first', (desk: Desk) => desk.restart()],
] as const)('each arrives once, though %s', async ([, trouble], { desk, slack, ada }) => {
  for (const id of FILTERS) await ada.type(`/gig subscribe ${id}`);
  const lists: Answer[] = [];
  for (const id of FILTERS) lists.push(await ada.type(`/gig list ${id}`));
  const before = ada.reads('web').length;
  slack.injectFault('chat.postMessage', LIMITED);
  await Promise.all(lists.map((list) => list.press('Unsubscribe')));
  await trouble(desk);
  await desk.pass(MINUTE);
  const said = ada.reads('web').slice(before);
  for (const id of FILTERS)
    expect(said.filter((it) => it.text.includes(`unsubscribed this channel from filter ${id}`))).toHaveLength(
      1,
    );
  expect((await ada.type('/gig list')).text).toContain('gets nothing');
});

appTest(
  'a budget set on Home is told once, though Slack takes no message just then',
  async ({ desk, slack, ada }) => {
    await ada.type('/gig subscribe 101');
    const form = await ada.press(await ada.home(), 'Set Budget');
    slack.injectFault('chat.postMessage', LIMITED);
    await form.send({ 'Credits per billing period': '40' });
    await desk.pass(MINUTE);
    expect(ada.reads('web').filter((it) => it.text.includes('40 credits'))).toHaveLength(1);
    expect((await ada.home()).text).not.toMatch(/couldn't|failed/iu);
  },
);
