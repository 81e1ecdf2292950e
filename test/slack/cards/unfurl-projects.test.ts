import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../../src/access/access.ts';
import { MessageTs } from '../../../src/ids.ts';
import { unfurlProjects } from '../../../src/slack/cards/unfurl-projects.ts';
import { checkUnfurl } from '../../../src/slack/kit/check-limits.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { ANA, CHANNEL, REACT } from '../samples.ts';

let desk: Desk;
beforeEach(() => {
  desk = startDesk();
});

const KNOWN = 'https://www.marketplace.example/jobs/~0123456789';
const NEW = 'https://www.marketplace.example/jobs/~0999';

function share(...urls: string[]): Promise<void> {
  return shareAs('viewer', ...urls);
}

function shareAs(role: Role, ...urls: string[]): Promise<void> {
  const links = urls.map((url) => ({ url, domain: 'www.marketplace.example' }));
  const messageTs = MessageTs.parse('1795165000.000001');
  return unfurlProjects({
    channel: CHANNEL,
    person: { user: ANA, role },
    messageTs,
    links,
    services: desk.services,
  });
}

describe('a shared link', () => {
  it('of a known project is shown in two lines at no cost', async () => {
    await desk.addCard();
    await share(KNOWN);
    expect(JSON.stringify(desk.state.unfurls)).toContain('Rebuild our checkout in React');
    for (const blocks of Object.values(desk.state.unfurls[0] ?? {})) checkUnfurl(blocks as never);
    expect(desk.state.lookups).toEqual([]);
  });

  it('of a new one spends nothing where nobody chose to spend', async () => {
    await share(NEW);
    expect(desk.state.lookups).toEqual([]);
    expect(desk.state.unfurls).toEqual([]);
  });

  it('of a new one is looked up where the channel follows a filter or has a budget', async () => {
    desk.state.ownBudget = true;
    await share(NEW);
    desk.state.ownBudget = false;
    await desk.services.feed.subscribe({
      channel: CHANNEL,
      filter: REACT.id,
      rules: '',
      backfill: 0,
      by: ANA,
    });
    await share(NEW);
    expect(desk.state.unfurls).toHaveLength(2);
  });

  it('spends nothing when the budget is used up', async () => {
    Object.assign(desk.state, { ownBudget: true, settled: 500 });
    await share(NEW);
    expect(desk.state.lookups).toEqual([]);
  });

  it('of a guest or a stranger shows and costs nothing, for known and unknown projects', async () => {
    desk.state.ownBudget = true;
    await desk.addCard();
    await shareAs('outsider', NEW, KNOWN);
    expect(desk.state.lookups).toEqual([]);
    expect(desk.state.unfurls).toEqual([]);
  });

  it('is one of five at most', async () => {
    desk.state.ownBudget = true;
    await share(...Array.from({ length: 9 }, (_, n) => `${NEW}${n}`), KNOWN);
    expect(desk.state.lookups).toHaveLength(5);
  });

  it('that leads nowhere, or trouble, is passed over in silence', async () => {
    desk.state.ownBudget = true;
    await share('https://www.marketplace.example/about', 'no link');
    desk.state.lookup = { kind: 'no-budget', left: 0, needs: 1, resetsAt: 0 };
    await share(NEW);
    await desk.services.store.close();
    await share(NEW);
    expect(desk.state.unfurls).toEqual([]);
    expect(desk.shown).toEqual([]);
  });
});
