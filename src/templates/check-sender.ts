/** The first step: what it is called, who sees it, who sends it. Pure. */
import { OrganizationId } from '../ids.ts';
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import { isBlank } from '../typed/texts.ts';
import { requiredText } from './check-values.ts';
import { type Checked, NOT_SENT, ok, together, wrong } from './checked.ts';
import type { TemplateForm } from './form.ts';

type SenderPart = Pick<ProposalTemplateInput, 'name' | 'visibility' | 'sender'>;

export function checkSender({ name, visibility, sender }: TemplateForm): Checked<SenderPart> {
  return together({
    name: requiredText('name', name, { what: 'The name', missing: 'Give the template a name.' }),
    visibility: ok(visibility),
    sender: together({
      organizationId: checkOrganization(sender),
      contractorUid: checkContractor(sender),
    }),
  });
}

function checkOrganization({ organizationId }: TemplateForm['sender']): Checked<OrganizationId> {
  const field = 'sender.organizationId';
  if (isBlank(organizationId)) return wrong(field, "Choose who sends, or type the organization's id.");
  const digits = /^#?(\d{1,16})$/u.exec(organizationId.trim())?.[1];
  const id = OrganizationId.safeParse(Number(digits));
  return id.success ? ok(id.data) : wrong(field, 'An organization id is a whole number above 0.');
}

/** Required for agencies, not allowed for freelancers; where the type is not known the marketplace decides. */
function checkContractor({ contractorUid, type }: TemplateForm['sender']): Checked<string | undefined> {
  const field = 'sender.contractorUid';
  const uid = isBlank(contractorUid) ? '' : contractorUid.trim();
  if (type === 'freelancer' && uid !== '')
    return wrong(field, 'A freelancer profile sends for itself: leave the contractor empty.');
  if (type === 'agency' && uid === '')
    return wrong(field, 'An agency sends through a contractor: choose one, or type the uid.');
  return uid === '' ? NOT_SENT : ok(uid);
}
