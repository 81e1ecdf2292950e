import { describe, expect, it } from 'vitest';
import { SlackCallError } from '../src/slack/errors.ts';
import { explainStart } from '../src/start-failure.ts';
import { StorageError } from '../src/storage/store.ts';

describe('a start that fails says what to do', () => {
  it.each([
    [new SlackCallError('invalid_auth', 'refused'), /refuses a token \(invalid_auth\).*SLACK_BOT_TOKEN/],
    [Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' }), /set PORT to another one/],
    [Object.assign(new Error('listen EACCES'), { code: 'EACCES' }), /set PORT to one above 1023/],
    [Object.assign(new Error('listen EADDRNOTAVAIL'), { code: 'EADDRNOTAVAIL' }), /set HOST/],
    [new StorageError('locked', 'The folder is in use by process 7'), /in use by process 7/],
    [new Error('something odd'), /something odd.*npm run doctor/],
  ])('%s', (error, sentence) => {
    expect(explainStart(error)).toMatch(sentence);
  });
});
