/** What other rooms use of access. */
export { accessRequestedMessage } from './access-answers.ts';
