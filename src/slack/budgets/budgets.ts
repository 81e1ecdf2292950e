/** What other rooms use of budgets. */
export { setChannelBudget } from './budget-command.ts';
export { budgetModal, createBudgetView } from './budget-form.ts';
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
