import { expect, it } from 'vitest';
import { ClockOffError } from '../../src/clock-watch.ts';
import { silentLog } from '../../src/log.ts';
import { createTemplateService } from '../../src/templates/templates.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { seededRandom } from '../seeded-random.ts';
import { SMALLEST, template } from './forms.ts';
import { ANN, openWorld, TEAM } from './world.ts';

it('a template is not sent while the clock is off, and can be sent afterwards', async () => {
  const world = openWorld();
  const { id: draft, revision: seen } = await world.filled({ ...SMALLEST, name: 'one' });
  let isOff = true;
  const sent: string[] = [];
  const { marketplace } = fakeMarketplace({
    createProposalTemplate: async (input) => {
      sent.push(input.name);
      return template({});
    },
  });
  const ensureRight = async () => {
    if (isOff) throw new ClockOffError(1);
  };
  const { store, clock } = world;
  const parts = { team: TEAM, store, marketplace, clock, random: seededRandom(1), log: silentLog };
  const templates = createTemplateService({ ...parts, clockGuard: { ensureClockCorrect: ensureRight } });
  await expect(templates.submitDraft({ user: ANN, draft, seen })).rejects.toBeInstanceOf(ClockOffError);
  expect(sent).toEqual([]);
  isOff = false;
  expect(await templates.submitDraft({ user: ANN, draft, seen })).toMatchObject({ kind: 'asked' });
  expect(sent).toEqual(['one']);
});
