/** Validates the page's requests: a known kind, and a size that a person could have typed. */
import { z } from 'zod';
import type { MarketAction, PageAction } from './protocol.ts';

/** Longer than any text that Slack accepts. */
const text = z.string().max(40_000);
const name = z.string().min(1).max(300);
const list = z.array(z.string().max(3_000)).max(200);

const FilledIn = z
  .record(name, z.union([text, z.number(), z.null(), list]))
  .refine((filled) => Object.keys(filled).length <= 200);

const ActOn = z.union([
  z.object({ channel: name, ts: name, unfurl: z.string().max(3_000).optional() }),
  z.object({ view: name }),
]);

const as = name;
const element = { as, on: ActOn, actionId: name, blockId: name };

const ReadPageAct = z.discriminatedUnion('kind', [
  z.object({ as, kind: z.literal('command'), channel: name, text }),
  z.object({ as, kind: z.literal('say'), channel: name, text: text.min(1), thread: name.optional() }),
  z.object({ ...element, kind: z.literal('press'), values: FilledIn.optional() }),
  z.object({
    ...element,
    kind: z.literal('choose'),
    option: z.union([text, z.number(), z.null(), list]),
    values: FilledIn.optional(),
  }),
  z.object({ ...element, kind: z.literal('suggest'), query: z.string().max(1_000) }),
  z.object({ as, kind: z.literal('upload'), name, data: z.base64() }),
  z.object({ as, kind: z.literal('submit'), view: name, values: FilledIn }),
  z.object({ as, kind: z.literal('close'), all: z.boolean().optional() }),
  z.object({ as, kind: z.literal('shortcut'), callbackId: name, channel: name, ts: name }),
  z.object({ as, kind: z.literal('open-home') }),
]);

/** At most a day at once; the person can press again. */
const MOST_MINUTES = 24 * 60;

const ReadMarketAct = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('fault'),
    what: z.enum(['429', '500', 'drop', 'slow', 'lose-effect', 'off']),
  }),
  z.object({ kind: z.literal('credits'), remaining: z.int().min(0).max(1_000_000) }),
  z.object({ kind: z.literal('refill') }),
  z.object({ kind: z.literal('hurry') }),
  z.object({ kind: z.literal('publish') }),
  z.object({ kind: z.literal('publish-hinted') }),
  z.object({ kind: z.literal('publish-strange') }),
  z.object({ kind: z.literal('invite') }),
  z.object({ kind: z.literal('outcome') }),
  z.object({ kind: z.literal('run-jobs') }),
  z.object({ kind: z.literal('pass'), minutes: z.int().min(1).max(MOST_MINUTES) }),
]);

/** zod's optional fields may be undefined; those from JSON never are. */
function without<T>(value: unknown): T {
  return value as T;
}

/** undefined: not an action of the page. */
export function parsePageAction(body: unknown): PageAction | undefined {
  const read = ReadPageAct.safeParse(body);
  return read.success ? without<PageAction>(read.data) : undefined;
}

export function parseMarketAction(body: unknown): MarketAction | undefined {
  const read = ReadMarketAct.safeParse(body);
  return read.success ? without<MarketAction>(read.data) : undefined;
}
