import { beforeEach, describe, expect, it } from 'vitest';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { parseProposalSearch } from '../../../src/query/proposal-search.ts';
import type { CommandRoute } from '../../../src/slack/core/routes.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { proposalsCommand } from '../../../src/slack/proposals/proposals-command.ts';
import { PROPOSALS_STILL_LOADING } from '../../../src/slack/proposals/proposals-found.ts';
import { noSuchProposalMessage } from '../../../src/slack/proposals/show-proposal.ts';
import { statusCommand } from '../../../src/slack/status/status-command.ts';
import { offers } from '../buttons.ts';
import { complete, proposal, proposalId } from '../fake-proposals.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { NOW } from '../samples.ts';

let desk: Desk;
beforeEach(() => {
  desk = startDesk();
});

async function type(route: CommandRoute, args: string): Promise<string> {
  const before = desk.shown.length;
  await route.run(desk.command(args));
  const [shown, ...more] = desk.shown.slice(before);
  expect(more).toEqual([]);
  if (!shown) return expect.fail('no answer');
  expect(shown.to).toBe('person');
  expectHarmless(shown.message);
  return asText(shown.message);
}

describe('/gig proposals', () => {
  it('is for full members, and its examples are right', () => {
    expect(proposalsCommand.needs).toBe('viewer');
    for (const example of proposalsCommand.examples)
      expect(parseProposalSearch(example.replace(/^proposals ?/u, '')).kind).toBe('search');
  });

  it('before anything is followed says how to follow a profile', async () => {
    expect(await type(proposalsCommand, 'react')).toContain('/gig subscribe outcomes');
  });

  it('right after the start says that the copy is still being loaded', async () => {
    desk.proposals.isLoaded = false;
    expect(await type(proposalsCommand, '')).toContain(PROPOSALS_STILL_LOADING.text);
  });

  it('finds ten, and says which profiles are covered by their names', async () => {
    desk.proposals.progress = [complete()];
    desk.proposals.held = Array.from({ length: 13 }, (_, n) => proposal({ id: proposalId(n + 1) }));
    await desk.services.store.transact((tx) =>
      desk.services.directory.recordNames(tx, [{ kind: 'profile', id: 301, name: 'Web <studio>' }], NOW),
    );
    const answer = await type(proposalsCommand, 'checkout is:viewed');
    expect(answer).toMatch(/\b13 proposals\b.*`checkout is:viewed`.*\b1\D+10\b/u);
    expect(answer).toContain('“Web &lt;studio&gt;” (301)');
    const shown = desk.shown.at(-1)?.message;
    expect(offers(shown, actionIds.proposalsPage)).toBe(true);
    expect(offers(shown, actionIds.proposalsBack)).toBe(false);
    expect(answer).toMatchSnapshot();
  });

  it('while the first copy runs says how far it is', async () => {
    desk.proposals.progress = [complete({ state: 'copying', held: 100, total: 400, leftMs: 180_000 })];
    desk.proposals.held = [proposal()];
    const answer = await type(proposalsCommand, '');
    expect(answer).toMatch(/\b25%.*\b100 of 400\b.*\b3 minutes\b/u);
    expect(answer).toMatchSnapshot();
  });

  it('points to a mistake and corrects it', async () => {
    const answer = await type(proposalsCommand, 'react is:veiwed');
    expect(answer).toContain('react is:veiwed\n         ^^^^^^');
    expect(answer).toContain('`/gig proposals react is:viewed`');
  });

  it('refuses what is longer than a query, however long', async () => {
    expect(await type(proposalsCommand, 'word '.repeat(2_000))).toMatch(/\b500\b/u);
  });

  it('that finds nothing offers searches that find something', async () => {
    desk.proposals.progress = [complete()];
    desk.proposals.outcome = {
      kind: 'found',
      total: 0,
      hits: [],
      suggestedQueries: [{ query: 'react', total: 3 }],
    };
    const answer = await type(proposalsCommand, 'react is:hired');
    expect(answer).toMatch(/`react`.*\b3 proposals\b/u);
    const shown = desk.shown.at(-1)?.message;
    expect(offers(shown, actionIds.proposalsTry)).toBe(true);
    expect(answer).toMatchSnapshot();
  });
});

describe('/gig proposals with an ID', () => {
  it('shows one by its id or its application’s uid, to the person alone', async () => {
    desk.proposals.held = [proposal()];
    for (const words of ['900', '#900', '1795165021234567890'])
      expect(await type(proposalsCommand, words)).toContain('*Rebuild our checkout in React*');
    expect(desk.proposals.asked).toEqual([]);
  });

  it('asks the marketplace for what is not kept', async () => {
    desk.proposals.elsewhere = [proposal({ id: proposalId(7) })];
    expect(await type(proposalsCommand, '7')).toMatch(/\bProposal 7\b/u);
    expect(desk.proposals.asked).toEqual([{ id: 7, uid: '7' }]);
  });

  it.each(['0', 'my 900', '"900"', '900 is:hired', '<!channel>'])('searches for “%s”', async (words) => {
    await type(proposalsCommand, words);
    expect(desk.proposals.asked).toEqual([]);
  });

  it('says that there is none, and how to search for the number', async () => {
    const answer = await type(proposalsCommand, '12');
    for (const fact of ['`12`', '`/gig proposals "12"`']) expect(answer).toContain(fact);
    expect(answer).toContain(noSuchProposalMessage('12').text);
    expect(answer).toMatchSnapshot();
  });

  it('leaves a failure to the boundary, which has a sentence for it', async () => {
    desk.proposals.findFails = new MarketplaceError('server', 'unknown', 'oh');
    await expect(type(proposalsCommand, '12')).rejects.toThrow(MarketplaceError);
  });
});

describe('/gig status', () => {
  it('tells how far the copy of proposals is; nothing of it where no profile is followed', async () => {
    const without = await type(statusCommand, '');
    desk.proposals.progress = [complete({ state: 'copying', held: 50, total: 200 })];
    desk.proposals.behind = 3;
    const answer = await type(statusCommand, '');
    const fresh = answer.split('\n').filter((line) => !without.split('\n').includes(line));
    const [copied = '', ofProfile = '', behind = ''] = fresh;
    expect(copied).toMatch(/\b50\b.*\b1 profile\b/u);
    expect(ofProfile).toMatch(/\bprofile 301\b.*\b25%.*\b50 of 200\b/u);
    expect(behind).toMatch(/\b3 proposals\b/u);
    expect(without).not.toMatch(/\bprofile 301\b/u);
    expect([without, fresh]).toMatchSnapshot();
  });
});
