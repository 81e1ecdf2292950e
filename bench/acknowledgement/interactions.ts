/** Typical interactions, as Slack sends them: slash commands and presses of a card's button. */
import { createHmac } from 'node:crypto';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { CARDS_EACH, cardTs, channels, people, signingSecret, team } from '../app/place.ts';

const KINDS = ['list', 'help', 'budget', 'claim'] as const;
/** Three commands, and a press of “Claim” on a card that another person has claimed. */
export type Kind = (typeof KINDS)[number];

const TEXTS = { list: 'list', help: 'help subscribe', budget: 'budget' } as const;
const FORM = 'application/x-www-form-urlencoded';

export interface SignedRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Slack sends the message along with the press; this one is as long as a card. */
const PRESSED_BLOCKS = Array.from({ length: 6 }, (_, at) => ({
  type: 'section',
  block_id: `block-${at}`,
  text: { type: 'mrkdwn', text: 'What a card shows of its project, in the words of its client. '.repeat(6) },
}));

export function kindOf(number: number): Kind {
  return KINDS[number % KINDS.length] ?? 'list';
}

/** The interaction kind of a `response_url`, from its path. */
export function kindAnswered(path: string): Kind | undefined {
  return KINDS.find((kind) => path.startsWith(`/${kind}/`));
}

function oneOf<T>(list: readonly T[], number: number): T {
  const found = list[number % list.length];
  if (found === undefined) throw new RangeError('an empty list');
  return found;
}

function commandForm(kind: keyof typeof TEXTS, number: number, answerUrl: string): URLSearchParams {
  return new URLSearchParams({
    token: 'verification-token',
    team_id: team,
    team_domain: 'bright-agency',
    channel_id: oneOf(channels, number >> 2),
    channel_name: 'web',
    user_id: oneOf(people, number),
    user_name: 'somebody',
    command: '/gig',
    text: TEXTS[kind],
    api_app_id: 'A0GIGDESK',
    is_enterprise_install: 'false',
    response_url: answerUrl,
    trigger_id: `${number}.trigger`,
  });
}

function pressForm(number: number, answerUrl: string): URLSearchParams {
  const channel = oneOf(channels, number >> 2);
  const ts = cardTs(number % CARDS_EACH);
  const payload = {
    type: 'block_actions',
    user: { id: oneOf(people, number), username: 'somebody', team_id: team },
    api_app_id: 'A0GIGDESK',
    token: 'verification-token',
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
    trigger_id: `${number}.trigger`,
    team: { id: team, domain: 'bright-agency' },
    enterprise: null,
    is_enterprise_install: false,
    channel: { id: channel, name: 'web' },
    message: { type: 'message', ts, user: 'U0GIGBOT', text: 'A project', blocks: PRESSED_BLOCKS },
    response_url: answerUrl,
    actions: [
      { type: 'button', action_id: actionIds.claim, block_id: 'block-0', value: 'claim', action_ts: ts },
    ],
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) });
}

/** @param number unique, or the app takes the request for a repeat */
export function makeRequest(number: number, answerAt: string, nowMs: number): SignedRequest {
  const kind = kindOf(number);
  const answerUrl = `${answerAt}/${kind}/${number}`;
  const form = kind === 'claim' ? pressForm(number, answerUrl) : commandForm(kind, number, answerUrl);
  const body = form.toString();
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const headers = {
    'content-type': FORM,
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${signature}`,
  };
  return { body, headers };
}
