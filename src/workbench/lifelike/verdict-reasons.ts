/** What the AI qualifier says about a project: from the project's own facts. Pure. */
import type { SimulatedProject, SimulatedVerdict } from '../marketplace/records.ts';

const LEAST_FIXED = 500;
const LEAST_HOURLY = 25;

function reasonAgainst({ client, budget }: SimulatedProject): string | undefined {
  if (client.totalHires === 0 && client.jobsPosted > 2)
    return `The client has posted ${client.jobsPosted} jobs and never hired anyone.`;
  if (budget.type === 'fixed' && budget.fixedAmount < LEAST_FIXED)
    return `The budget of $${budget.fixedAmount} is far below the usual price.`;
  if (budget.type === 'hourly' && budget.hourlyMax < LEAST_HOURLY)
    return `The top rate of $${budget.hourlyMax} an hour is far below the usual rate.`;
  if (!client.paymentMethodVerified) return "The client is new, and the payment method isn't verified.";
  if (client.rating > 0 && client.rating < 4)
    return `Freelancers rate this client ${client.rating.toFixed(1)} of 5.`;
  return undefined;
}

function reasonFor({ client, skills }: SimulatedProject): string {
  const stack = skills.slice(0, 2).join(' and ');
  if (client.totalHires >= 10)
    return `The skills match (${stack}), and the client has hired ${client.totalHires} times.`;
  return `The skills match (${stack}), and the budget is above the minimum.`;
}

export function judgeProject(project: SimulatedProject): Pick<SimulatedVerdict, 'decision' | 'reason'> {
  const against = reasonAgainst(project);
  return against === undefined
    ? { decision: 'qualified', reason: reasonFor(project) }
    : { decision: 'disqualified', reason: against };
}
