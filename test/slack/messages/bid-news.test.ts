import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SetupId } from '../../../src/ids.ts';
import type { BidNews } from '../../../src/outbox/bid-news.ts';
import { bidNewsMessage } from '../../../src/slack/messages/bid-news.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA, BEN } from '../samples.ts';
import { HOSTILE, JOB } from './bidding-samples.ts';

const TITLE = 'Rebuild our checkout';
const bid = { by: ANA, title: TITLE, setup: SetupId.parse(7), setupName: 'Night shift' };
const waits = { job: JOB, status: 'pending_review', statusTitle: 'Pending review' };
const scheduled = { job: JOB, status: 'scheduled', scheduledAt: 'tomorrow at nine' };

const told: readonly (readonly [BidNews, string])[] = [
  [
    { about: 'bid-created', ...bid, ...scheduled },
    `:dart: *<@U0ANA>'s bid on “${TITLE}” with Night shift is job #12:* scheduled for tomorrow at nine.`,
  ],
  [
    { about: 'bid-created', ...bid, ...waits },
    `:dart: *<@U0ANA>'s bid on “${TITLE}” with Night shift is job #12:* waiting for review.\nA bidder approves it with the button above or in \`/gig job 12\`; until then nothing is sent.`,
  ],
  [
    { about: 'bid-created', ...bid, job: JOB, status: '3', statusTitle: 'Pending review' },
    `:dart: *<@U0ANA>'s bid on “${TITLE}” with Night shift is job #12:* waiting for review.\nA bidder approves it with the button above or in \`/gig job 12\`; until then nothing is sent.`,
  ],
  [
    { about: 'bid-created', ...bid, ...waits, elsewhere: '~2' },
    `:dart: *<@U0ANA>'s bid on “${TITLE}” with Night shift is job #12:* waiting for review.\n:warning: The marketplace says that it is for another project, ~2: \`/gig job 12\` shows it.`,
  ],
  [
    { about: 'bid-skipped', ...bid, job: JOB, status: 'skipped', reason: 'The daily limit is reached' },
    `:no_entry_sign: *<@U0ANA>'s bid on “${TITLE}” with Night shift was skipped by the marketplace* (job #12): The daily limit is reached.\nNo proposal is sent. When that is out of the way, “Try again” above makes a new attempt.`,
  ],
  [
    { about: 'bid-skipped', ...bid, job: JOB, status: 'skipped' },
    `:no_entry_sign: *<@U0ANA>'s bid on “${TITLE}” with Night shift was skipped by the marketplace* (job #12); no reason is given yet.\nNo proposal is sent. When that is out of the way, “Try again” above makes a new attempt.`,
  ],
  [
    { about: 'bid-refused', ...bid, code: 'bad-request', serverMessage: 'No such <setup>' },
    `:no_entry_sign: *<@U0ANA>'s bid on “${TITLE}” with Night shift was refused:* “No such &lt;setup&gt;”.\nPut that right, then try again. “Try again” above opens the form as it was.`,
  ],
  [
    { about: 'bid-refused', ...bid, code: 'bad-request', serverMessage: 'A job exists', job: JOB },
    `:no_entry_sign: *<@U0ANA>'s bid on “${TITLE}” with Night shift was refused:* “A job exists”.\nJob #12 stands in its way; \`/gig job 12\` shows it.`,
  ],
  [
    { about: 'bid-refused', ...bid, code: 'bad-request', serverMessage: 'No such <setup>', doubt: true },
    `:no_entry_sign: *<@U0ANA>'s bid on “${TITLE}” with Night shift was refused:* “No such &lt;setup&gt;”.\nPut that right, then try again. “Try again” above opens the form as it was.\nAn earlier attempt has an unknown outcome: its job may exist. “Check” above looks for traces; if the dashboard shows it, \`/gig job &lt;id&gt;\` links it.`,
  ],
  [
    { about: 'bid-unknown', by: ANA, title: TITLE, setup: SetupId.parse(7) },
    `:grey_question: *No answer came to <@U0ANA>'s bid on “${TITLE}” with setup 7: it is not known whether the job exists.*\n“Check” above looks for traces and sends nothing. If the dashboard shows the job, \`/gig job &lt;id&gt;\` links it; “Try again” only when it does not.`,
  ],
  [
    { about: 'bid-found', by: ANA, title: TITLE, ...scheduled },
    `:mag: *<@U0ANA>'s bid on “${TITLE}” did arrive: it is job #12,* scheduled for tomorrow at nine.`,
  ],
  [
    { about: 'job-approved', by: BEN, approvedBy: 'API token', ...scheduled },
    `:white_check_mark: *<@U0BEN> approved job #12 (“${TITLE}”)*; the marketplace names “API token”. It is scheduled for tomorrow at nine.`,
  ],
  [
    { about: 'job-approved', by: BEN, overrode: 'Wrong stack', ...scheduled },
    `:white_check_mark: *<@U0BEN> approved job #12 (“${TITLE}”)*. It is scheduled for tomorrow at nine.\nThis overrode the AI's disqualification: Wrong stack`,
  ],
  [
    { about: 'job-approved', by: BEN, overrode: '', ...scheduled },
    `:white_check_mark: *<@U0BEN> approved job #12 (“${TITLE}”)*. It is scheduled for tomorrow at nine.\nThis overrode the AI's disqualification, for which it gave no reason.`,
  ],
  [
    { about: 'approval-refused', by: BEN, job: JOB, code: 'forbidden' },
    `:no_entry_sign: *Job #12 (“${TITLE}”) was not approved:* our API token lacks the permission (asked by <@U0BEN>).\nA team admin can check the token and the plan in the dashboard; then try again. \`/gig job 12\` shows how it stands.`,
  ],
  [
    { about: 'approval-refused', by: BEN, job: JOB, code: 'not-done' },
    `:no_entry_sign: *Job #12 (“${TITLE}”) was not approved:* the request never arrived (asked by <@U0BEN>).\nNothing was changed: approve it again if it is still wanted. \`/gig job 12\` shows how it stands.`,
  ],
  [
    { about: 'approval-refused', by: BEN, job: JOB, code: 'forbidden', doubt: true },
    `:no_entry_sign: *Another approval of job #12 (“${TITLE}”) was refused:* our API token lacks the permission (asked by <@U0BEN>).\nThe earlier approval's outcome is unknown, and it may have taken effect: the state of the job is being read and told here.`,
  ],
  [
    { about: 'approval-unknown', by: BEN, job: JOB },
    `:grey_question: *No answer came to <@U0BEN>'s approval of job #12 (“${TITLE}”).*\nIts state is being read and told here; until then it is not approved again.`,
  ],
  [{ about: 'job-changed', job: JOB, status: 'on_the_moon' }, `:dart: *Job #12 (“${TITLE}”):* on_the_moon.`],
  [
    { about: 'job-changed', job: JOB, status: 'skipped', reason: 'A limit' },
    `:dart: *Job #12 (“${TITLE}”):* skipped: A limit.`,
  ],
  [
    { about: 'job-failed', job: JOB, status: 'failed', errorMessage: 'Out of connects' },
    `:warning: *Job #12 (“${TITLE}”) failed:* Out of connects\nNo proposal is known of. \`/gig job 12\` shows more; a bid with another setup is a new job.`,
  ],
  [
    { about: 'job-sent', job: JOB, status: 'completed', applicationUid: '4455' },
    `:incoming_envelope: *The proposal of job #12 (“${TITLE}”) is sent* (\`4455\`).`,
  ],
  [
    { about: 'proposal-found', job: JOB, proposal: 900, connects: 16, boost: 10, position: 3 },
    `:link: *The proposal of job #12 (“${TITLE}”) is linked*: 16 connects · boost 10 · position 3. “Proposal” above shows it.`,
  ],
  [
    { about: 'proposal-found', job: JOB, proposal: 900 },
    `:link: *The proposal of job #12 (“${TITLE}”) is linked*. “Proposal” above shows it.`,
  ],
  [
    { about: 'job-left', job: JOB, hours: 48 },
    `:zzz: *Job #12 (“${TITLE}”) has not come to an end within 48 hours, so it is no longer followed.*\n“Refresh” above or \`/gig job 12\` asks how it stands and follows it again.`,
  ],
  [
    { about: 'job-gone', job: JOB },
    `:warning: *The marketplace does not know job #12 (“${TITLE}”) any more.*\nIt may have been deleted in the dashboard; this shows how it last stood.`,
  ],
];

describe('a thread is told', () => {
  it.each(told)('of %o', (news, words) => {
    const message = bidNewsMessage(news, TITLE);
    expect(message.text).toBe(words);
    expect(message.blocks).toEqual([
      { type: 'section', text: { type: 'mrkdwn', verbatim: true, text: words } },
    ]);
  });

  it('every kind of news there is', () => {
    const kinds = new Set(told.map(([news]) => news.about));
    expect([...kinds].sort().join(' ')).toBe(
      'approval-refused approval-unknown bid-created bid-found bid-refused bid-skipped bid-unknown job-approved job-changed job-failed job-gone job-left job-sent proposal-found',
    );
  });

  it('of a job whose project is not known by its number alone', () => {
    expect(bidNewsMessage({ about: 'job-gone', job: JOB }).text).toContain('does not know job #12 any more.');
  });

  it('nothing that calls anyone or leads anywhere, whatever stands in it', () => {
    const words = fc.constantFrom(...HOSTILE);
    const any = fc.record({
      news: fc.constantFrom(...told.map(([news]) => news)),
      words: fc.record({
        title: words,
        setupName: words,
        status: words,
        statusTitle: words,
        scheduledAt: words,
        reason: words,
        serverMessage: words,
        code: words,
        fields: fc.dictionary(words, words),
        approvedBy: words,
        errorMessage: words,
        applicationUid: words,
      }),
      title: words,
    });
    fc.assert(
      fc.property(any, ({ news, words: hostile, title }) => {
        const overrode = 'overrode' in news ? { overrode: hostile.reason } : {};
        expectHarmless(bidNewsMessage({ ...news, ...hostile, ...overrode, by: BEN } as BidNews, title));
      }),
      { numRuns: 200 },
    );
  });
});
