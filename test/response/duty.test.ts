import { expect, it } from 'vitest';
import { UserId } from '../../src/ids.ts';
import { chooseTarget, listNamedTargets, listStageTargets } from '../../src/response/duty.ts';
import type { ResponsePlan } from '../../src/response/response.ts';

const [ana, ben] = [UserId.parse('U1'), UserId.parse('U2')];
const plan: Pick<ResponsePlan, 'duty' | 'lead'> = {
  duty: { kind: 'rota', days: [ana, null, ben, null, null, null, null] },
  lead: { kind: 'group', group: 'S1' },
};
const lead = { kind: 'group', group: 'S1' } as const;

it('a nudge is for the person of the day, else for the lead', () => {
  expect(listStageTargets('nudge', plan, 1)).toEqual([{ kind: 'person', user: ana }, lead]);
  expect(listStageTargets('nudge', plan, 2)).toEqual([lead]);
  expect(listStageTargets('lead', plan, 1)).toEqual([lead]);
  expect(listStageTargets('warning', plan, 1)).toEqual([]);
  expect(listNamedTargets(plan)).toHaveLength(3);
});

it('people and groups that are gone are skipped; with nobody left, nobody is mentioned', () => {
  const candidates = listStageTargets('nudge', plan, 3);
  expect(chooseTarget(candidates, new Set())).toEqual({ target: { kind: 'person', user: ben }, skipped: [] });
  expect(chooseTarget(candidates, new Set([ben]))).toEqual({ target: lead, skipped: [candidates[0]] });
  expect(chooseTarget(candidates, new Set([ben, 'S1']))).toEqual({ skipped: candidates });
  expect(chooseTarget([], new Set())).toEqual({ skipped: [] });
});
