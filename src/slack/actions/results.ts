import { actionIds } from '../blocks/ids.ts';
import { drawResults } from '../commands/results.ts';
import { codeText } from '../messages/mistake.ts';
import { notBoughtText } from '../messages/not-bought.ts';
import { resultProjectsMessage } from '../messages/results.ts';
import { resultProjectsValue, resultsPageValue } from '../messages/values.ts';
import { ASKED_BY_NEXT, ASKED_BY_PREVIOUS, ASKED_BY_PROJECTS } from '../messages/waiting.ts';
import type { ActionCall, ActionRoute, Message } from '../routes.ts';

const ASK_AGAIN: Message = {
  text: `This list is out of date. ${codeText('/gig results <filter>')} brings a new one.`,
};

async function showProjects(call: ActionCall): Promise<void> {
  const asked = resultProjectsValue.read(call.value);
  if (!asked) return call.answer(ASK_AGAIN);
  const { services, channel, person } = call;
  const { result, page, turn } = asked;
  const outcome = await services.projects.resultProjects({ channel, user: person.user }, result, page);
  if (outcome.kind === 'failed') {
    if (outcome.error.code === 'not-found') return call.answer(ASK_AGAIN);
    throw outcome.error;
  }
  if (outcome.kind !== 'found') return call.answer({ text: notBoughtText(outcome) });
  const message = resultProjectsMessage({ ...outcome, result, page });
  await (turn ? call.replace(message) : call.answer(message));
}

async function turnPage(call: ActionCall): Promise<void> {
  const asked = resultsPageValue.read(call.value);
  if (!asked) return call.answer(ASK_AGAIN);
  await call.replace(await drawResults(call.services, asked.filter, asked.page));
}

/** Both directions carry the page that they lead to. */
export const resultActions: readonly ActionRoute[] = [
  { id: actionIds.resultProjects, needs: 'viewer', asked: ASKED_BY_PROJECTS, run: showProjects },
  { id: actionIds.resultProjectsBack, needs: 'viewer', asked: ASKED_BY_PREVIOUS, run: showProjects },
  { id: actionIds.resultsPage, needs: 'viewer', asked: ASKED_BY_NEXT, run: turnPage },
  { id: actionIds.resultsBack, needs: 'viewer', asked: ASKED_BY_PREVIOUS, run: turnPage },
];
