/** The form with a channel's rules for spending: its inputs, and what was typed into them. Pure. */
import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import {
  CANCEL_SECONDS,
  MOST_APPROVALS,
  type SpendingChoices,
  type SpendingRules,
} from '../../spending/spending.ts';
import { hasMoreThanTwoDecimals, parseMoney, parseNonNegativeInteger } from '../../typed/numbers.ts';
import type { ViewValues } from '../core/routes.ts';
import { contextBlock, formView, sectionBlock } from '../kit/block-builders.ts';
import { ConversationValue, jsonValueCodec } from '../kit/button-values.ts';
import { viewIds } from '../kit/ids.ts';
import { checkboxesInput, selectInput, textInput } from '../kit/inputs.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { cancelWindowLabel } from './spending.ts';

export const SPENDING_TITLE = 'Spending Rules';

/** The channel, and which of its rules the form showed. */
export const spendingFormCodec = jsonValueCodec(
  z.object({ channel: ConversationValue, revision: z.number().int().min(0) }),
);

const FIELDS = {
  cancel: 'cancel-window',
  amount: 'second-amount',
  connects: 'second-connects',
  options: 'second-options',
  approvals: 'second-approvals',
  channelCap: 'channel-cap',
  personCap: 'person-cap',
} as const;

const NEW_CLIENTS = 'new-clients';
const NOT_BY_ASKER = 'not-by-asker';
/** Dollars, or connects. */
const MOST = 1_000_000;

function numberInput(id: string, label: string, hint: string, value: number | undefined): InputBlock {
  return textInput({ id, label, hint, optional: true, maxLength: 20, initial: value?.toString() });
}

/** @param used connects of this week */
export function spendingRulesView(rules: SpendingRules, used: number): ModalView {
  const { channel, revision, newClients, notByAsker } = rules;
  return formView(
    {
      id: viewIds.spendingRules,
      carries: spendingFormCodec.write({ channel, revision }),
      title: SPENDING_TITLE,
      submit: 'Save',
      close: 'Back',
    },
    [
      sectionBlock(
        `*Spending rules for ${channelLink(channel)}.* ` +
          `This week: ${formatCount(used, 'connect')} used or reserved.`,
      ),
      selectInput({
        id: FIELDS.cancel,
        label: 'Cancel window',
        hint: 'After Send Bid or Approve, a bid waits this long before it goes out. Bidders can cancel it.',
        choices: CANCEL_SECONDS.map((seconds) => ({
          value: String(seconds),
          label: cancelWindowLabel(seconds),
        })),
        initial: String(rules.cancelSeconds),
      }),
      numberInput(
        FIELDS.amount,
        'Second approval above this amount',
        'In dollars. A bid that leaves its amount to the setup needs one, too. Empty: off.',
        rules.amountAbove,
      ),
      numberInput(
        FIELDS.connects,
        'Second approval above this many connects',
        'Price and boost together. A bid with an unknown price needs one, too. Empty: off.',
        rules.connectsAbove,
      ),
      checkboxesInput({
        id: FIELDS.options,
        label: 'Second approval options',
        optional: true,
        choices: [
          {
            value: NEW_CLIENTS,
            label: 'For clients without history',
            description: 'No known hires and no known spending.',
          },
          {
            value: NOT_BY_ASKER,
            label: 'Not by the person who asked',
            description: "The person whose bid waits for review can't approve it.",
          },
        ],
        initial: [...(newClients ? [NEW_CLIENTS] : []), ...(notByAsker ? [NOT_BY_ASKER] : [])],
      }),
      selectInput({
        id: FIELDS.approvals,
        label: 'Number of second approvals',
        hint:
          'From different people. The person who sends the bid, or who approves a waiting bid first, ' +
          "doesn't count.",
        choices: Array.from({ length: MOST_APPROVALS }, (_, place) => String(place + 1)).map((value) => ({
          value,
          label: value,
        })),
        initial: String(rules.approvals),
      }),
      numberInput(
        FIELDS.channelCap,
        'Connects a week for this channel',
        'Empty: no cap. 0: nothing is sent. The week starts on Monday.',
        rules.channelCap,
      ),
      numberInput(
        FIELDS.personCap,
        'Connects a week for each person',
        'In this channel. Empty: no cap.',
        rules.personCap,
      ),
      contextBlock(
        'A bid counts with its price and boost when it is sent or approved. ' +
          'An unknown price counts as 0 until the proposal shows what it spent.',
      ),
    ],
  );
}

/** `1,500`, `$1500.50`; undefined for anything else. */
function parseAmount(text: string): number | undefined {
  const amount = parseMoney(text) ?? -1;
  return amount >= 0 && amount <= MOST && !hasMoreThanTwoDecimals(text) ? amount : undefined;
}

function parseCount(text: string): number | undefined {
  const count = parseNonNegativeInteger(text.replace(/\s*connects?$/iu, ''));
  return count !== undefined && count <= MOST ? count : undefined;
}

const AMOUNT_ERROR = 'Enter an amount from 0 to 1,000,000, such as 500, or leave it empty.';
const COUNT_ERROR = 'Enter a whole number of connects from 0 to 1,000,000, or leave it empty.';

/** All mistakes at once. */
export function parseSpendingForm(
  values: ViewValues,
):
  | { readonly kind: 'filled'; readonly choices: SpendingChoices }
  | { readonly kind: 'mistakes'; readonly errors: Readonly<Record<string, string>> } {
  const errors: Record<string, string> = {};
  const read = (id: string, parse: (text: string) => number | undefined, error: string) => {
    const text = (values.get(id)?.text ?? '').trim();
    if (text === '') return undefined;
    const value = parse(text);
    if (value === undefined) errors[id] = error;
    return value;
  };
  const choose = <T extends number>(id: string, among: readonly T[]) => {
    const chosen = among.find((each) => String(each) === values.get(id)?.option);
    if (chosen === undefined) errors[id] = 'Choose one.';
    return chosen;
  };
  const options = values.get(FIELDS.options)?.options ?? [];
  const choices = {
    cancelSeconds: choose(FIELDS.cancel, CANCEL_SECONDS) ?? 0,
    amountAbove: read(FIELDS.amount, parseAmount, AMOUNT_ERROR),
    connectsAbove: read(FIELDS.connects, parseCount, COUNT_ERROR),
    newClients: options.includes(NEW_CLIENTS),
    notByAsker: options.includes(NOT_BY_ASKER),
    approvals: choose(FIELDS.approvals, [1, 2, 3]) ?? 1,
    channelCap: read(FIELDS.channelCap, parseCount, COUNT_ERROR),
    personCap: read(FIELDS.personCap, parseCount, COUNT_ERROR),
  };
  return Object.keys(errors).length > 0 ? { kind: 'mistakes', errors } : { kind: 'filled', choices };
}
