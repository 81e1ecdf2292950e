/** Commands as `/gig help` describes them: each example is understood, and each role is kept to. */
import { expect } from 'vitest';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { FAST_SETUP } from '../kit/start-desk.ts';

const emptyTest = appTestWith({
  empty: true,
  requestsPerMinute: 500,
  env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' },
});
const REFUSED = /^:lock:|only admins|guests and people/iu;
const MISTAKEN = /For example: |Unknown command/u;

/** The names of all commands, as the help lists them. */
async function listCommands(person: Person): Promise<readonly string[]> {
  const { text } = await person.type('/gig help');
  return [...text.matchAll(/^`?(\w+)`? [A-Z]/gmu)].flatMap(([, word = '']) => word);
}

async function examplesOf(person: Person, command: string): Promise<readonly string[]> {
  const { text } = await person.type(`/gig help ${command}`);
  const [, examples = ''] = text.split('*Examples*');
  return [...examples.matchAll(/`(\/gig [^`]+)`/gu)].flatMap(([, line = '']) => line);
}

emptyTest('each example of the help is understood', async ({ market, ada }) => {
  const filter = market.service.addFilter({ id: 123, name: 'Node jobs' });
  market.service.addSetup({ name: FAST_SETUP.name, filter: { id: filter.id, name: 'Node jobs' } });
  const examples: string[] = [];
  for (const command of await listCommands(ada)) examples.push(...(await examplesOf(ada, command)));
  expect(examples.length).toBeGreaterThan(30);
  market.service.addFilter({ id: 7 });
  market.service.addProfile({ id: 301, label: 'Ada Webb', type: 'freelancer' });
  for (const id of [7, 123]) await ada.type(`/gig subscribe filter ${id}`);
  const wrong = [];
  for (const line of examples) {
    const { text } = await ada.type(line);
    if (text === '' || MISTAKEN.test(text)) wrong.push([line, text]);
    await ada.close();
  }
  expect(wrong).toEqual([]);
});

appTest('guests get the list and the help, and members what needs no role', async ({ desk, ada, cem }) => {
  const gus = desk.person('gus', { guest: 'single' });
  const open: Record<string, string[]> = { gus: [], cem: [] };
  for (const command of await listCommands(ada))
    for (const person of [gus, cem]) {
      const { text } = await person.type(`/gig ${command}`);
      if (!REFUSED.test(text)) open[person.name]?.push(command);
      await person.close();
    }
  expect(open['gus']?.toSorted()).toEqual(['help', 'list']);
  const closed = (await listCommands(ada)).filter((it) => !open['cem']?.includes(it));
  expect(closed.toSorted()).toEqual(['access', 'audit', 'bid', 'pause', 'settings', 'template']);
});

appTest.for([
  ['30m', '9:30'],
  ['2 hours', '11:00'],
  ['for 1.5 hours', '10:30'],
])('a pause of “%s” ends by itself', async ([length, end], { ada }) => {
  expect((await ada.type(`/gig pause ${length}`)).text).toContain(end);
});

appTest(
  'a filter is named in any quotes, and an unknown one leads to the nearest',
  async ({ market, ada }) => {
    market.service.addFilter({ id: 102, name: 'Angular' });
    market.service.addSetup({ name: 'Other', filter: { id: 102, name: 'Angular' } });
    await ada.type('/gig setups');
    for (const name of ['"React work"', '“React work”', 'react WORK'])
      expect((await ada.type(`/gig subscribe filter ${name} rating:>4`, 'data')).text).toMatch(/React work/u);
    const { text } = await ada.type('/gig subscribe filter reakt');
    expect(text).toContain('/gig subscribe filter 101');
    expect(text).not.toContain('Angular');
  },
);
