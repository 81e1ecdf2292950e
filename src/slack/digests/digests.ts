/** What other rooms use of digests. */
export { digestCommand } from './digest-command.ts';
