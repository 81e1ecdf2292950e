import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/audit/audit.ts';
import { auditLine } from '../../../src/slack/messages/audit-words.ts';
import { ANA, CHANNEL, NOW, TEAM } from '../samples.ts';

function lineOf(answer?: object, attempt = 1): string {
  const act = { kind: 'template', name: 'Calm <!channel>', organization: 7, attempt };
  const entry = AuditEntry.parse({ team: TEAM, at: NOW, number: 1, by: ANA, channel: CHANNEL, act, answer });
  return auditLine(entry, new Map()).replace(/^<!date[^>]*> · /u, '');
}

describe('a template in the audit log', () => {
  const asked = '<@U0ANA> asked for a new template “Calm &lt;!channel&gt;” with organization 7 as its sender';

  it.each([
    [undefined, ' → no answer yet'],
    [{ kind: 'created', template: 12 }, ' → created, template 12'],
    [{ kind: 'refused', code: 'bad-request', words: 'Validation failed' }, ' → refused: Validation failed'],
    [{ kind: 'refused', code: 'forbidden' }, ' → refused (forbidden)'],
    [{ kind: 'unknown', code: 'timeout' }, ' → no answer came (timeout)'],
  ])('with the answer %j says so', (answer, end) => {
    expect(lineOf(answer)).toBe(`${asked} in <#C0WEB>${end}`);
  });

  it('counts the attempts', () => {
    expect(lineOf(undefined, 3)).toBe(`${asked}, attempt 3 in <#C0WEB> → no answer yet`);
  });
});
