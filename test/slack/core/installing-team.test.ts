import { expect, it } from 'vitest';
import { findInstallingTeam } from '../../../src/slack/core/payloads.ts';

const stranger = { user: { id: 'U9', team_id: 'T9' } };

it.each([
  ['a command', { command: '/gig', team_id: 'T1', is_enterprise_install: 'false' }],
  ['an event', { type: 'event_callback', team_id: 'T1', event: { type: 'link_shared' } }],
  [
    "an event that another company's person caused in a shared channel",
    { team_id: 'T9', authorizations: [{ team_id: 'T1', is_enterprise_install: false }, { team_id: 'T2' }] },
  ],
  ['a press by such a person', { ...stranger, team: { id: 'T1' }, is_enterprise_install: false }],
  [
    'a form that such a person opened',
    { ...stranger, team: { id: 'T9' }, view: { app_installed_team_id: 'T1' } },
  ],
  ['a press with odd fields around', { team: { id: 'T1' }, view: 7, authorizations: 'x', team_id: null }],
])('%s is for the workspace that installed Gigdesk', (_, body) => {
  expect(findInstallingTeam(body)).toBe('T1');
});

it.each([
  [
    'an organization-wide event',
    { team_id: 'T1', authorizations: [{ team_id: 'T1', is_enterprise_install: true }] },
  ],
  ['an organization-wide command', { team_id: 'T1', is_enterprise_install: 'true' }],
  ['an organization-wide press', { ...stranger, team: { id: 'T1' }, is_enterprise_install: true }],
  ["a press that names the person's workspace only", { ...stranger, team: null }],
  ['an empty name', { team: { id: '' } }],
  ['nothing', undefined],
  ['a list', [{ team_id: 'T1' }]],
])('%s is for no workspace', (_, body) => {
  expect(findInstallingTeam(body)).toBeUndefined();
});
