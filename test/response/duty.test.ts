import { expect, it } from 'vitest';
import { UserId } from '../../src/ids.ts';
import { chooseTarget, listStageTargets } from '../../src/response/stages.ts';

const ana = UserId.parse('U1');
const duty = { kind: 'person', user: ana } as const;
const lead = { kind: 'group', group: 'S1' } as const;

it('a nudge is for who is on duty, else for the lead', () => {
  expect(listStageTargets('nudge', { duty, lead })).toEqual([duty, lead]);
  expect(listStageTargets('nudge', { lead })).toEqual([lead]);
  expect(listStageTargets('lead', { duty, lead })).toEqual([lead]);
  expect(listStageTargets('warning', { duty, lead })).toEqual([]);
});

it('people and groups that are gone are skipped; with nobody left, nobody is mentioned', () => {
  const candidates = [duty, lead];
  expect(chooseTarget(candidates, new Set())).toEqual({ target: duty, skipped: [] });
  expect(chooseTarget(candidates, new Set([ana]))).toEqual({ target: lead, skipped: [duty] });
  expect(chooseTarget(candidates, new Set([ana, 'S1']))).toEqual({ skipped: candidates });
  expect(chooseTarget([], new Set())).toEqual({ skipped: [] });
});
