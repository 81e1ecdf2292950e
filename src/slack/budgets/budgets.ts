/** What other rooms use of budgets. */
export { parseBudgetLimit, setChannelBudget } from './budget-command.ts';
export {
  accountCreditsText,
  BUDGET_TOO_LOW,
  channelBudgetLine,
  creditsRenewalText,
  isBudgetTooLow,
  sharedBudgetLine,
  sharedBudgetText,
} from './budget-messages.ts';
