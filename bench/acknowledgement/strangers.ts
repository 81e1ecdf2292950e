/** Requests from outside Slack, which every public server has to reject. */
import type { SignedRequest } from './interactions.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const command = `command=%2Fgig&text=list&${'x'.repeat(900)}`;

export const STRANGERS = [
  'no signature, 1 kB',
  'invalid signature, 1 kB',
  'timestamp 1 hour ahead, 1 kB',
  'invalid signature, 100 kB of nested lists',
  'invalid signature, 1.5 MB',
] as const;
export type Stranger = (typeof STRANGERS)[number];

export function makeStranger(stranger: Stranger, nowMs: number): SignedRequest {
  const at = Math.floor(nowMs / 1_000);
  const dated = (seconds: number) => ({
    ...form,
    'x-slack-request-timestamp': String(seconds),
    'x-slack-signature': `v0=${'0'.repeat(64)}`,
  });
  switch (stranger) {
    case 'no signature, 1 kB':
      return { headers: form, body: command };
    case 'invalid signature, 1 kB':
      return { headers: dated(at), body: command };
    case 'timestamp 1 hour ahead, 1 kB':
      return { headers: dated(at + 3_600), body: command };
    case 'invalid signature, 100 kB of nested lists':
      return { headers: dated(at), body: `payload=${'['.repeat(50_000)}${']'.repeat(50_000)}` };
    case 'invalid signature, 1.5 MB':
      return { headers: dated(at), body: 'x'.repeat(1_500_000) };
  }
}
