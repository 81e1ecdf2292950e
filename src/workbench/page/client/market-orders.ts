/** What can be ordered at the marketplace's panel, each with what it does, said before and after. Pure. */
import type { MarketAct } from '../protocol.ts';

export interface MarketOrder {
  readonly label: string;
  /** Before it is pressed. */
  readonly hint: string;
  /** After it was. */
  readonly done: string;
  readonly act: MarketAct;
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
      },
      {
        label: 'Send an invitation',
        hint: "A client invites one of the agency's profiles",
        done: "A client sent an invitation. Channels that follow that profile's invitations get a card.",
        act: { kind: 'invite' },
      },
      {
        label: 'Move a proposal on',
        hint: 'A proposal is viewed, interviewed or hired',
        done: "A proposal came further. Channels that follow its profile's outcomes hear of it.",
        act: { kind: 'outcome' },
      },
      {
        label: 'Run waiting jobs',
        hint: 'Auto bidding jobs become proposals at once',
        done: 'Waiting jobs were run.',
        act: { kind: 'run-jobs' },
      },
      {
        label: 'Let an hour pass',
        hint: 'Moves the clock of everything here',
        done: 'An hour has passed.',
        act: { kind: 'pass', minutes: 60 },
      },
    ],
  },
  {
    title: 'Make trouble',
    orders: [
      {
        label: 'Answer 429',
        hint: 'Too many requests',
        done: 'The next requests are refused as too many (429).',
        act: { kind: 'fault', what: '429' },
      },
      {
        label: 'Answer 500',
        hint: 'Broken, until trouble is over',
        done: 'Requests are answered with 500 until you end the trouble.',
        act: { kind: 'fault', what: '500' },
      },
      {
        label: 'Drop the next answer',
        hint: 'The connection breaks before anything was done',
        done: 'The next requests are cut off without an answer.',
        act: { kind: 'fault', what: 'drop' },
      },
      {
        label: 'Answer slowly',
        hint: 'Answers take their time',
        done: 'Answers take several seconds now.',
        act: { kind: 'fault', what: 'slow' },
      },
      {
        label: 'Lose the answer to a bid',
        hint: 'The next bid is taken, and nobody is told',
        done: 'The next bid is carried out, but its answer gets lost on the way.',
        act: { kind: 'fault', what: 'lose-effect' },
      },
      {
        label: 'Spend the credits',
        hint: 'Nothing is left until the reset',
        done: 'All project credits are spent.',
        act: { kind: 'credits', remaining: 0 },
      },
      {
        label: 'Refill the credits',
        hint: '1,000 project credits',
        done: '1,000 project credits are there again.',
        act: { kind: 'credits', remaining: 1_000 },
      },
    ],
  },
];

export const END_TROUBLE: MarketOrder = {
  label: 'End all trouble',
  hint: 'Everything is answered as it should be',
  done: 'The trouble is over: requests are answered as they should be.',
  act: { kind: 'fault', what: 'off' },
};
