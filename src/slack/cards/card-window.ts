/**
 * Windows about one card: skip, mute, assign, share, details. Our record of a window names its card and
 * channel; nothing in the window itself is trusted.
 */
import { z } from 'zod';
import { isRecent, MINUTE } from '../../clock.ts';
import { ProjectKey } from '../../ids.ts';
import { createPersonalWindows, personalWindowShape } from '../core/personal-records.ts';
import type { ActionCall, ViewRoute, ViewSubmissionCall, ViewValues } from '../core/routes.ts';
import { findVisibilityRefusal } from '../core/user-channels.ts';
import { noticeView } from '../kit/block-builders.ts';

const CardWindow = z.object({ ...personalWindowShape, project: ProjectKey });
export type CardWindow = z.infer<typeof CardWindow>;

export const cardWindows = createPersonalWindows('card-windows', CardWindow);

export function readWindowCard({ services }: Pick<ActionCall, 'services'>, window: CardWindow) {
  const { store, feed } = services;
  return store.read((tx) => feed.readCardData(tx, window.channel, window.project));
}

/** A person who opened a window in a channel shortly before is still there. */
const TRUSTED_MS = 15 * MINUTE;

/** Why the person may no longer act in the window's channel, as safe mrkdwn; undefined: they may. */
export async function findWindowRefusal(
  { services, person }: Pick<ActionCall, 'services' | 'person'>,
  { at, channel }: Pick<CardWindow, 'at' | 'channel'>,
): Promise<string | undefined> {
  if (isRecent(at, TRUSTED_MS, services.clock.now())) return undefined;
  return findVisibilityRefusal({ services, person }, channel);
}

export const WINDOW_OUTDATED = 'This window is out of date, so nothing changed. Open it again from the card.';

/** What a submission means: mistakes by field, or the work after the acknowledgement. */
export type WindowDecision =
  | { readonly errors: Readonly<Record<string, string>> }
  | { readonly run: (call: ViewSubmissionCall, window: CardWindow) => Promise<void> };

/** A window's route. `decide` sees only what was typed; `run` follows if the person still may. */
export function cardWindowRoute(
  id: string,
  title: string,
  decide: (values: ViewValues) => WindowDecision,
): ViewRoute {
  return {
    id,
    needs: 'viewer',
    async submit(submitted) {
      const window = await cardWindows.find(submitted);
      if (!window) return { kind: 'update', view: noticeView(title, WINDOW_OUTDATED) };
      const decision = decide(submitted.view.values);
      if ('errors' in decision) return { kind: 'errors', errors: decision.errors };
      return {
        kind: 'close',
        channel: window.channel,
        after: async (call) => {
          const refusal = await findWindowRefusal(call, window);
          if (refusal !== undefined) return call.answer({ text: refusal });
          await decision.run(call, window);
        },
      };
    },
  };
}
