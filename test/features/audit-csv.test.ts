/** The audit log as a file, opened by a program that takes another separator than the comma. */
import { expect } from 'vitest';
import { appTest } from '../kit/app-test.ts';

const LETTER = 'Shop;=1+1;\tfast\t@SUM(A1)\n+1 | =2 ;"=3';

appTest('no separator makes a formula of what someone wrote', async ({ desk, slack, market, ada, ben }) => {
  const card = await market.publish().cardIn('web');
  await (await ben.press(card, 'Bid')).send({ 'Bidding setup': 'Fast setup', 'Cover letter': LETTER });
  expect(market.jobs).toHaveLength(1);
  await ada.type('/gig audit export');
  const text = slack.files().at(-1)?.bytes.toString('utf8') ?? expect.fail('no file');
  expect(text).toContain('Shop');
  for (const separator of [';', '\t', '|', ':', ','])
    for (const piece of text.split(/\r?\n/u).flatMap((line) => line.split(separator)))
      expect(piece).not.toMatch(/^[\s"]*[=+@-](?!\d*(?:,|$))/u);
  expect(desk.app.logLines.join('')).not.toContain('"level":"error"');
});
