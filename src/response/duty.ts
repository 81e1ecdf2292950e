/** Who a stage mentions: the person or group on duty, else the lead, else nobody. Pure. */
import type { ResponsePlan, ResponseTarget } from './records.ts';
import type { StageName } from './stages.ts';

/** The stable name of a target. */
export function targetId(target: ResponseTarget): string {
  return target.kind === 'person' ? target.user : target.group;
}

/**
 * The candidates in order: the first that is available is mentioned. A nudge has everyone in the settings.
 */
export function listStageTargets(
  stage: StageName,
  { duty, lead }: Pick<ResponsePlan, 'duty' | 'lead'>,
): readonly ResponseTarget[] {
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
