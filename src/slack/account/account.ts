/** What other rooms use of the marketplace account. */
export {
  createAccountView,
  isAccountMissing,
  openAccountForm,
  removeAccount,
} from './account-change.ts';
export { connectBlocks, connectButton, connectedBlocks, notConnectedMessage } from './account-texts.ts';
