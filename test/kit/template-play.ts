/** Building a proposal template in its form. */
import type { Answer, Person } from './person.ts';
import type { Desk } from './start-desk.ts';

/** An agency with two contractors, and a freelancer. */
export function addSenders({ market }: Pick<Desk, 'market'>) {
  const contractors = [
    { uid: 'c-1', name: 'Ana' },
    { uid: 'c-2', name: 'Ola' },
  ];
  market.service.addOrganization({ id: 7, label: 'Studio', type: 'agency', contractors });
  market.service.addOrganization({ id: 8, label: 'Ben alone', type: 'freelancer', contractors: [] });
}

/** Fills in what a template needs and nothing else. @returns the review */
export async function fillTemplate(by: Person, name = 'Calm'): Promise<Answer> {
  const form = await by.type('/gig template new');
  const chosen = await form.press('Ben alone', { Name: name });
  const rates = await chosen.send();
  const ai = await rates.send({ 'Hourly rate': '40' });
  const letters = await ai.send({ Instructions: 'Be short.' });
  const answers = await letters.send();
  return answers.send();
}
