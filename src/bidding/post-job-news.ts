/** Telling what became of a job, each change once, whoever learned it: an answer, a reading, a press. */
import type { Instant } from '../clock.ts';
import type { BidNews } from '../outbox/bid-news.ts';
import type { Transaction } from '../storage/store.ts';
import { postBidNews } from './post-bid-news.ts';
import type { Job } from './records.ts';

/**
 * Puts news into the thread of a job, in their order, and counts them: the first is `job:<id>:1`.
 * @param job as it is to be stored, but for the count
 * @returns the job with what was told counted; the caller stores it in the same transaction
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
    // A millisecond apart: posts of one moment would be sent in the order of their ids, 10 before 9.
    await postBidNews(tx, job, `job:${job.id}:${told}`, each, at + place);
  }
  return told === job.told ? job : { ...job, told };
}
