/** People of an Enterprise Grid organization: who is a member here, and who isn't. */
import { expect } from 'vitest';
import { appTest } from '../kit/app-test.ts';

const OTHER = 'T0ELSEWHERE';
const HERE = 'T0GIGDESK';
const teams = [OTHER, HERE];

const MEMBERS = {
  'with the ID of another workspace': { enterprise: { team: OTHER, teams } },
  "with the organization's ID": { enterprise: { team: 'E0GIGDESK', teams } },
  'without a workspace ID': { enterprise: { teams } },
  'whose ID begins with W': { id: 'W0DEE', enterprise: { team: HERE, teams: [] } },
};

for (const [which, given] of Object.entries(MEMBERS))
  appTest(`a full member ${which} works like any other`, async ({ desk, market, ada }) => {
    const dee = desk.person('dee', given);
    const card = await market.publish().cardIn('web');
    expect((await dee.type('/gig status')).text).not.toMatch(/guest|try again/iu);
    await dee.press(card, 'Claim');
    expect(card.text).toContain('@dee');
    expect((await dee.type('/gig budget 300')).text).toMatch(/only admins/iu);
    await (await ada.type('/gig access')).send({ Admins: ['dee'] });
    expect((await dee.type('/gig budget 300')).text).toContain('300');
  });

appTest('an admin of another workspace is a member here', async ({ desk }) => {
  const dee = desk.person('dee', { admin: true, enterprise: { team: OTHER, teams } });
  const eva = desk.person('eva', { admin: true, enterprise: { team: 'E0GIGDESK', teams } });
  expect((await dee.type('/gig budget 300')).text).toMatch(/only admins/iu);
  expect((await eva.type('/gig budget 300')).text).toContain('300');
});

appTest('a group counts by either ID of its people', async ({ desk, slack, ada }) => {
  const dee = desk.person('dee', { enterprise: { id: 'W0DEE', team: OTHER, teams } });
  slack.addUserGroup({ handle: 'leads', users: ['dee'] });
  await (await ada.type('/gig access')).send({ 'Admins: user groups': ['@leads'] });
  expect((await dee.type('/gig budget 300')).text).toContain('300');
});

for (const [which, given] of Object.entries({
  'of the organization who is not in this workspace': { enterprise: { team: OTHER, teams: [OTHER] } },
  'of another company': { stranger: true, enterprise: { team: OTHER, teams } },
  'who is a guest': { guest: 'multi', enterprise: { team: OTHER, teams } } as const,
}))
  appTest(`a person ${which} only reads`, async ({ desk, market }) => {
    const dee = desk.person('dee', given);
    const card = await market.publish().cardIn('web');
    const answer = await dee.press(card, 'Claim');
    expect(answer.text).toMatch(/guests/iu);
    expect(card.text).not.toContain('@dee');
  });
