/** `/gig audit export`: the audit log as a file, to the person who asks alone. */
import { expect } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import { sendBid } from '../kit/start-desk.ts';
import { exportAudit } from './read-audit.ts';

appTest('sends the file by direct message, and nothing to the channel', async ({ desk, slack, ada, ben }) => {
  const before = ada.reads('web').length;
  const { answer, file, text, rows } = await exportAudit(desk, ada, '30');
  expect(answer.text).toMatch(/sent you a file/iu);
  expect(ada.reads('web')).toHaveLength(before);
  expect(file?.channel).toMatch(/^D/u);
  expect(ada.inbox().at(-1)?.text).toContain(file?.initialComment);
  expect(ben.inbox()).toEqual([]);
  expect(file?.name).toMatch(/^gigdesk-audit-\d{4}-\d\d-\d\d-30d\.csv$/u);
  expect(text.charCodeAt(0)).toBe(0xfeff);
  const subscribed = rows.find((it) => it['action'] === 'subscribed');
  expect(subscribed).toMatchObject({ person: ada.id, channel: slack.channel('web').id });
  const ages = rows.map((it) => Date.parse(it['time'] ?? ''));
  expect(ages).toEqual(ages.toSorted((a, b) => b - a));
});

appTest(
  'makes no formula of what someone wrote, whatever separates cells',
  async ({ desk, market, ada, ben }) => {
    const letter = '=1+1 Shop;=1+1;\tfast\t@SUM(A1)\n+1 | =2 ;"=3';
    await sendBid(ben, await market.publish().cardIn('web'), { 'Cover letter': letter });
    const { text } = await exportAudit(desk, ada);
    expect(text).toContain('Shop');
    for (const separator of [';', '\t', '|', ':', ','])
      for (const piece of text.split(/\r?\n/u).flatMap((line) => line.split(separator)))
        expect(piece).not.toMatch(/^[\s"]*[=+@-](?!\d*(?:,|$))/u);
  },
);

appTest(
  'leaves out private channels that the person is not in, and older entries',
  async ({ desk, slack, ada, ben }) => {
    slack.addChannel({ name: 'secret', private: true, members: [ben.id] });
    await desk.restart(2 * DAY);
    await ben.type('/gig subscribe filter 101 budget:>77', 'secret');
    expect((await exportAudit(desk, ada, '1')).answer.text).toMatch(/private channels/u);
    await ada.type('/gig budget 333');
    const { answer, text } = await exportAudit(desk, ada, '1');
    expect(answer.text).toMatch(/private channels/u);
    expect(text).toContain('333');
    expect(text).not.toContain('budget:>77');
    expect(text).not.toContain('access-changed');
  },
);

appTest('is for admins, and an admin of one channel gets that channel', async ({ desk, slack, ada, ben }) => {
  await ada.type('/gig budget 377', 'data');
  expect((await exportAudit(desk, ben)).answer.text).not.toMatch(/sent you/iu);
  expect(slack.files()).toEqual([]);
  const form = await ada.type('/gig access');
  await form.send({ Admins: ['ben'] });
  const { text } = await exportAudit(desk, ben);
  for (const log of [text, (await ben.type('/gig audit')).text]) {
    expect(log).toContain('subscribed');
    expect(log).not.toContain('377');
  }
});

appTest('says what is wrong, and offers pages where files are not allowed', async ({ desk, slack, ada }) => {
  expect((await exportAudit(desk, ada, 'no')).answer.text).toMatch(/valid number of days/iu);
  slack.injectFault('files.completeUploadExternal', { kind: 'error', error: 'not_in_channel' }, 5);
  expect((await exportAudit(desk, ada)).answer.text).not.toMatch(/sent you/iu);
  slack.injectFault('files.getUploadURLExternal', { kind: 'error', error: 'missing_scope' }, 5);
  const { answer } = await exportAudit(desk, ada, '30');
  expect(answer.text).toContain('files:write');
  expect((await answer.press('Show Pages')).text).toContain('subscribed');
  await desk.restart(8 * DAY);
  expect((await exportAudit(desk, ada)).answer.text).toMatch(/no changes/iu);
});
