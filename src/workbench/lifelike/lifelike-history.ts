/** Makes up what a client has hired for before; the sums stay within what the client has spent. */
import { DAY, type Instant, type RandomSource } from '../../clock.ts';
import { FEEDBACK_TO_CLIENT, FEEDBACK_TO_FREELANCER } from '../marketplace/content/letters.ts';
import { FIRST_NAMES, LAST_NAMES } from '../marketplace/content/people.ts';
import { ciphertextForUid, makeProjectUid, projectUrl } from '../marketplace/make-project.ts';
import { pickRandom, pickRandomSubset, randomBoolean, randomInteger } from '../marketplace/random-draws.ts';
import type { SimulatedClient, SimulatedWorkHistory } from '../marketplace/records.ts';
import type { ProjectBrief } from './brief.ts';
import type { Business } from './businesses.ts';
import { fillInBusiness } from './lifelike-texts.ts';

const MOST_ENTRIES = 4;
/** History's uids are far away from those of projects. */
const FIRST_NUMBER = 50_000_000;

function scoreNear(random: RandomSource, rating: number): number {
  return Math.min(5, Math.max(1, Math.round((rating + random() - 0.5) * 10) / 10));
}

/** Finished jobs, newest first. @param number makes their uids unique */
export function makeLifelikeHistory(
  random: RandomSource,
  number: number,
  now: Instant,
  {
    client,
    business,
    briefs,
  }: {
    readonly client: SimulatedClient;
    readonly business: Business;
    /** What the business could have posted. */
    readonly briefs: readonly ProjectBrief[];
  },
): SimulatedWorkHistory[] {
  const finished = client.totalHires - client.jobsActive;
  const count = Math.min(finished, client.reviews, MOST_ENTRIES, randomInteger(random, 1, MOST_ENTRIES));
  const daysThere = Math.floor((now - client.registeredAt) / DAY);
  const paidByTheHour = client.totalHoursPaid * client.avgHourlyRatePaid;
  const fixedShare = (client.totalSpent - paidByTheHour) / Math.max(1, client.totalHires);
  const spacing = Math.floor(Math.max(8, daysThere - 20) / (count + 1));
  return pickRandomSubset(random, briefs, count).map((brief, entry) => {
    const endedDaysAgo = 3 + entry * spacing + randomInteger(random, 0, Math.max(0, spacing - 4));
    const lasted = Math.max(1, Math.min(randomInteger(random, 4, 60), daysThere - endedDaysAgo - 1));
    const hours = Math.floor(client.totalHoursPaid / client.totalHires);
    const isHourly = hours > 0 && (fixedShare < 50 || randomBoolean(random, 0.5));
    const charge = isHourly ? Math.floor(hours * client.avgHourlyRatePaid) : Math.floor(fixedShare);
    const uid = makeProjectUid(number * 10 + entry + FIRST_NUMBER);
    return {
      job_info: {
        uid,
        title: fillInBusiness(pickRandom(random, brief.titles), business),
        type: isHourly ? 'hourly' : 'fixed',
        url: projectUrl(ciphertextForUid(uid)),
      },
      status: 'closed',
      start_date: new Date(now - (endedDaysAgo + lasted) * DAY).toISOString(),
      end_date: new Date(now - endedDaysAgo * DAY).toISOString(),
      total_hours: isHourly ? hours : 0,
      total_charge: charge,
      contractor_name: `${pickRandom(random, FIRST_NAMES)} ${pickRandom(random, LAST_NAMES).slice(0, 1)}.`,
      feedback: { score: scoreNear(random, 4.7), comment: pickRandom(random, FEEDBACK_TO_FREELANCER) },
      feedback_to_client: {
        score: scoreNear(random, client.rating),
        comment: pickRandom(random, FEEDBACK_TO_CLIENT),
      },
      rate: { amount: isHourly ? client.avgHourlyRatePaid : 0 },
    };
  });
}
