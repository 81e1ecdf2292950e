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
    name: requiredText('name', name, { what: 'The name', missing: 'Enter a name for the template.' }),
    visibility: ok(visibility),
    sender: together({
      organizationId: checkOrganization(sender),
      contractorUid: checkContractor(sender),
    }),
  });
}

function checkOrganization({ organizationId }: TemplateForm['sender']): Checked<OrganizationId> {
  const field = 'sender.organizationId';
  if (isBlank(organizationId)) return wrong(field, 'Choose a sender, or enter the organization ID.');
  const digits = /^#?(\d{1,16})$/u.exec(organizationId.trim())?.[1];
  const id = OrganizationId.safeParse(Number(digits));
  return id.success ? ok(id.data) : wrong(field, 'The organization ID must be a whole number above 0.');
}

/** Required for agencies, not allowed for freelancers; where the type is not known the marketplace decides. */
function checkContractor({ contractorUid, type }: TemplateForm['sender']): Checked<string | undefined> {
  const field = 'sender.contractorUid';
  const uid = isBlank(contractorUid) ? '' : contractorUid.trim();
  if (type === 'freelancer' && uid !== '')
    return wrong(field, "Freelancer profiles don't need a contractor. Clear this field.");
  if (type === 'agency' && uid === '')
    return wrong(field, 'Agencies send through a contractor. Choose one, or enter the contractor UID.');
  return uid === '' ? NOT_SENT : ok(uid);
}
