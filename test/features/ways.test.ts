/** The ways that docs/architecture.md describes lead through the files that it names. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Desk, SHOP } from '../kit/start-desk.ts';
import { listRunFiles } from './run-files.ts';

const page = readFileSync('docs/architecture.md', 'utf8');

/** The steps of a section: the files that each one names, with what it does first. */
function stepsOf(heading: string): readonly (readonly [string, readonly string[]])[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [list = ''] = section.split('\n## ');
  return list
    .split(/\n(?=\d+\. )/u)
    .filter((step) => /^\d+\. /u.test(step))
    .map((step) => {
      const files = [...step.matchAll(/`([\w-]+(?:\/[\w-]+)+\.ts)`/gu)].map(([, file]) => `src/${file}`);
      return [step.slice(0, 30), files] as const;
    });
}

async function expectWay(heading: string, action: () => Promise<unknown>): Promise<void> {
  const steps = stepsOf(heading);
  expect(steps.length).toBeGreaterThan(4);
  expect(steps.filter(([, files]) => files.length === 0)).toEqual([]);
  const ran = await listRunFiles(action);
  const idle = steps.map(([step, files]) => [step, files.filter((file) => !ran.has(file))] as const);
  expect(idle.filter(([, files]) => files.length > 0)).toEqual([]);
}

async function bid({ market, person, pass }: Desk): Promise<void> {
  const ben = person('ben');
  const form = await ben.press(await market.publish().cardIn('web'), 'Bid');
  await form.send({ 'Bidding setup': 'Fast setup' });
  await pass(5 * MINUTE);
}

appTest('how a project becomes a card', async ({ market, ada }) => {
  await expectWay('How a project becomes a card', async () =>
    ada.press(await market.publish().cardIn('web'), 'Claim'),
  );
});

appTest('how a bid is sent', ({ desk }) => expectWay('How a bid is sent', () => bid(desk)));

appTestWith({ mode: 'http' })('how a command is answered', async ({ market, ada }) => {
  const { ciphertext } = market.publish(SHOP, []).project;
  await expectWay('How a command is answered', () => ada.type(`/gig lookup ${ciphertext}`));
});
