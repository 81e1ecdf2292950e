/**
 * A Slack that refuses newer blocks gets their plain form, once each. A workspace that withholds an optional
 * permission keeps the rest of Gigdesk.
 */
import { describe, expect } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { ALL_SCOPES } from '../../src/workbench/slack/methods/all-methods.ts';
import { appTest } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import type { Screen } from '../kit/read-screen.ts';
import { type Desk, FAST_SETUP, moveDetailsToThreads, SHOP } from '../kit/start-desk.ts';

function typesOf({ shown }: Screen): readonly string[] {
  const blocks = shown && ('view' in shown ? shown.view.blocks : shown.message.blocks);
  return (blocks ?? []).map(({ type }) => type);
}

appTest.for(['named', 'unnamed'] as const)(
  'a Slack that refuses tables (%s) shows every list in a plain form, once',
  async (how, { market, slack, ada, pass }) => {
    slack.refuseBlocks(['data_table', 'container'], how);
    market.service.addProfile({ id: 31, label: 'Ada Webb', type: 'freelancer' });
    for (const jobTitle of ['Chairs', 'Tables']) market.service.addProposal({ profileId: 31, jobTitle });
    await ada.type('/gig subscribe outcomes 31');
    await market.publish().cardIn('web');
    await pass(MINUTE);
    for (const [command, fact] of [
      ['setups', 'Sent today'],
      ['proposals', 'Tables'],
      ['audit', 'subscribed to “React work”'],
    ]) {
      const before = ada.notes('web').length;
      const answer = await ada.type(`/gig ${command}`);
      expect(answer.text).toContain(fact);
      expect(typesOf(answer)).not.toContain('data_table');
      expect(ada.notes('web')).toHaveLength(before + 1);
    }
    const charges = await (await ada.type('/gig budget')).press('Show Charges');
    expect(charges.text).toMatch(/New projects: .*101/u);
    expect(typesOf(charges)).not.toContain('data_table');
    const refusals = slack.failedCalls().length;
    await ada.type('/gig audit');
    expect(slack.failedCalls()).toHaveLength(refusals);
  },
);

/** The same workspace with all permissions but this one, as after a new installation. */
async function startAgainWithout({ app, slack }: Desk, scope: string): Promise<void> {
  await app.end();
  slack.grantScopes(ALL_SCOPES.filter((each) => each !== scope));
  await app.start();
}

const OPTIONAL = [
  'channels:history',
  'groups:history',
  'im:history',
  'usergroups:read',
  'links:read',
  'links:write',
  'files:write',
  'app_mentions:read',
];

appTest(
  'works without each optional permission, and /gig status says what is lost',
  async ({ desk, market, ada }) => {
    for (const scope of OPTIONAL) {
      await startAgainWithout(desk, scope);
      await market.publish({ ...SHOP, title: `Without ${scope}` }).cardIn('web');
      const status = await ada.type('/gig status');
      expect(OPTIONAL.filter((each) => status.text.includes(`\`${each}\``))).toEqual([scope]);
    }
  },
);

describe('where it may not read the history', () => {
  const cards = (person: Person) => person.reads('web').filter((it) => it.text.includes('New project'));

  appTest.for(['before', 'after'] as const)(
    'a card whose answer was lost %s it stood is never sent twice, and holds up others for ten minutes',
    async (when, { desk, app, market, slack, ada, pass }) => {
      await moveDetailsToThreads(ada);
      await startAgainWithout(desk, 'channels:history');
      const lost = slack.injectFault('chat.postMessage', { kind: 'drop', when });
      market.publish();
      await app.until('the card', () => lost.used > 0);
      const early = cards(ada).length;
      expect(early).toBe(when === 'before' ? 0 : 1);
      market.publish({ ...SHOP, title: 'Another' });
      await pass(9 * MINUTE);
      expect(cards(ada)).toHaveLength(early);
      await pass(3 * MINUTE);
      expect(cards(ada)).toHaveLength(early + 1);
      // What belongs to it waits: its message may not exist.
      expect(cards(ada).flatMap((it) => it.replies())).toHaveLength(1);
      slack.grantScopes('all');
      app.clock.moveInOneStep(app.clock.now() + 10 * MINUTE);
      await pass(MINUTE);
      expect(cards(ada)).toHaveLength(2);
      for (const card of cards(ada)) expect(card.replies()).toHaveLength(1);
      await startAgainWithout(desk, 'channels:history');
      slack.injectFault('chat.postMessage', { kind: 'drop', when });
      market.publish({ ...SHOP, title: 'Given up' });
      await pass(MINUTE);
      expect(ada.inbox()).toEqual([]);
      app.clock.moveInOneStep(app.clock.now() + DAY);
      await pass(MINUTE);
      expect(cards(ada)).toHaveLength(2 + early);
      expect(ada.inbox().map(({ text }) => text)).toEqual([expect.stringContaining('missing_scope')]);
    },
  );
});

appTest(
  'shows a warning as plain text where alerts are refused, and remembers that',
  async ({ market, slack, ada, ben, pass }) => {
    market.service.updateSetup(FAST_SETUP.id, { status: 'paused' });
    await pass(6 * MINUTE);
    await ada.type('/gig setups');
    slack.refuseBlocks(['alert']);
    const line = '/gig bid ~012345678901234567 Fast setup';
    const form = await ada.type(line);
    expect(form.text).toContain('paused');
    expect(typesOf(form)).not.toContain('alert');
    const refusals = slack.failedCalls().length;
    expect(refusals).toBeGreaterThan(0);
    const settings = await ben.type('/gig settings');
    expect(settings.text).toContain('Only admins');
    expect(typesOf(settings)).not.toContain('alert');
    slack.refuseBlocks([]);
    await ada.close();
    expect(typesOf(await ada.type(line))).not.toContain('alert');
    expect(slack.failedCalls()).toHaveLength(refusals);
  },
);
