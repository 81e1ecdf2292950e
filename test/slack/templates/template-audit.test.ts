import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/audit/audit.ts';
import { auditText } from '../../../src/slack/audit/audit-words.ts';
import { ANA, CHANNEL, NOW, TEAM } from '../samples.ts';

function lineOf(answer?: object, attempt = 1): string {
  const act = { kind: 'template', name: 'Calm <!channel>', organization: 7, attempt };
  const entry = AuditEntry.parse({ team: TEAM, at: NOW, number: 1, by: ANA, channel: CHANNEL, act, answer });
  return auditText(entry, new Map());
}

describe('a template in the audit log', () => {
  it.each([
    ['no answer', undefined, []],
    ['created', { kind: 'created', template: 12 }, ['12']],
    ['refused', { kind: 'refused', code: 'bad-request', words: 'Validation failed' }, ['Validation failed']],
    ['refused without words', { kind: 'refused', code: 'forbidden' }, ['(forbidden)']],
    ['unknown', { kind: 'unknown', code: 'timeout' }, ['(timeout)']],
  ])('with the answer “%s” says so', (_, answer, facts) => {
    const text = lineOf(answer);
    expect(text).toMatch(/“Calm &lt;!channel&gt;”.* 7 .* → /u);
    for (const fact of facts) expect(text).toContain(fact);
    expect(text).toMatchSnapshot();
  });

  it('counts the attempts', () => {
    expect(lineOf(undefined, 3)).toMatch(/, attempt 3 /u);
    expect(lineOf(undefined, 3)).toMatchSnapshot();
  });
});
