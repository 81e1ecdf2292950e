/** What can be ordered at the marketplace's panel, each with what it does, said before and after. Pure. */
import type { MarketAct } from '../protocol.ts';

export interface MarketOrder {
  readonly label: string;
  /** Before it is pressed. */
  readonly hint: string;
  /** After it was. Which requests are struck is told beside it, as long as some are. */
  readonly done: string;
  readonly act: MarketAct;
  /** For those who type it at the sandbox's prompt. */
  readonly typed: string;
}

export interface OrderGroup {
  readonly title: string;
  readonly orders: readonly MarketOrder[];
}

export const ORDERS: readonly OrderGroup[] = [
  {
    title: 'Let something happen',
    orders: [
      {
        label: 'Publish a project',
        hint: 'One more project that filters find',
        done: 'A project was published. Its card comes with the next look at a filter that finds it.',
        act: { kind: 'publish' },
        typed: 'publish',
      },
      {
        label: 'Send an invitation',
        hint: "A client invites one of the agency's profiles",
        done: "A client sent an invitation. Channels that follow that profile's invitations get a card.",
        act: { kind: 'invite' },
        typed: 'invitation',
      },
      {
        label: 'Move a proposal on',
        hint: 'A proposal is viewed, interviewed or hired',
        done: "A proposal came further. Channels that follow its profile's outcomes hear of it.",
        act: { kind: 'outcome' },
        typed: 'outcome',
      },
      {
        label: 'Run waiting jobs',
        hint: 'Auto bidding jobs become proposals at once',
        done: 'Waiting jobs were run.',
        act: { kind: 'run-jobs' },
        typed: 'jobs',
      },
      {
        label: 'Let an hour pass',
        hint: 'Moves the clock of everything here',
        done: 'An hour has passed.',
        act: { kind: 'pass', minutes: 60 },
        typed: 'hour',
      },
    ],
  },
  {
    title: 'Make trouble',
    orders: [
      {
        label: 'Answer 429',
        hint: 'Too many requests',
        done: 'Gigdesk waits as long as it is told to.',
        act: { kind: 'fault', what: '429' },
        typed: 'trouble 429',
      },
      {
        label: 'Answer 500',
        hint: 'Broken, until trouble is over',
        done: '/gig status tells of it at once, channels hear of it after three minutes.',
        act: { kind: 'fault', what: '500' },
        typed: 'trouble 500',
      },
      {
        label: 'Drop the next answer',
        hint: 'The connection breaks before anything was done',
        done: 'What only reads is asked again by itself.',
        act: { kind: 'fault', what: 'drop' },
        typed: 'trouble drop',
      },
      {
        label: 'Answer slowly',
        hint: 'Answers take their time',
        done: 'Cards come later, and so does the word of a bid.',
        act: { kind: 'fault', what: 'slow' },
        typed: 'trouble slow',
      },
      {
        label: 'Lose the answer to a bid',
        hint: 'The next bid is taken, and nobody is told',
        done: 'Send a bid: Gigdesk says that no answer came, and does not send it twice.',
        act: { kind: 'fault', what: 'lose-effect' },
        typed: 'trouble lost',
      },
      {
        label: 'Spend the credits',
        hint: 'Nothing is left until the reset',
        done: 'All project credits are spent.',
        act: { kind: 'credits', remaining: 0 },
        typed: 'trouble credits',
      },
      {
        label: 'Refill the credits',
        hint: 'As many as a billing period begins with',
        done: 'As many project credits are there as a billing period begins with.',
        act: { kind: 'refill' },
        typed: 'trouble refill',
      },
    ],
  },
];

export const END_TROUBLE: MarketOrder = {
  label: 'End all trouble',
  hint: 'Everything is answered as it should be',
  done: 'The trouble is over: requests are answered as they should be.',
  act: { kind: 'fault', what: 'off' },
  typed: 'trouble off',
};
