/** What other rooms use of budgets. */
export { BUDGET_INPUT_ERROR, parseBudgetLimit, setChannelBudget } from './budget-command.ts';
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
