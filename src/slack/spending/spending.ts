/** What other rooms use of the rules for spending. */
export { connectsCapNearText } from './spending-text.ts';
