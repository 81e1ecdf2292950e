/**
 * The `state` that goes to Slack with a person who installs, and comes back: signed, and valid for 10
 * minutes. Every replica can check it, and nothing is stored until it comes back. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Instant, MINUTE } from '../clock.ts';
import type { Secret } from '../secret.ts';

export const STATE_LIVES_MS = 10 * MINUTE;

export type CheckedState =
  | { readonly kind: 'valid'; readonly id: string; readonly expiresAt: Instant }
  | { readonly kind: 'expired' | 'forged' };

/**
 * @param id letters, digits, `_` and `-`; never given twice
 * @param clientSecret the app's, which all replicas have; the key is derived from it
 */
export function signState(id: string, now: Instant, clientSecret: Secret): string {
  const content = `${id}.${now + STATE_LIVES_MS}`;
  return `${content}.${signatureOf(content, clientSecret).toString('base64url')}`;
}

export function checkState(state: string, now: Instant, clientSecret: Secret): CheckedState {
  const [, content = '', id = '', expiry, signature = ''] =
    /^(([\w-]{1,64})\.(\d{1,15}))\.([\w-]{43})$/u.exec(state) ?? [];
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(content, clientSecret);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return { kind: 'forged' };
  const expiresAt = Number(expiry);
  return now < expiresAt ? { kind: 'valid', id, expiresAt } : { kind: 'expired' };
}

function signatureOf(content: string, clientSecret: Secret): Buffer {
  const key = createHmac('sha256', clientSecret.reveal()).update('gigdesk install state').digest();
  return createHmac('sha256', key).update(content).digest();
}
