/** Posts each change of a job once, whether a response, a status check or a press revealed it. */
import type { Instant } from '../clock.ts';
import type { BidNews } from '../outbox/news.ts';
import type { Transaction } from '../storage/store.ts';
import { postBidNews } from './post-bid-news.ts';
import type { Job } from './records.ts';

/**
 * Posts news in a job's thread, in order, and counts them: the first is `job:<id>:1`.
 * @param job as it will be stored, except for the count
 * @returns the job with the new count; the caller stores it in the same transaction
 */
export async function postJobNews(
  tx: Transaction,
  job: Job,
  news: readonly BidNews[],
  at: Instant,
): Promise<Job> {
  let { told } = job;
  for (const [place, each] of news.entries()) {
    told++;
    // One millisecond apart: posts of the same moment are sent in the order of their ids, 10 before 9.
    await postBidNews(tx, job, `job:${job.id}:${told}`, each, at + place);
  }
  return told === job.told ? job : { ...job, told };
}
