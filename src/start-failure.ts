/** Explains a failed start in one sentence for the terminal. Pure. */
import { GigdeskError } from './errors.ts';
import { SlackCallError } from './slack/core/errors.ts';

const DOCTOR = 'Run `npm run doctor` for details.';

const ADDRESS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use. Set PORT to a different port, or stop the other program',
  EACCES: "this user isn't allowed to use that port. Set PORT to a number above 1023",
  EADDRNOTAVAIL: "this machine doesn't have that address. Set HOST to one of its addresses",
};

export function startFailureText(error: Error): string {
  if (error instanceof SlackCallError)
    return `Slack rejected a token (${error.code}). Check SLACK_BOT_TOKEN and SLACK_APP_TOKEN. ${DOCTOR}`;
  const code = 'code' in error ? String(error.code) : '';
  const address = ADDRESS[code];
  if (address) return `${address}.`;
  if (error instanceof GigdeskError) return error.message;
  return `${error.message}. ${DOCTOR}`;
}
