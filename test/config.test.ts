import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';

const whole = {
  SLACK_BOT_TOKEN: 'xoxb-111-abc',
  SLACK_APP_TOKEN: 'xapp-1-abc',
  MARKETPLACE_API_URL: 'https://api.example.com/v1/',
  MARKETPLACE_API_TOKEN: 'market-secret',
};

function problemsOf(env: Record<string, string>): readonly string[] {
  const read = readConfig(env);
  return read.kind === 'problems' ? read.problems : [];
}

describe('the configuration', () => {
  it('needs four values and has a default for the rest', () => {
    const read = readConfig(whole);
    expect(read).toMatchObject({
      kind: 'config',
      config: {
        slack: { receive: { mode: 'socket' } },
        marketplace: { baseUrl: 'https://api.example.com/v1', requestsPerMinute: 'auto' },
        defaultChannelBudget: 500,
        dataDir: './data',
        http: { host: '127.0.0.1', port: 3000 },
        logLevel: 'info',
        timezone: 'UTC',
      },
    });
  });

  it('names every problem at once, without repeating a value', () => {
    const problems = problemsOf({
      SLACK_BOT_TOKEN: 'wrong-secret-value',
      MARKETPLACE_API_URL: 'http://api.example.com/v1',
      MARKETPLACE_REQUESTS_PER_MINUTE: 'lots',
      DEFAULT_CHANNEL_BUDGET: '-5',
      ADMIN_USER_IDS: 'ada,grace',
      PORT: '99999',
      LOG_LEVEL: 'loud',
      TZ_DEFAULT: 'Mars/Olympus',
    });
    const named = problems.map((problem) => problem.split(' ')[0]);
    expect(new Set(named)).toEqual(
      new Set([
        'SLACK_BOT_TOKEN',
        'SLACK_APP_TOKEN',
        'MARKETPLACE_API_URL',
        'MARKETPLACE_API_TOKEN',
        'MARKETPLACE_REQUESTS_PER_MINUTE',
        'DEFAULT_CHANNEL_BUDGET',
        'ADMIN_USER_IDS',
        'PORT',
        'LOG_LEVEL',
        'TZ_DEFAULT',
      ]),
    );
    expect(problems.join('\n')).not.toContain('wrong-secret-value');
    expect(problems).toMatchSnapshot();
  });

  it('takes HTTP mode when only the signing secret is there', () => {
    const { SLACK_APP_TOKEN: _, ...rest } = whole;
    const read = readConfig({ ...rest, SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef' });
    expect(read).toMatchObject({ kind: 'config', config: { slack: { receive: { mode: 'http' } } } });
  });

  it('counts empty values as absent', () => {
    expect(problemsOf({ ...whole, SLACK_BOT_TOKEN: '  ' })[0]).toBe(
      problemsOf({ ...whole, SLACK_BOT_TOKEN: '' })[0],
    );
    expect(problemsOf({ ...whole, PORT: '' })).toEqual([]);
  });

  it('allows plain http for this machine alone', () => {
    expect(problemsOf({ ...whole, MARKETPLACE_API_URL: 'http://127.0.0.1:4000/v1' })).toEqual([]);
    expect(problemsOf({ ...whole, SLACK_API_URL: 'http://slack.example.com/api/' })).toHaveLength(1);
  });

  it('hides its secrets from print, JSON and inspection', () => {
    const read = readConfig({ ...whole, SLACK_SIGNING_SECRET: 'signing-secret-signing-secret' });
    const shown = `${inspect(read, { depth: 9, showHidden: true })}${JSON.stringify(read)}`;
    for (const secret of ['xoxb-111-abc', 'xapp-1-abc', 'market-secret']) expect(shown).not.toContain(secret);
  });
});
