import { beforeEach, describe, expect, it } from 'vitest';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { readProposalSearch } from '../../../src/query/proposal-search.ts';
import { proposal as proposalCommand } from '../../../src/slack/commands/proposal.ts';
import { proposals as proposalsCommand } from '../../../src/slack/commands/proposals.ts';
import { status } from '../../../src/slack/commands/status.ts';
import type { CommandRoute } from '../../../src/slack/routes.ts';
import { complete, proposal, proposalId } from '../fake-proposals.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../messages/as-text.ts';
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
      expect(readProposalSearch(example.replace(/^proposals ?/u, '')).kind).toBe('search');
  });

  it('before anything is followed says how to follow a profile', async () => {
    expect(await type(proposalsCommand, 'react')).toContain('/gig subscribe outcomes');
  });

  it('right after the start says that the copy is still being loaded', async () => {
    desk.proposals.isLoaded = false;
    expect(await type(proposalsCommand, '')).toContain('still being loaded');
  });

  it('finds five, and says which profiles are covered by their names', async () => {
    desk.proposals.progress = [complete()];
    desk.proposals.held = Array.from({ length: 7 }, (_, n) => proposal({ id: proposalId(n + 1) }));
    await desk.services.store.transact((tx) =>
      desk.services.directory.learn(tx, [{ kind: 'profile', id: 301, name: 'Web <studio>' }], NOW),
    );
    const answer = await type(proposalsCommand, 'checkout is:viewed');
    expect(answer).toContain('*7 proposals match* `checkout is:viewed` · shown are 1 to 5');
    expect(answer).toContain('Covers “Web &lt;studio&gt;” (301) · read');
    expect(answer).toContain('[Next]');
    expect(answer).not.toContain('[Previous]');
  });

  it('while the first copy runs says how far it is', async () => {
    desk.proposals.progress = [complete({ state: 'copying', held: 100, total: 400, leftMs: 180_000 })];
    desk.proposals.held = [proposal()];
    expect(await type(proposalsCommand, '')).toContain(
      'first copy 25% done (100 of 400) · about 3 minutes left',
    );
  });

  it('points to a mistake and corrects it', async () => {
    const answer = await type(proposalsCommand, 'react is:veiwed');
    expect(answer).toContain('react is:veiwed\n         ^^^^^^');
    expect(answer).toContain('For example: `/gig proposals react is:viewed`');
  });

  it('refuses what is longer than a query, however long', async () => {
    expect(await type(proposalsCommand, 'word '.repeat(2_000))).toContain('at most 500 characters');
  });

  it('that finds nothing offers searches that find something', async () => {
    desk.proposals.progress = [complete()];
    desk.proposals.outcome = { kind: 'found', total: 0, hits: [], instead: [{ query: 'react', total: 3 }] };
    const answer = await type(proposalsCommand, 'react is:hired');
    expect(answer).toContain('No proposal matches');
    expect(answer).toContain('`react` · 3 proposals');
    expect(answer).not.toContain('Share to channel');
  });

  it('shows what it finds although the disk is full', async () => {
    desk.proposals.progress = [complete()];
    desk.proposals.held = [proposal()];
    const { StorageError } = await import('../../../src/storage/store.ts');
    const store = {
      ...desk.services.store,
      transact: () => Promise.reject(new StorageError('full', 'no room')),
    };
    const call = desk.command('');
    await proposalsCommand.run({ ...call, services: { ...call.services, store } });
    expect(desk.words()).toContain('Rebuild our checkout in React');
    expect(desk.words()).not.toContain('Share to channel');
  });
});

describe('/gig proposal', () => {
  it('shows one by its id or its application’s uid, to the person alone', async () => {
    desk.proposals.held = [proposal()];
    for (const words of ['900', '#900', '1795165021234567890'])
      expect(await type(proposalCommand, words)).toContain('*Rebuild our checkout in React*');
    expect(desk.proposals.asked).toEqual([]);
  });

  it('asks the marketplace for what is not kept', async () => {
    desk.proposals.elsewhere = [proposal({ id: proposalId(7) })];
    expect(await type(proposalCommand, '7')).toContain('Proposal 7 · application');
    expect(desk.proposals.asked).toEqual([{ id: 7, uid: '7' }]);
  });

  it.each(['', '0', '-3', 'my last one', '#12x', '<!channel>'])(
    'with “%s” says what ids are',
    async (words) => {
      const answer = await type(proposalCommand, words);
      expect(answer).toContain('For example: `/gig proposal 900`');
      expect(answer).toContain('Ids stand behind the titles that `/gig proposals` lists');
      expect(desk.proposals.asked).toEqual([]);
    },
  );

  it('says that there is none, and where ids stand', async () => {
    expect(await type(proposalCommand, '12')).toContain('knows no proposal by the id or uid `12`');
  });

  it('leaves a failure to the boundary, which has a sentence for it', async () => {
    desk.proposals.findFails = new MarketplaceError('server', 'unknown', 'oh');
    await expect(type(proposalCommand, '12')).rejects.toThrow(MarketplaceError);
  });
});

describe('/gig status', () => {
  it('tells how far the copy of proposals is; nothing of it where no profile is followed', async () => {
    expect(await type(status, '')).not.toContain('*Proposals*');
    desk.proposals.progress = [complete({ state: 'copying', held: 50, total: 200 })];
    desk.proposals.behind = 3;
    const answer = await type(status, '');
    expect(answer).toContain('*Proposals*: 50 copied of 1 profile · not complete yet');
    expect(answer).toContain('profile 301 · first copy 25% done (50 of 200)');
    expect(answer).toContain('3 proposals are not indexed yet');
  });
});
