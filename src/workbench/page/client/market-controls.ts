/** The controls of the Marketplace panel, with their texts before and after the press. Pure. */
import type { MarketAction } from '../protocol.ts';

export interface MarketControl {
  readonly label: string;
  /** Shown before the press. */
  readonly hint: string;
  /** Shown after the press. The panel also lists the affected requests, as long as there are any. */
  readonly done: string;
  readonly act: MarketAction;
}

export interface MarketControlGroup {
  readonly title: string;
  readonly orders: readonly MarketControl[];
}

export const MARKET_CONTROL_GROUPS: readonly MarketControlGroup[] = [
  {
    title: 'Trigger events',
    orders: [
      {
        label: 'Hurry',
        hint: 'A lively minute: a project every few seconds',
        done: 'For the next minute, something happens every few seconds.',
        act: { kind: 'hurry' },
      },
      {
        label: 'Publish Project',
        hint: 'Adds a new project that filters can find',
        done: 'Project published. Its card appears the next time Gigdesk reads a matching filter.',
        act: { kind: 'publish' },
      },
      {
        label: 'Publish With Hint',
        hint: 'Adds a project, and tells Gigdesk so, as a tool that sees it first',
        done: 'Project published, and a hint sent. Gigdesk reads its filter next.',
        act: { kind: 'publish-hinted' },
      },
      {
        label: 'Send Invitation',
        hint: "A client invites one of the agency's profiles",
        done: "Invitation sent. Channels that follow the profile's invitations get a card.",
        act: { kind: 'invite' },
      },
      {
        label: 'Update Proposal',
        hint: 'A proposal gets a view, an interview, or a hire',
        done: "Proposal updated. Channels that follow the profile's outcomes get an update.",
        act: { kind: 'outcome' },
      },
      {
        label: 'Run Waiting Bids',
        hint: 'Turns waiting auto bidding jobs into proposals now',
        done: 'All waiting jobs ran and became proposals.',
        act: { kind: 'run-jobs' },
      },
      {
        label: 'Skip 1 Hour',
        hint: 'Moves the clock of the whole sandbox',
        done: 'Skipped 1 hour.',
        act: { kind: 'pass', minutes: 60 },
      },
    ],
  },
  {
    title: 'Trigger failures',
    orders: [
      {
        label: 'Publish Strange Project',
        hint: 'Markup, endless words and odd letters, as strangers send them',
        done: 'Strange project published. Its card appears the next time Gigdesk reads a filter.',
        act: { kind: 'publish-strange' },
      },
      {
        label: 'Return 429',
        hint: 'Too many requests',
        done: 'Gigdesk waits for the time in the Retry-After header.',
        act: { kind: 'fault', what: '429' },
      },
      {
        label: 'Return 500',
        hint: 'Server errors until you clear failures',
        done: '/gig status shows it right away. Channels get a message after 3 minutes.',
        act: { kind: 'fault', what: '500' },
      },
      {
        label: 'Drop Requests',
        hint: 'The connection breaks before anything happens',
        done: 'Gigdesk automatically retries requests that only read.',
        act: { kind: 'fault', what: 'drop' },
      },
      {
        label: 'Respond Slowly',
        hint: 'Responses take a few seconds',
        done: 'Cards and bid results arrive later.',
        act: { kind: 'fault', what: 'slow' },
      },
      {
        label: 'Lose Bid Response',
        hint: 'The next bid goes through, but its response is lost',
        done: "Send a bid: Gigdesk says there was no response, and doesn't send it twice.",
        act: { kind: 'fault', what: 'lose-effect' },
      },
      {
        label: 'Spend Credits',
        hint: 'No credits left until they renew',
        done: 'All project credits are spent.',
        act: { kind: 'credits', remaining: 0 },
      },
      {
        label: 'Refill Credits',
        hint: 'Restores the credits of a full billing period',
        done: 'Project credits are back to the amount of a full billing period.',
        act: { kind: 'refill' },
      },
    ],
  },
];

export const CLEAR_FAULTS_CONTROL: MarketControl = {
  label: 'Clear Failures',
  hint: 'Requests work normally again',
  done: 'Failures cleared. Requests work normally again.',
  act: { kind: 'fault', what: 'off' },
};
