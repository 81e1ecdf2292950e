/** Puts a person's Home on the screen: at once what is stored, then what was asked for behind, where that is different. */
import { mayAct } from '../../access/roles.ts';
import { asError } from '../../errors.ts';
import type { UserId } from '../../ids.ts';
import { SlackCallError } from '../errors.ts';
import type { HomeOpenedCall, Person, Services } from '../routes.ts';
import { homeView, outsiderHome } from '../views/home-view.ts';
import { type Gathered, gatherHome } from './gather-home.ts';
import type { OpenHome } from './home-memory.ts';
import { askPlaces, keepPlaces, type Places, placesWithin } from './places.ts';
import { refreshHome } from './refresh-home.ts';

/** So long Slack may take to say where somebody is, of the one second in which their Home is to stand. */
const PATIENCE_MS = 600;

type View = ReturnType<typeof homeView>;

/** Publishes what is not on the screen already. What Slack refuses is logged: the next opening tries again. */
async function publish({ slack, log }: Services, user: UserId, home: OpenHome, view: View): Promise<void> {
  const now = JSON.stringify(view);
  if (home.published === now) return;
  try {
    await slack.publishHome(user, view);
    home.published = now;
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    delete home.published;
    log.warn('could not publish a Home tab', { user, error: thrown.code });
  }
}

/**
 * Gathers and publishes, after whatever of this Home is being published just now. @param places asked for when its turn comes
 * @returns undefined for somebody who is shown none of it
 */
function draw(
  services: Services,
  person: Person,
  home: OpenHome,
  places: () => Promise<Places>,
): Promise<Gathered | undefined> {
  let gathered: Gathered | undefined;
  const { user, role } = person;
  const turn = services.homes.inTurn(user, async () => {
    const where = await places();
    if (!mayAct(role, 'viewer')) return publish(services, user, home, outsiderHome(person));
    gathered = await gatherHome(services, person, where);
    const { notice } = home;
    await publish(services, user, home, homeView({ ...gathered.facts, ...(notice ? { notice } : {}) }));
  });
  return turn.then(() => gathered);
}

/** Keeps where the person is for the next opening; that fails without harm. */
async function keep(services: Services, user: UserId, { busy }: Gathered): Promise<void> {
  try {
    await keepPlaces(services, user, busy);
  } catch (thrown) {
    services.log.error('could not store the channels of a Home tab', { user, error: asError(thrown) });
  }
}

/** Where somebody is by an answer that is young enough; `ask` false: Slack could not say a moment ago. */
function placesNow(services: Services, user: UserId, ask: boolean): Promise<Places> {
  const known = services.homes.placesOf(user);
  const asked = known || !ask ? Promise.resolve(known) : askPlaces(services, user);
  return placesWithin(services, user, asked, PATIENCE_MS);
}

async function open(services: Services, person: Person, home: OpenHome): Promise<void> {
  const { user } = person;
  // Whoever waits for their turn already will show what is newest then.
  if (home.isOpening) return;
  home.isOpening = true;
  const asked = mayAct(person.role, 'viewer') ? askPlaces(services, user) : Promise.resolve([]);
  const first = await draw(services, person, home, () => {
    home.isOpening = false;
    delete home.notice;
    // Another process, or an older version, may have published what stands there.
    delete home.published;
    return placesWithin(services, user, asked, PATIENCE_MS);
  });
  if (!first || home.isRefreshing) return;
  home.isRefreshing = true;
  const [places] = await Promise.all([asked, refreshHome(services, first)]);
  home.isRefreshing = false;
  const now = await draw(services, person, home, () => placesNow(services, user, places !== undefined));
  if (now && places) await keep(services, user, now);
}

/** Somebody has opened their Home. */
export function homeOpened({ services, person }: HomeOpenedCall): Promise<void> {
  return services.homes.withHome(person.user, (home) => open(services, person, home));
}

/** Publishes a Home anew after a press in it. @param notice what came of it; harmless mrkdwn */
export function showAfterPress(services: Services, user: UserId, notice: string | undefined): Promise<void> {
  return services.homes.withHome(user, async (home) => {
    if (notice === undefined) delete home.notice;
    else home.notice = notice;
    const person = await services.whoIs(user);
    await draw(services, person, home, () => placesNow(services, user, true));
  });
}
