/**
 * Connects, replaces and removes the workspace's marketplace account, for admins everywhere, and what people
 * see of it. A token is only in the submission and in what it's passed to: never in a record, a log line, a
 * view or an error.
 */
import type { Button, KnownBlock, ModalView } from '@slack/types';
import { hasRoleAtLeast, type Role } from '../../access/access.ts';
import type { AuditResult } from '../../audit/audit.ts';
import { asError } from '../../errors.ts';
import type { AccountConnection } from '../../installations/account-connection.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../../marketplace/errors.ts';
import { MAX_TOKEN_LENGTH, parseMarketplaceToken, type TokenMistake } from '../../marketplace/token.ts';
import type { Secret } from '../../secret.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import type {
  ActionCall,
  ActionRoute,
  Message,
  Services,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  confirmDialog,
  formView,
  joinLines,
  noticeView,
  sectionBlock,
  textMessage,
} from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { textInput } from '../kit/inputs.ts';
import { formatNumber } from '../kit/numbers.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { describeMarketplaceFailure, NOT_CONNECTED } from '../kit/words/marketplace-failure.ts';
import { type AccountChange, endAccountChange, recordAccountChange } from './account-decisions.ts';

type Changing = Pick<ActionCall, 'services' | 'person' | 'answer'>;

/** Whether anything that needs the marketplace must wait for an admin. */
export function isAccountMissing({ account }: Pick<Services, 'account'>): boolean {
  return account?.isConnected === false;
}

export async function openAccountForm(call: ActionCall): Promise<void> {
  const { account, slack } = call.services;
  if (!account) return call.answer({ text: TOKEN_SET_BY_OPERATOR });
  await slack.openView(call.triggerId, accountModal(account.isConnected));
}

/**
 * The decision is recorded first: the change is stored elsewhere, and ends this workspace's services. After a
 * crash in between, the next opening adds how it ended. @throws what `make` throws
 */
async function makeChange(call: Changing, change: AccountChange, make: () => Promise<void>): Promise<void> {
  const { store, clock, log, account } = call.services;
  const isConnected = account?.isConnected === true;
  const decision = { by: call.person.user, change, isConnected, at: clock.now() };
  const key = await store.transact((tx) => recordAccountChange(tx, decision));
  const note = (result: AuditResult) =>
    store
      .transact((tx) => endAccountChange(tx, key, clock.now(), result))
      .catch((thrown: unknown) => log.warn('could not audit an account', { error: asError(thrown) }));
  try {
    await make();
  } catch (thrown) {
    if (thrown instanceof MarketplaceError) {
      const { code } = thrown;
      await note({ kind: Object.hasOwn(REFUSALS, code) ? 'refused' : 'skipped', code });
    }
    throw thrown;
  }
  await note({ kind: 'done' });
}

async function connect(call: ViewSubmissionCall, account: AccountConnection, token: Secret): Promise<void> {
  const { services, view } = call;
  const wasConnected = account.isConnected;
  const show = async (shown: Parameters<typeof updateViewIfOpen>[2], text: string) => {
    if (!(await updateViewIfOpen(services, view.id, shown))) await call.answer({ text });
  };
  try {
    await makeChange(call, wasConnected ? 'replace' : 'connect', () => account.connect(token));
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    const problem = tokenProblemText(thrown);
    services.log.info('a marketplace token was not taken', { user: call.person.user, code: thrown.code });
    return show(accountModal(wasConnected, problem), `:warning: ${problem}`);
  }
  const text = wasConnected
    ? ':white_check_mark: *The token is replaced.* Gigdesk uses the new one from now on.'
    : joinLines(':white_check_mark: *Your marketplace account is connected.*', NEXT_STEP);
  await show(noticeView(accountTitle(wasConnected), text), text);
}

/** @param onDone after each check, whatever its result */
export function createAccountView(onDone: (call: ViewSubmissionCall) => Promise<void>): ViewRoute {
  async function submit({ view, services: { account } }: ViewInteraction): Promise<SubmissionResponse> {
    if (!account) return { kind: 'update', view: noticeView(accountTitle(false), TOKEN_SET_BY_OPERATOR) };
    const parsed = parseMarketplaceToken(view.values.get(TOKEN_FIELD)?.text ?? '');
    if (parsed.kind === 'mistake')
      return { kind: 'errors', errors: { [TOKEN_FIELD]: MISTAKES[parsed.mistake] } };
    return {
      kind: 'update',
      view: noticeView(accountTitle(account.isConnected), CHECKING),
      after: async (call) => {
        await connect(call, account, parsed.token);
        await onDone(call);
      },
    };
  }
  return { id: viewIds.account, needs: 'admin', submit };
}

export async function removeAccount(call: Changing): Promise<void> {
  const { account } = call.services;
  if (!account) return call.answer({ text: TOKEN_SET_BY_OPERATOR });
  if (!account.isConnected) return call.answer({ text: ACCOUNT_REMOVED_BEFORE });
  await makeChange(call, 'remove', () => account.remove());
  await call.answer({ text: ACCOUNT_REMOVED });
}

/** In messages; the Home tab has its own. */
export const connectAccountAction: ActionRoute = {
  id: actionIds.accountConnect,
  needs: 'admin',
  run: openAccountForm,
};

/** @param id the Home tab's button has its own, because its answers appear on the tab */
export function connectButton(id: string = actionIds.accountConnect): Button {
  return buttonElement({ id, label: 'Connect Your Marketplace Account', value: 'connect', isPrimary: true });
}

/** Instead of anything that needs the account. Admins connect it right there. */
export function notConnectedMessage(role: Role): Message {
  return textMessage(
    NOT_CONNECTED,
    hasRoleAtLeast(role, 'admin') ? actionsBlock([connectButton()]) : undefined,
  );
}

const NEXT_STEP =
  'Next: type `/invite @gigdesk` in a channel. Then press *Set Up This Channel* in the message there.';

/** For the person who installed Gigdesk. */
export function connectRequestMessage(isConnected: boolean): Message {
  if (isConnected) return textMessage(joinLines('*Your marketplace account is connected.*', NEXT_STEP));
  return textMessage(
    joinLines(
      '*Gigdesk is installed.* Next, connect your marketplace account: Gigdesk needs its API token to find ' +
        'projects and send bids.',
      "Other admins can connect it, too, in Gigdesk's Home tab.",
    ),
    actionsBlock([connectButton()]),
  );
}

/** The first part of a Home tab while no account is connected. */
export function connectBlocks(role: Role): KnownBlock[] {
  if (!hasRoleAtLeast(role, 'admin'))
    return [
      sectionBlock(
        ":information_source: *An admin hasn't connected the marketplace account yet.* " +
          'Until then, no new projects arrive.',
      ),
    ];
  return [
    sectionBlock(
      joinLines(
        '*Connect your marketplace account*',
        'Gigdesk needs its API token to find projects and send bids. The token is stored encrypted.',
      ),
      connectButton(actionIds.homeAccountConnect),
    ),
  ];
}

/** For admins, while an account is connected. */
export function connectedBlocks(): KnownBlock[] {
  return [
    sectionBlock('*Marketplace account:* connected'),
    actionsBlock([
      buttonElement({ id: actionIds.homeAccountConnect, label: 'Replace Token', value: 'replace' }),
      buttonElement({
        id: actionIds.homeAccountRemove,
        label: 'Remove',
        value: 'remove',
        accessibilityLabel: 'Remove the marketplace account',
        confirm: confirmDialog(
          'Remove the account?',
          'Gigdesk deletes its token. New projects, invitations, proposal updates and bids stop until an ' +
            'admin connects an account again. What Gigdesk has posted and stored stays. ' +
            "The marketplace's own scheduled bids go on.",
          'Remove',
        ),
      }),
    ]),
  ];
}

const ACCOUNT_REMOVED =
  ':wastebasket: *The marketplace account was removed,* and its token deleted. ' +
  'Nothing new arrives until an admin connects an account.';
const ACCOUNT_REMOVED_BEFORE =
  ':information_source: No marketplace account is connected, so nothing was removed.';
/** Where the token comes from the environment. */
const TOKEN_SET_BY_OPERATOR =
  'The person who runs Gigdesk sets the marketplace token of this workspace. Nothing was changed.';

const CHECKING =
  ':hourglass_flowing_sand: *Checking the token with the marketplace…* ' +
  'If you close this window, Gigdesk sends you the result.';

const TOKEN_FIELD = 'token';

function accountTitle(isConnected: boolean): string {
  return isConnected ? 'Replace Token' : 'Connect Account';
}

/** @param isConnected an earlier token is replaced @param problem why the last one wasn't taken; safe text */
function accountModal(isConnected: boolean, problem?: string): ModalView {
  const title = accountTitle(isConnected);
  return formView({ id: viewIds.account, title, submit: isConnected ? 'Replace' : 'Connect' }, [
    ...(problem === undefined ? [] : [alertBlock('error', problem)]),
    textInput({
      id: TOKEN_FIELD,
      label: 'API token',
      hint:
        "Create it in the marketplace's dashboard, under API tokens. " +
        'Gigdesk stores it encrypted and never shows it.',
      maxLength: MAX_TOKEN_LENGTH,
    }),
  ]);
}

const MISTAKES: Readonly<Record<TokenMistake, string>> = {
  blank: 'Enter the API token.',
  'too-long': `A token has at most ${formatNumber(MAX_TOKEN_LENGTH)} characters. Copy only the token.`,
  unsendable:
    'A token has only English letters, digits and signs, without spaces. Copy it again from the dashboard.',
  'of-slack': "This is a token of Slack. Enter the API token from the marketplace's dashboard.",
};

/** Where the marketplace itself said no. */
const REFUSALS: Partial<Record<MarketplaceErrorCode, string>> = {
  unauthorised:
    'The marketplace refused this token. Copy it again from the dashboard, or create a new one there.',
  forbidden:
    'The marketplace refused this token, because it lacks a permission. ' +
    'A team admin can check the token and the plan in the dashboard.',
  'subscription-inactive':
    "The marketplace refused this token, because the team's subscription is inactive. " +
    'The account owner can renew it in the dashboard.',
};

/** Why a token wasn't taken. Never has the server's words, which could repeat it. */
function tokenProblemText({ code }: Pick<MarketplaceError, 'code'>): string {
  return (
    REFUSALS[code] ??
    `Couldn't check this token: ${describeMarketplaceFailure(code).what}. ` +
      'Nothing was changed. Try again in a minute.'
  );
}
