/** Who a stage mentions: the person or group on duty, else the lead, else nobody. Pure. */
import type { Duty, Lead, ResponsePlan, ResponseTarget } from './records.ts';
import type { StageName } from './stages.ts';

function asTargets(duty: Duty | Lead, weekday: number): readonly ResponseTarget[] {
  switch (duty.kind) {
    case 'nobody':
      return [];
    case 'person':
    case 'group':
      return [duty];
    case 'rota': {
      const user = duty.days[weekday - 1];
      return user ? [{ kind: 'person', user }] : [];
    }
  }
}

/** The stable name of a target. */
export function targetId(target: ResponseTarget): string {
  return target.kind === 'person' ? target.user : target.group;
}

/** The candidates in order: the first that is available is mentioned. @param weekday 1 is Monday */
export function listStageTargets(
  stage: StageName,
  { duty, lead }: Pick<ResponsePlan, 'duty' | 'lead'>,
  weekday: number,
): readonly ResponseTarget[] {
  const leads = asTargets(lead, weekday);
  if (stage === 'nudge') return [...asTargets(duty, weekday), ...leads];
  return stage === 'lead' ? leads : [];
}

export interface ChosenTarget {
  readonly target?: ResponseTarget;
  /** Candidates before it that aren't available. */
  readonly skipped: readonly ResponseTarget[];
}

/** @param unavailable IDs of people and groups that are gone */
export function chooseTarget(
  candidates: readonly ResponseTarget[],
  unavailable: ReadonlySet<string>,
): ChosenTarget {
  const at = candidates.findIndex((each) => !unavailable.has(targetId(each)));
  const target = candidates[at];
  return target ? { target, skipped: candidates.slice(0, at) } : { skipped: candidates };
}

/** All people and groups in the settings, each once. */
export function listNamedTargets({ duty, lead }: Pick<ResponsePlan, 'duty' | 'lead'>): ResponseTarget[] {
  const every = Array.from({ length: 7 }, (_, day) => asTargets(duty, day + 1)).flat();
  const all = new Map([...every, ...asTargets(lead, 1)].map((each) => [targetId(each), each]));
  return [...all.values()];
}
