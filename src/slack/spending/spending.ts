/** What other rooms use of the rules for spending. */
export { connectsCapNearText, spendingRulesText } from './spending-text.ts';
