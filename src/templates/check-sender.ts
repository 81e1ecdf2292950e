/** The first step: name, visibility and sender. Pure. */
import { OrganizationId } from '../ids.ts';
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import { isBlank } from '../typed/texts.ts';
import {
  combineChecks,
  type FormCheckResult,
  invalidField,
  OMITTED_FIELD_RESULT,
  validResult,
} from './check-result.ts';
import { checkRequiredText } from './check-values.ts';
import type { TemplateForm } from './form.ts';

type SenderPart = Pick<ProposalTemplateInput, 'name' | 'visibility' | 'sender'>;

export function checkSenderStep({ name, visibility, sender }: TemplateForm): FormCheckResult<SenderPart> {
  return combineChecks({
    name: checkRequiredText('name', name, { what: 'The name', missing: 'Enter a name for the template.' }),
    visibility: validResult(visibility),
    sender: combineChecks({
      organizationId: checkOrganization(sender),
      contractorUid: checkContractor(sender),
    }),
  });
}

function checkOrganization({ organizationId }: TemplateForm['sender']): FormCheckResult<OrganizationId> {
  const field = 'sender.organizationId';
  if (isBlank(organizationId)) return invalidField(field, 'Choose a sender, or enter the organization ID.');
  const digits = /^#?(\d{1,16})$/u.exec(organizationId.trim())?.[1];
  const id = OrganizationId.safeParse(Number(digits));
  return id.success
    ? validResult(id.data)
    : invalidField(field, 'The organization ID must be a whole number above 0.');
}

/** Required for agencies, not allowed for freelancers; for an unknown type the marketplace decides. */
function checkContractor({
  contractorUid,
  type,
}: TemplateForm['sender']): FormCheckResult<string | undefined> {
  const field = 'sender.contractorUid';
  const uid = isBlank(contractorUid) ? '' : contractorUid.trim();
  if (type === 'freelancer' && uid !== '')
    return invalidField(field, "Freelancer profiles don't need a contractor. Clear this field.");
  if (type === 'agency' && uid === '')
    return invalidField(
      field,
      'Agencies send through a contractor. Choose one, or enter the contractor UID.',
    );
  return uid === '' ? OMITTED_FIELD_RESULT : validResult(uid);
}
