/**
 * The stages of a card or an invitation that waits for the team: the one table, which is due, and who is
 * mentioned. Each stage happens at most once for a card, or once for each claim. Pure.
 */
import { DAY, type Instant, MINUTE } from '../clock.ts';
import type { ResponseClock, ResponsePlan, ResponseTarget } from './records.ts';
import { addWorkingTime, isWorkingTime, type WorkingHours } from './working-time.ts';

export const STAGE_NAMES = ['nudge', 'lead', 'warning', 'expiry'] as const;
export type StageName = (typeof STAGE_NAMES)[number];

export const FREE = 'free';
type StageMinutes = Pick<ResponsePlan, 'nudgeAfter' | 'leadAfter' | 'claimExpiry'>;

interface Stage {
  readonly name: StageName;
  readonly of: 'unclaimed' | 'claimed';
  /** Minutes of working time since the card became free, or since the claim; undefined: it never happens. */
  readonly after: (plan: StageMinutes) => number | undefined;
}

/** A warning leaves this much time to extend the claim, or half of a shorter claim. */
const WARNED_BEFORE = 10;

/** In order: a later stage of the same kind makes the earlier ones pointless. */
const STAGES: readonly Stage[] = [
  { name: 'nudge', of: 'unclaimed', after: (plan) => plan.nudgeAfter },
  { name: 'lead', of: 'unclaimed', after: (plan) => plan.nudgeAfter + plan.leadAfter },
  {
    name: 'warning',
    of: 'claimed',
    after: ({ claimExpiry }) =>
      claimExpiry > 0 ? claimExpiry - Math.min(WARNED_BEFORE, Math.floor(claimExpiry / 2)) : undefined,
  },
  { name: 'expiry', of: 'claimed', after: ({ claimExpiry }) => claimExpiry || undefined },
];

/** After such a downtime, nobody needs to hear of an unclaimed card. An expired claim is released anyway. */
const TOO_LATE_MS = DAY;

export type StageState = Pick<ResponseClock, 'phase' | 'since' | 'extended' | 'snoozedUntil' | 'sent'>;

type StageDecision =
  /** `keys`: of this stage and of the earlier ones that it replaces. Store them with its message. */
  | { readonly kind: 'due'; readonly stage: StageName; readonly keys: readonly string[] }
  /** Too late for a message. */
  | { readonly kind: 'pass'; readonly keys: readonly string[] }
  | { readonly kind: 'wait'; readonly until: Instant }
  | { readonly kind: 'done' };

/** A stage of an unclaimed card happens once; one of a claim happens once for each claim and extension. */
export function stageKey(name: StageName, { phase, extended }: StageState): string {
  return phase === FREE ? name : `${name}:${phase}:${extended}`;
}

export function isKeyOfPhase(key: string, { phase, extended }: StageState): boolean {
  return key.endsWith(`:${phase}:${extended}`);
}

/** When a stage of the current phase is due; always within working hours. */
function stageDueAt(stage: Stage, state: StageState, plan: StageMinutes, work: WorkingHours) {
  const minutes = stage.after(plan);
  if (minutes === undefined) return undefined;
  const due = addWorkingTime(state.since, minutes * MINUTE, work);
  return stage.of === 'unclaimed' ? Math.max(due, state.snoozedUntil ?? due) : due;
}

/** The latest stage that is due, and never one that comes before a stage that was sent. */
export function decideStage(
  state: StageState,
  plan: StageMinutes,
  work: WorkingHours,
  now: Instant,
): StageDecision {
  const own = STAGES.filter((stage) => (stage.of === 'unclaimed') === (state.phase === FREE));
  const lastSent = own.findLastIndex(({ name }) => state.sent.includes(stageKey(name, state)));
  const open = own.slice(lastSent + 1).flatMap((stage) => {
    const at = stageDueAt(stage, state, plan, work);
    return at === undefined ? [] : [{ name: stage.name, at }];
  });
  const due = open.filter(({ at }) => at <= now);
  const latest = due.at(-1);
  if (!latest) {
    const next = open[0];
    return next ? { kind: 'wait', until: next.at } : { kind: 'done' };
  }
  if (!isWorkingTime(now, work)) return { kind: 'wait', until: addWorkingTime(now, 0, work) };
  const keys = due.map(({ name }) => stageKey(name, state));
  if (state.phase === FREE && latest.at < now - TOO_LATE_MS) return { kind: 'pass', keys };
  return { kind: 'due', stage: latest.name, keys };
}

/** When the claim that began (or was extended) at `since` expires; undefined: never. */
export function findClaimExpiry(since: Instant, { claimExpiry }: StageMinutes, work: WorkingHours) {
  return claimExpiry > 0 ? addWorkingTime(since, claimExpiry * MINUTE, work) : undefined;
}

/** A card that comes this much later than its project was deferred: its clock begins with the card. */
const PROMPT_MS = 5 * MINUTE;

/**
 * When the clock of a new card begins: with the project's publication, or with the card if that came late
 * (after a pause, quiet hours or a downtime).
 */
export function findClockStart(publishedAt: Instant | undefined, postedAt: Instant): Instant {
  if (publishedAt === undefined || publishedAt > postedAt) return postedAt;
  return postedAt - publishedAt <= PROMPT_MS ? publishedAt : postedAt;
}

/** The stable name of a target. */
export function targetId(target: ResponseTarget): string {
  return target.kind === 'person' ? target.user : target.group;
}

/** In order: the first that is available is mentioned. A nudge has everyone in the settings. */
export function listStageTargets(stage: StageName, { duty, lead }: Pick<ResponsePlan, 'duty' | 'lead'>) {
  const candidates = stage === 'nudge' ? [duty, lead] : stage === 'lead' ? [lead] : [];
  return candidates.filter((each) => each !== undefined);
}

/**
 * @param unavailable IDs of people and groups that are gone
 * @returns the first that is available, if any; `skipped`: those before it
 */
export function chooseTarget(candidates: readonly ResponseTarget[], unavailable: ReadonlySet<string>) {
  const at = candidates.findIndex((each) => !unavailable.has(targetId(each)));
  const target = candidates[at];
  return target ? { target, skipped: candidates.slice(0, at) } : { skipped: candidates };
}
