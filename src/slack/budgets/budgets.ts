/** What other rooms use of budgets. */
export { budgetModal, createBudgetView, setChannelBudget } from './budget-command.ts';
export {
  accountCreditsText,
  BUDGET_TOO_LOW,
  budgetUsageText,
  channelBudgetLine,
  creditsRenewalText,
  isBudgetTooLow,
  sharedBudgetLine,
  sharedBudgetText,
} from './budget-messages.ts';
