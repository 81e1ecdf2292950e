/** A change that was saved is announced with its way back, and never reported as failed. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';

appTest('a mute from a card is announced with Unmute', async ({ market, ada }) => {
  const card = await market.publish({ title: 'Wordpress shop', skills: ['Wordpress'] }).cardIn('web');
  const form = await ada.press(card, 'Mute projects');
  await form.send({ 'What to mute': 'Projects that mention “wordpress”' });
  const announcement = ada.reads('web').findLast((it) => it.offers('Unmute'));
  expect(announcement?.text).toContain('@ada');
  if (announcement) await ada.press(announcement, 'Unmute');
  await market.publish({ title: 'Another Wordpress shop', skills: ['Wordpress'] }).cardIn('web');
});

appTest('a pause from Home is announced with Resume', async ({ market, ada, ben }) => {
  const home = await ada.home();
  await home.press('Pause');
  const announcement = ben.reads('web').findLast((it) => it.offers('Resume'));
  expect(announcement?.text).toContain('@ada');
  if (announcement) await ada.press(announcement, 'Resume');
  await market.publish().cardIn('web');
});

appTest(
  'spending rules that were saved are announced once Slack works again',
  async ({ slack, ada, pass }) => {
    const settings = await ada.type('/gig settings');
    const form = await settings.press('Spending Rules');
    const fault = slack.injectFault('chat.postMessage', { kind: 'status', status: 503 }, Infinity);
    const end = await form.send({ 'Second approval above this amount': '500' });
    expect(end.text).not.toMatch(/couldn't|went wrong|failed/iu);
    fault.cancel();
    await pass(10 * MINUTE);
    expect(ada.reads('web').filter((it) => it.text.includes('@ada changed'))).toHaveLength(1);
  },
);

appTest('a budget that was saved is announced once Slack works again', async ({ slack, ada, pass }) => {
  const faults = ['response_url', 'chat.postMessage'].map((method) =>
    slack.injectFault(method, { kind: 'status', status: 404 }, Infinity),
  );
  const end = await ada.type('/gig budget 321');
  expect(end.text).not.toMatch(/couldn't|went wrong|failed/iu);
  for (const fault of faults) fault.cancel();
  await pass(10 * MINUTE);
  expect(ada.reads('web').filter((it) => it.text.includes('321'))).toHaveLength(1);
});

appTest(
  'a form that was closed before its newest version came is no failure',
  async ({ slack, ada, desk }) => {
    const dan = desk.person('dan', { admin: true });
    const stale = await ada.type('/gig access');
    await (await dan.type('/gig access')).send({ Bidders: ['dan'] });
    const before = ada.notes('web').length;
    slack.injectFault('views.update', { kind: 'error', error: 'not_found' });
    await stale.send({ Bidders: ['ben'] });
    expect(ada.notes('web').slice(before)).toEqual([]);
    expect((await ada.type('/gig access')).text).toContain('@dan');
  },
);

appTest('a subscription with long exclusions and countries can be edited', async ({ ada }) => {
  const words = Array.from({ length: 30 }, (_, at) => `-exclusion${at}`).join(' ');
  await ada.type(`/gig subscribe 101 ${words}`);
  const list = await ada.type('/gig list');
  const form = await list.press('Edit');
  expect(form.text).toContain('exclusion29');
  const saved = await form.send({ 'Project budget of at least': '500' });
  expect(saved.text).not.toMatch(/couldn't|went wrong|failed/iu);
  const again = await (await ada.type('/gig list')).press('Edit');
  expect(again.text).toContain('exclusion29');
});
