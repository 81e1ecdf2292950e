import { describe, expect, it } from 'vitest';
import { startFailureText } from '../src/app/run-app.ts';
import { SlackCallError } from '../src/slack/core/errors.ts';
import { StorageError } from '../src/storage/store.ts';

describe('a start that fails says what to do', () => {
  it.each([
    [new SlackCallError('invalid_auth', 'refused'), /\(invalid_auth\).*SLACK_BOT_TOKEN/],
    [Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' }), /\bPORT\b/],
    [Object.assign(new Error('listen EACCES'), { code: 'EACCES' }), /\bPORT\b.*\b1023\b/],
    [Object.assign(new Error('listen EADDRNOTAVAIL'), { code: 'EADDRNOTAVAIL' }), /\bHOST\b/],
    [new StorageError('locked', 'The folder is in use by process 7'), /^The folder is in use by process 7$/],
    [new Error('something odd'), /something odd.*npm run doctor/],
  ])('%s', (error, fact) => {
    expect(startFailureText(error)).toMatch(fact);
    expect(startFailureText(error)).toMatchSnapshot();
  });
});
