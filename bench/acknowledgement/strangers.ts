/** Requests that are not Slack's, which a server on the internet has to refuse all day. */
import type { SignedRequest } from './interactions.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const command = `command=%2Fgig&text=list&${'x'.repeat(900)}`;

export const STRANGERS = [
  'not signed, 1 kB',
  'wrongly signed, 1 kB',
  'dated an hour ahead, 1 kB',
  'wrongly signed, 100 kB of lists in lists',
  'wrongly signed, 1.5 MB',
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
    case 'not signed, 1 kB':
      return { headers: form, body: command };
    case 'wrongly signed, 1 kB':
      return { headers: dated(at), body: command };
    case 'dated an hour ahead, 1 kB':
      return { headers: dated(at + 3_600), body: command };
    case 'wrongly signed, 100 kB of lists in lists':
      return { headers: dated(at), body: `payload=${'['.repeat(50_000)}${']'.repeat(50_000)}` };
    case 'wrongly signed, 1.5 MB':
      return { headers: dated(at), body: 'x'.repeat(1_500_000) };
  }
}
