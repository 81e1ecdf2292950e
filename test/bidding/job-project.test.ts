import { describe, expect, it } from 'vitest';
import { correctJobProject, isJobForBidProject, isJobForOtherProject } from '../../src/bidding/decide-job.ts';
import { BidId, ProjectKey } from '../../src/ids.ts';
import { plainJob } from './plain-records.ts';

function told(project: string | undefined, marketplaceJobId?: string, bid?: string) {
  const job = plainJob(5, {
    ...(bid === undefined ? {} : { bid: BidId.parse(bid) }),
    ...(project === undefined ? {} : { project: ProjectKey.parse(project) }),
    ...(marketplaceJobId === undefined ? {} : { marketplaceJobId }),
  });
  const { project: is, title } = correctJobProject(job);
  return [is, title];
}

const TITLE = 'Rebuild our checkout';

describe('the project of a job', () => {
  it('is another when the marketplace names another, and its title is not ours to know', () => {
    expect(told('~1', '~2')).toEqual(['~2', undefined]);
  });

  it.each([
    ['~1', '~1'],
    ['~1', undefined],
    // It may be the same project's uid, or that of a link without an id.
    ['~1', '2'],
    ['~1', 'abc'],
    ['uid:7', '~2'],
    ['url:shop.example/a', '~2'],
  ])('%s stays where the marketplace names %s', (project, named) => {
    expect(told(project, named, '7:1')).toEqual([project, TITLE]);
  });

  it('is what the marketplace names where a refusal named the job', () => {
    expect(told(undefined, '~2')).toEqual(['~2', TITLE]);
    expect(told(undefined, '2')).toEqual([undefined, TITLE]);
  });

  it('is unknown where a job that no bid of ours became is named by what may be a uid of any project', () => {
    expect(told('~1', '2')).toEqual([undefined, undefined]);
    expect(told('~1', '1')).toEqual(['~1', TITLE]);
  });

  it('is elsewhere only where it is known', () => {
    const [one, two] = [ProjectKey.parse('~1'), ProjectKey.parse('~2')];
    expect(isJobForOtherProject({ project: one }, { project: two })).toBe(true);
    expect(isJobForOtherProject({ project: one }, { project: one })).toBe(false);
    expect(isJobForOtherProject({ project: one }, {})).toBe(false);
    expect(isJobForOtherProject({ project: one }, undefined)).toBe(false);
    expect(isJobForBidProject({ project: one }, { project: one })).toBe(true);
    expect(isJobForBidProject({ project: one }, {})).toBe(false);
  });
});
