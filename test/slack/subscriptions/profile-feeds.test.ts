import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrganizationId, ProfileId } from '../../../src/ids.ts';
import type { ChannelNotice } from '../../../src/outbox/posts.ts';
import type { ProfileFeedStatus } from '../../../src/profiles/profiles.ts';
import type { ProfileSync } from '../../../src/profiles/records.ts';
import { describeSlackError } from '../../../src/slack/core/failures.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { formatTimeAgo } from '../../../src/slack/kit/mrkdwn.ts';
import { describeMarketplaceFailure } from '../../../src/slack/kit/words/marketplace-failure.ts';
import { noticeMessage } from '../../../src/slack/status/notice.ts';
import { pauseText } from '../../../src/slack/subscriptions/pause-command.ts';
import { subscriptionListMessage } from '../../../src/slack/subscriptions/subscription-list.ts';
import { expectHarmless } from '../harmless.ts';
import { asText, presses } from '../kit/as-text.ts';
import { ANA, BEN, CHANNEL, NOW, TEAM } from '../samples.ts';

const DAY = 86_400_000;
const profile = ProfileId.parse(301);
const organization = OrganizationId.parse(401);

function view(
  sync: Partial<ProfileSync> | undefined,
  change: Partial<ProfileFeedStatus> = {},
): ProfileFeedStatus {
  const feed = {
    team: TEAM,
    channel: CHANNEL,
    kind: 'outcomes' as const,
    profile,
    by: BEN,
    createdAt: NOW - DAY,
    startsAt: NOW - DAY,
  };
  return {
    feed,
    profileName: 'Ana Larsen',
    ...(sync ? { sync: { team: TEAM, of: 'proposals', profile, ...sync } } : {}),
    ...(sync?.readAt === undefined ? {} : { lastGoodAt: sync.readAt }),
    ...change,
  };
}

function list(profiles: readonly ProfileFeedStatus[], change: object = {}) {
  return subscriptionListMessage({
    subscriptions: [],
    profiles,
    mutes: [],
    mayChange: true,
    ...change,
  });
}

describe('the profiles in the list of a channel', () => {
  it('show each state with its reason and what to do, and a button to end them', async () => {
    const failing = { since: NOW - DAY, failures: 9, retryAt: NOW + 60_000 };
    const copy = { startedAt: NOW - 1_000, requests: 3 };
    const invitations = { ...view(undefined).feed, kind: 'invitations' as const };
    const message = list([
      view({ readAt: NOW - 20_000, copy: { ...copy, copiedAt: NOW } }),
      view({ readAt: NOW - 20_000, copy: { ...copy, held: 300, total: 1_240 } }),
      view({ copy }),
      view(undefined),
      view(
        { readAt: NOW - DAY, trouble: { ...failing, code: 'not-found' } },
        { feed: { ...invitations, organization }, organizationName: 'Web team' },
      ),
      view({ trouble: { ...failing, code: 'forbidden' } }, { feed: { ...invitations, organization } }),
      view({ readAt: NOW - DAY, trouble: { ...failing, code: 'subscription-inactive' } }),
      view({ readAt: NOW - DAY, trouble: { ...failing, code: 'timeout' } }),
    ]);
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/profile-feeds.txt');
    expectHarmless(message);
  });

  const FAILING = { trouble: { code: 'server', since: NOW, failures: 1, retryAt: NOW } };
  const FAULT = describeMarketplaceFailure('server').what;
  const paused = { by: ANA, at: NOW, until: NOW + DAY };

  it('say that the channel is paused, whatever else is so', () => {
    const feed = { ...view(undefined).feed, kind: 'invitations' as const };
    const text = asText(list([view(FAILING, { feed })], { paused }));
    expect(text).toContain(pauseText(paused));
    expect(text).not.toContain(FAULT);
    expect(text).toMatchSnapshot();
  });

  it('are not kept back by a pause where they tell outcomes', () => {
    const text = asText(list([view(FAILING)], { paused }));
    expect(text).not.toContain('<@U0ANA>');
    expect(text).toContain(FAULT);
    expect(text).toMatchSnapshot();
  });

  it('say that Slack refuses the channel, whatever else is so', () => {
    const feed = { ...view(undefined).feed, stopped: { at: NOW, error: 'is_archived' } };
    const message = list([view({ ...FAILING, readAt: NOW - DAY }, { feed })], { paused });
    const text = asText(message);
    expect(text).toContain(describeSlackError('is_archived'));
    expect(presses(message)).toContain(actionIds.resume);
    expect(text).toContain(formatTimeAgo(NOW - DAY));
    expect(text).not.toContain('<@U0ANA>');
    expect(text).not.toContain(FAULT);
    expect(text).toMatchSnapshot();
  });

  it('have no buttons for whoever may only look', () => {
    expect(JSON.stringify(list([view(undefined)], { mayChange: false }))).not.toContain('"button"');
  });

  it('keep within Slack’s limits beside everything else, and are harmless whatever they are called', () => {
    const many = Array.from({ length: 40 }, () => view(undefined, { profileName: 'x'.repeat(300) }));
    const message = list(many);
    expectHarmless(message);
    expect(asText(message)).toMatch(/^….*\b30\b/mu);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        expectHarmless(list([view({ readAt: NOW }, { profileName: name, organizationName: name })]));
      }),
      { numRuns: 50 },
    );
  });
});

describe('what a channel is told of a profile’s trouble', () => {
  const name = { feed: 'invitations', profile: { id: profile, name: 'Ana Larsen' } } as const;
  const notices: readonly ChannelNotice[] = [
    { about: 'profile-failing', ...name, code: 'not-found', since: NOW },
    {
      about: 'profile-failing',
      ...name,
      organization: { id: organization, name: 'Web team' },
      code: 'forbidden',
      since: NOW,
    },
    {
      about: 'profile-failing',
      feed: 'outcomes',
      profile: { id: profile },
      code: 'unauthorised',
      since: NOW,
    },
    { about: 'profile-failing', ...name, code: 'subscription-inactive', since: NOW },
    { about: 'profile-failing', ...name, code: 'server', since: NOW },
    { about: 'profile-failing', ...name, code: 'of another version', since: NOW },
    { about: 'profile-recovered', ...name, since: NOW },
    { about: 'profile-recovered', feed: 'outcomes', profile: { id: profile }, since: NOW },
  ];

  it('says what happened and what to do next', async () => {
    const text = notices.map((notice) => noticeMessage(notice).text).join('\n\n');
    await expect(`${text}\n`).toMatchFileSnapshot('__snapshots__/profile-notices.txt');
    for (const notice of notices) expectHarmless(noticeMessage(notice));
  });

  it('is harmless whatever the profile is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (label) => {
        const named = { ...name, profile: { id: profile, name: `<!channel>${label}` } };
        expectHarmless(noticeMessage({ about: 'profile-failing', ...named, code: 'server', since: NOW }));
      }),
      { numRuns: 50 },
    );
  });
});
