/** Performs every user action once, to produce requests and texts of every kind. */
import { SECOND } from '../../src/clock.ts';
import { Crawl } from '../features/press-crawl.ts';
import type { Desk } from '../kit/start-desk.ts';

const LINK = 'https://www.marketplace.example/jobs/~021';
const COMMANDS = (
  'help|list|status|settings|access|audit|budget|budget 400|setups|results 101|lookup ~021|proposals|' +
  'proposals is:hired letter|stats|digest at 09:00|digest now|subscribe filter 101 budget:>0|' +
  'subscribe invitations 31|subscribe outcomes 31|list 101|template|template new|template from 61|' +
  'template drafts|job 1|bid ~021|pause 2h|pause off'
).split('|');

/** Commands, presses on their answers and on cards, forms, shortcuts, links and App Homes. */
export async function playEverything(desk: Desk, names: readonly string[]): Promise<void> {
  const { slack } = desk;
  for (const user of names) {
    const person = desk.person(user);
    const crawl = new Crawl(desk, async ({ send }) => {
      await desk.settleAfter(send());
    });
    for (const command of COMMANDS) {
      await person.type(`/gig ${command}`);
      await crawl.run(person);
    }
    await person.home();
    await crawl.end(person);
    const message = slack.postAsUser({ user, channel: 'web', text: LINK });
    await slack.messageShortcut({ user, message, callbackId: 'look_up_project' });
    await slack.postLinks({ user, channel: 'web', urls: [LINK] });
    await desk.pass(2 * SECOND);
    await person.close();
  }
}
