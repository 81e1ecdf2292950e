/** Links with only a `pid`: they identify the project, and are never sent as its uid or its job id. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { projectNotFoundMessage } from '../../src/slack/kit/project/project-lines.ts';
import { BidAtHand } from './begin-bid.ts';
import { fieldOf, grant, openBid, press, SETUP, startBidWorld } from './bidder.ts';
import { startWorld, type World, wordsOf } from './world.ts';

/** A card in `web` with a redirect link, and ben, who may bid. Closed with the test. */
async function beginWithRedirects() {
  const world = await startWorld();
  onTestFinished(() => world.stop());
  world.marketplace.setModes({ redirectUrls: true });
  const { id, name } = world.marketplace.addFilter({ id: 101 });
  world.marketplace.addSetup({ id: SETUP, filter: { id, name }, status: 'active' });
  await world.gig('web', 'subscribe filter 101');
  await grant(world, ['ben']);
  await world.pass(20 * SECOND);
  const project = world.marketplace.publishProject(101, {
    title: 'Move our data',
    usOnly: false,
    ukOnly: false,
    clientQuestions: [],
  });
  await world.until('its card', () => world.cards('web').length === 1);
  const card = world.cards('web')[0] ?? expect.fail('there is no card');
  return { world, project, card };
}

function lookups(world: World) {
  return world.marketplace.requests().filter((it) => it.path === '/projects/lookup');
}

/** The link on the card. */
function redirectOf(world: World): string {
  const words = JSON.stringify(world.cards('web').map((it) => it.blocks));
  return /https:[^|">]+pid=[^|">&\\]+/.exec(words)?.[0] ?? expect.fail(`no redirect in ${words}`);
}

describe('a project whose link bears only a pid', () => {
  it('is one card, also when another filter finds it by another link', async () => {
    const world = await startWorld();
    world.marketplace.setModes({ redirectUrls: true });
    const filters = [101, 102].map((id) => world.marketplace.addFilter({ id }).id);
    for (const id of filters) await world.gig('web', `subscribe filter ${id}`);
    await world.pass(20 * SECOND);
    world.marketplace.publishProject(filters, {});
    await world.pass(5 * MINUTE);
    expect(world.cards('web')).toHaveLength(1);
    await world.stop();
  });

  it('keeps its card unchanged while both filters keep listing it, each with its own link', async () => {
    const world = await startWorld();
    onTestFinished(() => world.stop());
    world.marketplace.setModes({ redirectUrls: true, ignoreLatestPublishedTs: true });
    const filters = [101, 102].map((id) => world.marketplace.addFilter({ id }).id);
    for (const id of filters) await world.gig('web', `subscribe filter ${id}`);
    await world.pass(20 * SECOND);
    world.marketplace.publishProject(filters, {});
    await world.until('its card', () => world.cards('web').length === 1);
    await world.pass(MINUTE);
    const before = world.slack.apiCalls('chat.update').length;
    await world.pass(10 * MINUTE);
    expect(world.slack.apiCalls('chat.update').length - before).toBe(0);
  });

  it('is not looked up by it: Details says what is missing, and shows what the list has', async () => {
    const { world, card } = await beginWithRedirects();
    await press(world, 'Details', { message: card });
    await world.pass(20 * SECOND);
    const shown = JSON.stringify((world.slack.view('ada') ?? world.slack.view('ben'))?.blocks);
    expect(shown).toContain('`~ID`');
    expect(shown).not.toContain(projectNotFoundMessage().text);
    expect(lookups(world)).toEqual([]);
  });

  it('is not bid on by it: the form asks for the id, and bids on the project of that id', async () => {
    const { world, project, card } = await beginWithRedirects();
    await press(world, 'Bid', { message: card });
    await world.pass(SECOND);
    const bid = new BidAtHand({ world, project });
    const id = fieldOf(bid.view(), 'job_id');
    expect(bid.screen()).toContain('~ID');
    await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP) } });
    await world.pass(3 * SECOND);
    expect(bid.creates()).toEqual([]);
    await bid.submit('ben', { [id]: project.ciphertext });
    expect(bid.creates().map(({ body }) => body)).toMatchObject([{ marketplace_job_id: project.ciphertext }]);
    expect(bid.job().projectId).toBe(project.id);
    const shown = world.cards('web').find((it) => it.ts === card.ts) ?? expect.fail('the card is gone');
    expect(await bid.states()).toEqual(['created']);
    expect(wordsOf(shown)).toContain(`#${bid.job().id}`);
  });

  it('is answered by commands with what is missing, where no card knows it', async () => {
    const { world } = await beginWithRedirects();
    const link = redirectOf(world);
    await grant(world, ['ben'], 'data');
    expect(await world.gig('data', `lookup ${link}`, 'ben')).toContain('`~ID`');
    const unknown = link.replace(/pid=\d+/, 'pid=1234');
    expect(await world.gig('data', `bid ${unknown}`, 'ben')).toContain('`~ID`');
    expect(lookups(world)).toEqual([]);
    expect(world.slack.view('ben')).toBeUndefined();
  });

  it('is looked up and bid on by its own link as ever', async () => {
    const { world, project } = await startBidWorld();
    const bid = new BidAtHand({ world, project });
    await openBid(world, project);
    await bid.submit();
    expect(bid.creates()).toHaveLength(1);
    await world.stop();
  });
});
