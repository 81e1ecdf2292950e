/** The sandbox's guide: a few things to try, each ticked when the person has done it in the page. */
import { actionIds } from '../slack/kit/ids.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import type { PageGuide } from './page/page-guide.ts';
import type { MarketAction, PageAction } from './page/protocol.ts';
import { SANDBOX_ADMIN } from './sandbox-seed.ts';
import type { SimulatedSlack } from './slack/simulated-slack.ts';

interface GuideStep {
  readonly label: string;
  readonly hint: string;
  /** Whether this action in the page completes the step. */
  readonly byAction?: (act: PageAction) => boolean;
  readonly byMarketAction?: (act: MarketAction) => boolean;
  /** Whether the step is done, whatever the person did for it. */
  readonly byState?: () => boolean;
}

function isCommand(act: PageAction, word: string): boolean {
  return act.kind === 'command' && new RegExp(`^/gig ${word}\\b`, 'u').test(act.text.trim());
}

/** Ordered by usefulness to a newcomer. */
function listGuideSteps(slack: SimulatedSlack, marketplace: SimulatedMarketplace): readonly GuideStep[] {
  return [
    {
      label: 'Bid on a project',
      hint:
        'Press Bid on a card and send the form. Within a minute, the proposal appears on the card and in ' +
        'its thread.',
      byState: () => marketplace.jobs().length > 0,
    },
    {
      label: 'Claim another one',
      hint: 'Press Claim on a card. Your team sees who works on the project.',
      byAction: (act) => act.kind === 'press' && act.actionId === actionIds.claim,
    },
    {
      label: 'Read the digest',
      hint: 'Type /gig digest now in a channel. Charts are in its thread. /gig help lists all commands.',
      byAction: (act) => isCommand(act, 'digest'),
    },
    {
      label: 'See what needs you',
      hint: 'Open gigdesk under Apps on the left, then Home.',
      byAction: (act) => act.kind === 'open-home',
    },
    {
      label: 'Act as someone else',
      hint:
        'Switch people at the top right, and press something: ben is a member, gus is a guest, and sam is ' +
        'from another company.',
      byAction: (act) => SANDBOX_ADMIN !== undefined && act.as !== slack.user(SANDBOX_ADMIN).id,
    },
    {
      label: 'Cause trouble',
      hint: 'Below, let the marketplace fail or skip an hour, and watch how Gigdesk reacts.',
      byMarketAction: ({ kind }) => ['fault', 'pass', 'credits', 'publish-strange'].includes(kind),
    },
  ];
}

export function createSandboxGuide(slack: SimulatedSlack, marketplace: SimulatedMarketplace): PageGuide {
  const steps = listGuideSteps(slack, marketplace);
  const done = new Set<GuideStep>();
  const mark = (isDone: (step: GuideStep) => boolean | undefined) => {
    for (const step of steps) if (isDone(step)) done.add(step);
  };
  return {
    noteAction: (act) => mark(({ byAction }) => byAction?.(act)),
    noteMarketAction: (act) => mark(({ byMarketAction }) => byMarketAction?.(act)),
    listSteps: () =>
      steps.map((step) => ({
        label: step.label,
        hint: step.hint,
        isDone: done.has(step) || step.byState?.() === true,
      })),
  };
}
