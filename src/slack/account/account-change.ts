/**
 * Connects, replaces and removes the workspace's marketplace account, for admins everywhere. A token is only
 * in the submission and in what it's passed to: never in a record, a log line, a view or an error.
 */
import type { AuditResult } from '../../audit/audit.ts';
import { asError } from '../../errors.ts';
import type { AccountConnection } from '../../installations/account-connection.ts';
import { MarketplaceError } from '../../marketplace/errors.ts';
import { parseMarketplaceToken } from '../../marketplace/token.ts';
import type { Secret } from '../../secret.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import type {
  ActionCall,
  ActionRoute,
  Services,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { noticeView } from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { type AccountChange, endAccountChange, recordAccountChange } from './account-decisions.ts';
import {
  ACCOUNT_REMOVED,
  ACCOUNT_REMOVED_BEFORE,
  accountModal,
  accountTitle,
  checkingView,
  connectedText,
  isTokenRefused,
  TOKEN_FIELD,
  TOKEN_SET_BY_OPERATOR,
  tokenMistakeText,
  tokenProblemText,
} from './account-texts.ts';

type Changing = Pick<ActionCall, 'services' | 'person' | 'answer'>;

/** Whether anything that needs the marketplace must wait for an admin. */
export function isAccountMissing({ account }: Pick<Services, 'account'>): boolean {
  return account?.isConnected === false;
}

export async function openAccountForm(call: ActionCall): Promise<void> {
  const { account, slack } = call.services;
  if (!account) return call.answer({ text: TOKEN_SET_BY_OPERATOR });
  await slack.openView(call.triggerId, accountModal({ isConnected: account.isConnected }));
}

/**
 * The decision is recorded first: the change is stored elsewhere, and ends this workspace's services. After a
 * crash in between, the next opening adds how it ended. @throws what `make` throws
 */
async function makeChange(call: Changing, change: AccountChange, make: () => Promise<void>): Promise<void> {
  const { store, team, clock, log, account } = call.services;
  const isConnected = account?.isConnected === true;
  const decision = { team, by: call.person.user, change, isConnected, at: clock.now() };
  const key = await store.transact((tx) => recordAccountChange(tx, decision));
  const note = (result: AuditResult) =>
    store
      .transact((tx) => endAccountChange(tx, key, clock.now(), result))
      .catch((thrown: unknown) => log.warn('could not audit an account', { error: asError(thrown) }));
  try {
    await make();
  } catch (thrown) {
    if (thrown instanceof MarketplaceError)
      await note({ kind: isTokenRefused(thrown) ? 'refused' : 'skipped', code: thrown.code });
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
    return show(accountModal({ isConnected: wasConnected, problem }), `:warning: ${problem}`);
  }
  const text = connectedText(wasConnected);
  await show(noticeView(accountTitle(wasConnected), text), text);
}

/** @param onDone after each check, whatever its result */
export function createAccountView(onDone: (call: ViewSubmissionCall) => Promise<void>): ViewRoute {
  async function submit({ view, services: { account } }: ViewInteraction): Promise<SubmissionResponse> {
    if (!account) return { kind: 'update', view: noticeView(accountTitle(false), TOKEN_SET_BY_OPERATOR) };
    const parsed = parseMarketplaceToken(view.values.get(TOKEN_FIELD)?.text ?? '');
    if (parsed.kind === 'mistake')
      return { kind: 'errors', errors: { [TOKEN_FIELD]: tokenMistakeText(parsed.mistake) } };
    return {
      kind: 'update',
      view: checkingView(account.isConnected),
      after: async (call) => {
        await connect(call, account, parsed.token);
        await onDone(call);
      },
    };
  }
  return { id: viewIds.account, needs: 'admin', submit };
}

/** Answers with the result. */
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
