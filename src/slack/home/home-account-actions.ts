/** Home tab actions of the marketplace account. Its form redraws the tab, wherever it was opened. */
import { createAccountView, openAccountForm, removeAccount } from '../account/account.ts';
import type { ActionRoute } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { createHomeAction } from './create-home-action.ts';
import { publishHomeAfterPress } from './show-home.ts';

const ofWorkspace = { needs: 'admin', parseValue: (value: string) => value } as const;

export const homeAccountActions: readonly ActionRoute[] = [
  createHomeAction({
    ...ofWorkspace,
    id: actionIds.homeAccountConnect,
    async run(call) {
      await openAccountForm(call);
      return 'left';
    },
  }),
  createHomeAction({
    ...ofWorkspace,
    id: actionIds.homeAccountRemove,
    pendingLabel: '“Remove”',
    async run(call) {
      await removeAccount(call);
      return 'drawn';
    },
  }),
];

export const accountView = createAccountView(({ services, person }) =>
  publishHomeAfterPress(services, person.user, undefined),
);
