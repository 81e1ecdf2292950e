/** While a project is compared with many people's rules, other work runs. */
import { expect, it } from 'vitest';
import { seenProjects } from '../../src/feed/records.ts';
import { expandNextFind } from '../../src/follows/deliver.ts';
import { RuleMatcher } from '../../src/follows/match-rules.ts';
import { type FollowContext, Memberships } from '../../src/follows/memberships.ts';
import { followers, followFinds, followMatches } from '../../src/follows/records.ts';
import { ChannelId, FilterId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';
import { listed, NOW } from '../slack/samples.ts';

const PEOPLE = 200;
const RULES = 10;

it('200 people with 10 rules each', async () => {
  const store = createMemoryStore();
  const clock = new ManualClock(NOW);
  const project = listed({ title: 'Rebuild our checkout', description: 'A shop with React.' });
  await store.transact(async (tx) => {
    const places = [{ channel: ChannelId.parse('C00000001'), filter: FilterId.parse(7) }];
    await tx.put(followFinds, {
      project: project.key,
      places,
      at: NOW,
      since: NOW,
    });
    for (let person = 0; person < PEOPLE; person++) {
      const user = UserId.parse(`U${String(person).padStart(8, '0')}`);
      const rules = Array.from({ length: RULES }, (_, rule) => ({
        rules: `absent${person}x${rule}`,
        at: NOW,
      }));
      const own = person === 7 ? [...rules.slice(1), { rules: 'react checkout', at: NOW }] : rules;
      await tx.put(followers, {
        user,
        rules: own,
        checkedAt: NOW,
      });
    }
    await tx.put(seenProjects, {
      project,
      filters: [FilterId.parse(7)],
      firstSeenAt: NOW,
    });
  });
  const memberships = new Memberships(() => Promise.resolve(undefined), clock);
  const context: FollowContext = {
    store,
    clock,
    log: silentLog,
    memberships,
    matcher: new RuleMatcher(),
  };

  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const countTurn = () => {
    turns++;
    next = setImmediate(countTurn);
  };
  next = setImmediate(countTurn);
  await expandNextFind(context);
  clearImmediate(next);

  const matches = await store.read((tx) => tx.list(followMatches, { limit: 10 }));
  expect(matches.map(({ value }) => value.user)).toEqual(['U00000007']);
  expect(turns).toBeGreaterThan(PEOPLE / 2);
});
