/** One row of the coverage table, tried on a fresh stage. */
import type { ModalView } from '@slack/web-api';
import { expect } from 'vitest';
import { refusalOf, type Stage } from '../app.ts';

export type Exercise = (stage: Stage) => Promise<unknown>;

/** A trigger of ada's, from a command without a listener. */
export async function triggerFor({ slack }: Stage): Promise<string> {
  const answer = await slack.runSlashCommand({ user: 'U1', channel: 'C1', text: 'x' });
  return answer.triggerId;
}

export async function responseUrlFor({ slack }: Stage): Promise<string> {
  const answer = await slack.runSlashCommand({ user: 'U1', channel: 'C1', text: 'x' });
  return answer.responseUrl ?? '';
}

/** An exercise that ends in this error code. */
export function refused(code: string, call: (stage: Stage) => Promise<unknown>): Exercise {
  return async (stage) => expect(await refusalOf(call(stage))).toBe(code);
}

export function postRaw(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  return globalThis.fetch(url, { method: 'POST', headers, body });
}

export function postJson(url: string, body: unknown): Promise<Response> {
  return postRaw(url, JSON.stringify(body), { 'content-type': 'application/json' });
}

export const plain = (text: string) => ({ type: 'plain_text' as const, text });
export const section = (text: string) => ({ type: 'section' as const, text: plain(text) });
export const modal = (extra: Partial<ModalView> = {}): ModalView => ({
  type: 'modal',
  title: plain('Modal'),
  blocks: [section('Hello')],
  ...extra,
});

/** A message in C1. Returns its ts. */
export async function posted({ client }: Stage, extra: object = {}): Promise<string> {
  const answer = await client.chat.postMessage({ channel: 'C1', text: 'A message', ...extra });
  return answer.ts ?? '';
}

/** A view open for ada. */
export async function opened(stage: Stage, extra: Partial<ModalView> = {}) {
  const { view } = await stage.client.views.open({ trigger_id: await triggerFor(stage), view: modal(extra) });
  return view;
}
