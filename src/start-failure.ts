/** Why a start failed, in a sentence for whoever started it. Pure. */
import { GigdeskError } from './errors.ts';
import { SlackCallError } from './slack/errors.ts';

const DOCTOR = '`npm run doctor` tells more.';

const ADDRESS: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'something else listens on that port already: set PORT to another one, or stop what listens there',
  EACCES: 'this user may not listen on that port: set PORT to one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address: set HOST to one that it has',
};

export function explainStart(error: Error): string {
  if (error instanceof SlackCallError)
    return `Slack refuses a token (${error.code}): check SLACK_BOT_TOKEN and SLACK_APP_TOKEN. ${DOCTOR}`;
  const code = 'code' in error ? String(error.code) : '';
  const address = ADDRESS[code];
  if (address) return `${address}.`;
  if (error instanceof GigdeskError) return error.message;
  return `${error.message}. ${DOCTOR}`;
}
