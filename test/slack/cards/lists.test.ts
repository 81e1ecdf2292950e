import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SubscriptionStatus } from '../../../src/feed/feed.ts';
import type { ProjectFit } from '../../../src/feed/fit-reasons.ts';
import { FilterId, MonitoringResultId, toCredits } from '../../../src/ids.ts';
import type { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { commandRoutes } from '../../../src/slack/all-routes.ts';
import { budgetMessage, budgetSetMessage } from '../../../src/slack/budgets/budget-messages.ts';
import { cardSummaryMessage } from '../../../src/slack/cards/card-summary.ts';
import { monitoringResultsMessage, resultProjectsMessage } from '../../../src/slack/cards/results-message.ts';
import { formatDate } from '../../../src/slack/kit/mrkdwn.ts';
import { describeMarketplaceFailure } from '../../../src/slack/kit/words/marketplace-failure.ts';
import { commandHelpMessage, helpOverview } from '../../../src/slack/status/help-command.ts';
import { subscriptionListMessage } from '../../../src/slack/subscriptions/subscription-list.ts';
import { anyListed } from '../arbitraries.ts';
import { ACCOUNT, aBudget } from '../budgets/budget-samples.ts';
import { expectHarmless } from '../harmless.ts';
import { invitationView } from '../invitations/invitation-samples.ts';
import { asText, presses } from '../kit/as-text.ts';
import { ANA, BEN, CHANNEL, listed, NODE, NOW, REACT, TEAM } from '../samples.ts';

const DAY = 86_400_000;

function subscription(change: Partial<SubscriptionStatus> = {}): SubscriptionStatus {
  const filter = change.filter ?? REACT;
  return {
    subscription: {
      team: TEAM,
      channel: CHANNEL,
      filter: filter.id,
      rules: 'budget:>500 -wordpress',
      by: ANA,
      createdAt: NOW,
      startsAt: NOW,
    },
    filter,
    lastGoodAt: NOW - 20_000,
    state: { kind: 'live' },
    ...change,
  };
}

describe('the list of a channel', () => {
  it('shows every state a subscription can be in, and the mutes', async () => {
    const states: SubscriptionStatus['state'][] = [
      { kind: 'live' },
      { kind: 'starting' },
      { kind: 'paused', by: BEN, until: NOW + DAY },
      { kind: 'stopped', error: 'is_archived' },
      { kind: 'out-of-budget' },
      { kind: 'failing', code: 'unauthorised', since: NOW - DAY, retryAt: NOW + 60_000 },
    ];
    const message = subscriptionListMessage({
      subscriptions: states.map((state, at) =>
        subscription({ state, filter: { ...REACT, id: FilterId.parse(101 + at) } }),
      ),
      profiles: [],
      mutes: [
        { kind: 'country', value: 'Norway', by: ANA, at: NOW },
        { kind: 'word', value: 'wordpress', by: BEN, at: NOW },
      ],
      mayChange: true,
    });
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/list.txt');
    expectHarmlessButOurs(message);
  });

  it('of many subscriptions and mutes keeps within the limits and counts the rest', () => {
    const message = subscriptionListMessage({
      subscriptions: Array.from({ length: 60 }, (_, n) =>
        subscription({ filter: { id: FilterId.parse(n + 1), name: 'x'.repeat(300) } }),
      ),
      profiles: [],
      mutes: Array.from({ length: 40 }, () => ({
        kind: 'word' as const,
        value: 'y'.repeat(300),
        by: BEN,
        at: NOW,
      })),
      mayChange: true,
    });
    expectHarmless(message);
    expect(asText(message)).toMatch(/^….*\b48\b.*`\/gig list &lt;name or ID&gt;`/mu);
    expect(/^….*$/mu.exec(asText(message))?.[0]).toMatchSnapshot();
  });

  it('has no buttons for whoever may only look', () => {
    const message = subscriptionListMessage({
      subscriptions: [subscription({})],
      profiles: [],
      mutes: [{ kind: 'word', value: 'wordpress', by: BEN, at: NOW }],
      chosen: {
        choices: {
          level: 'normal',
          density: 'full',
          threadDetails: false,
          hiddenButtons: [],
          mentions: [],
          approvalHours: 24,
        },
        timezone: 'UTC',
        names: new Map(),
      },
      mayChange: false,
    });
    expect(asText(message)).toContain('“wordpress”');
    expect(JSON.stringify(message)).not.toContain('"button"');
    // They may not open it.
    expect(asText(message)).not.toContain('/gig settings');
  });

  it('of a channel that follows nothing says how to begin', () => {
    const { blocks } = subscriptionListMessage({
      subscriptions: [],
      profiles: [],
      mutes: [],
      mayChange: true,
    });
    expect(JSON.stringify(blocks)).toContain('Set Up Channel');
  });
});

/** Samples name Ana on purpose. */
function expectHarmlessButOurs(message: Parameters<typeof expectHarmless>[0]): void {
  expectHarmless(JSON.parse(JSON.stringify(message).replaceAll(ANA, 'U0CAY')));
}

describe('a flood', () => {
  const fit: ProjectFit = {
    points: 70,
    reasons: [
      { why: 'budget-above', amount: 1_500, usual: 800 },
      { why: 'like-taken', count: 3 },
      { why: 'mention' },
    ],
  };
  const many = Array.from({ length: 12 }, (_, n) => ({
    project: listed({ title: `Project ${n + 1}` }),
    fit,
  }));

  it('lists the best with the reason, counts the rest, and offers the best and the newest', async () => {
    const message = cardSummaryMessage({ best: many, waiting: 37, total: 40 });
    expect(asText(message)).toMatch(/Project 1\b.*\$1,500.*\$800.* 3 /u);
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/flood.txt');
  });

  it('of invitations lists them with whom they are for, and how they stand', () => {
    const newestInvitations = [
      invitationView({ status: 'Declined' }),
      invitationView({ title: '<!channel>' }),
    ];
    const text = asText(cardSummaryMessage({ newestInvitations, waiting: 46, total: 46 }));
    expect(text).toMatchSnapshot();
    expect(text).toContain('46');
    expect(text).toMatch(/• \*.+\* · .+ · .*<!date\^.+ · Declined/u);
    expect(text).toMatch(/^….*\b44\b/mu);
    expect(text).toMatch(/^\[.*\b10\b.*\]$/mu);
    expect(text).not.toContain('<!channel>');
  });

  it('that is all shown loses its button', () => {
    expect(cardSummaryMessage({ best: [], waiting: 0, total: 40 }).blocks).toHaveLength(1);
  });

  it('is harmless and within the limits whatever strangers wrote', () => {
    fc.assert(
      fc.property(fc.array(anyListed, { maxLength: 12 }), (projects) => {
        const best = projects.map((project) => ({ project, fit }));
        expectHarmless(cardSummaryMessage({ best, waiting: 30, total: 30 }));
      }),
      { numRuns: 25 },
    );
  });
});

describe('monitoring results', () => {
  const items = [
    { id: MonitoringResultId.parse(9), createdAt: NOW, totalProjects: 45 },
    { id: MonitoringResultId.parse(8), totalProjects: 0 },
  ];

  it('are listed with a button each, and pages to turn', async () => {
    const message = monitoringResultsMessage({
      filter: NODE,
      page: 2,
      items,
      unreadable: 1,
      paging: { pages: 3 },
    });
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/results.txt');
  });

  it('say when there is no such page, and lead back to the last', () => {
    const message = monitoringResultsMessage({
      filter: NODE,
      page: 9,
      items: [],
      unreadable: 0,
      paging: { pages: 2 },
    });
    expect(asText(message)).toMatchSnapshot();
    expect(asText(message)).toMatch(/\b2\b/u);
    expect(presses(message)).toHaveLength(1);
    expect(JSON.stringify(message)).toContain('\\"page\\":2');
  });

  it('lead back to the first where nobody knows how many pages there are', () => {
    const message = monitoringResultsMessage({ filter: NODE, page: 9, items: [], unreadable: 0, paging: {} });
    expect(asText(message)).toMatchSnapshot();
    expect(presses(message)).toHaveLength(1);
    expect(JSON.stringify(message)).toContain('\\"page\\":1');
  });

  it('that do not exist yet leave nothing else to say', () => {
    const message = monitoringResultsMessage({
      filter: NODE,
      page: 1,
      items: [],
      unreadable: 0,
      paging: { pages: 0 },
    });
    expect(asText(message)).toMatchSnapshot();
    expect(message.blocks).toHaveLength(1);
  });

  it('list the projects of one', async () => {
    const projects = [listed(), listed({ title: 'Second' })];
    const message = resultProjectsMessage({
      result: MonitoringResultId.parse(9),
      page: 1,
      projects,
      unreadable: 0,
      paging: { pages: 1 },
      charged: 2,
    });
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/result-projects.txt');
  });

  it('are harmless and within the limits whatever strangers wrote', () => {
    fc.assert(
      fc.property(fc.array(anyListed, { maxLength: 25 }), (projects) => {
        const result = MonitoringResultId.parse(9);
        const paging = { pages: 3 };
        expectHarmless(
          resultProjectsMessage({ result, page: 2, projects, unreadable: 1, paging, charged: 2 }),
        );
      }),
      { numRuns: 15 },
    );
  });
});

describe('budgets', () => {
  it('show how far the credits go', async () => {
    const message = budgetMessage(aBudget({ runsOutAt: NOW + 12 * DAY }), ACCOUNT);
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/budget.txt');
  });

  it('without a limit are bounded by the account', async () => {
    const message = budgetMessage(
      aBudget({ limit: 'unlimited', available: Number.POSITIVE_INFINITY }),
      ACCOUNT,
    );
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/budget-unlimited.txt');
  });

  it('that are used up say what waits, not how long they last', () => {
    const text = asText(
      budgetMessage(aBudget({ settled: 495, reserved: 0, available: 5, runsOutAt: NOW }), ACCOUNT),
    );
    expect(text).toMatchSnapshot();
    expect(text).not.toContain(formatDate(NOW));
  });

  it('spent in the first hours promise nothing', () => {
    const text = asText(
      budgetMessage(aBudget({ settled: 138, reserved: 0, available: 362, isEarly: true }), ACCOUNT),
    );
    const later = aBudget({ settled: 138, reserved: 0, available: 362 });
    expect(text).not.toBe(asText(budgetMessage(later, ACCOUNT)));
    expect(text).toMatchSnapshot();
  });

  it('set below what is spent say what that means', () => {
    const text = budgetSetMessage(aBudget({ limit: toCredits(100) }), BEN).text;
    expect(text).toContain('180');
    expect(text).toMatchSnapshot();
  });
});

describe('help', () => {
  it('has every command of the table', async () => {
    await expect(asText(helpOverview(commandRoutes))).toMatchFileSnapshot('__snapshots__/help.txt');
    expectHarmless(helpOverview(commandRoutes));
  });

  it.each(commandRoutes.map((route) => [route.word, route] as const))(
    'on %s shows usage and examples',
    (_, route) => {
      const message = commandHelpMessage(route);
      expectHarmless(message);
      for (const example of route.examples)
        expect(asText(message)).toContain(`\`/gig ${example}\``.replace('>', '&gt;'));
    },
  );
});

describe('trouble', () => {
  it('has words for every code of the marketplace, and for codes it never heard of', () => {
    const codes: MarketplaceError['code'][] = ['unauthorised', 'server', 'network', 'not-found'];
    for (const code of codes)
      expect(describeMarketplaceFailure(code).what).not.toBe(describeMarketplaceFailure('toString').what);
    expect(describeMarketplaceFailure('toString')).toMatchSnapshot();
  });
});
