/** Which profile is meant, as typed after `/gig subscribe invitations`. */
import { expect, it } from 'vitest';
import { parseProfileArguments, parseProfileFeedKind } from '../../../src/slack/kit/words/profiles.ts';

it.each([
  ['ana co', { profile: 'ana co' }],
  ['"Ana Co"', { profile: '"Ana Co"' }],
  ['#301', { profile: '#301' }],
  ['ana organization web team', { profile: 'ana', organization: 'web team' }],
  ['"Ana Co" organization: “Web team”', { profile: '"Ana Co"', organization: '“Web team”' }],
  ['301 org 401', { profile: '301', organization: '401' }],
  ['301 organisation 402', { profile: '301', organization: '402' }],
  ['“organization 7”', { profile: '“organization 7”' }],
])('%s', (typed, meant) => {
  expect(parseProfileArguments('invitations', typed)).toEqual({
    kind: 'profile',
    feed: 'invitations',
    ...meant,
  });
});

it.each([
  ['invitations', '', 'subscribe invitations 301'],
  ['invitations', '0', 'subscribe invitations 301'],
  ['invitations', '301 budget:>5', 'subscribe invitations 301'],
  ['invitations', '301 organization', 'subscribe invitations 301 organization 401'],
  ['invitations', '301 organization 0', 'subscribe invitations 301'],
  ['outcomes', '301 organization 401', 'subscribe outcomes 301'],
] as const)('%s %s is answered with what would be right', (feed, typed, example) => {
  expect(parseProfileArguments(feed, typed)).toMatchObject({ kind: 'mistake', example });
});

it('its kind may be singular', () => {
  expect(['Invitation', 'outcomes', 'sandwich'].map(parseProfileFeedKind)).toEqual([
    'invitations',
    'outcomes',
    undefined,
  ]);
});
