/** What could not be copied from the source template, and what to do about it. Pure. */
import type { NotCarriedOverNote } from '../../templates/prefill-form.ts';
import type { TemplateOrigin } from '../../templates/records.ts';
import { codeText, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { templateFieldLabel } from './template-fields.ts';
import { INCREASE_FREQUENCY_LABELS, PRICE_TYPE_LABELS, VISIBILITY_LABELS } from './template-labels.ts';

const WORD = 60;
const MOST_NAMES = 5;

type NoteOf<K extends NotCarriedOverNote['kind']> = Extract<NotCarriedOverNote, { kind: K }>;

function senderNote({ name, type, organization }: NoteOf<'sender'>): string {
  const who = safeLine(name ?? '', WORD);
  const kind = [type, organization].map((word) => safeLine(word ?? '', WORD)).filter((word) => word !== '');
  const was = who + (kind.length > 0 ? ` (${kind.join(' ')})` : '');
  return was.trim() === ''
    ? "Choose a sender: the marketplace doesn't show the original one."
    : `Choose the sender again: the marketplace only shows the name, ${was.trim()}.`;
}

function choiceNote({ field, was }: NoteOf<'choice'>): string {
  const label = templateFieldLabel(field);
  const word = codeText(was, WORD);
  switch (field) {
    case 'hourly.mode':
      return `${label} used ${word}, which Gigdesk doesn't support. Choose fixed or smart.`;
    case 'hourly.increaseFrequency':
      return (
        `${label} used ${word}, which Gigdesk doesn't support. ` +
        `The new template uses “${INCREASE_FREQUENCY_LABELS.never}” unless you change it.`
      );
    case 'fixedPrice.type':
      return (
        `${label} used ${word}, which Gigdesk doesn't support. ` +
        `The new template uses “${PRICE_TYPE_LABELS['by-job-terms']}” unless you change it.`
      );
  }
}

function placesText(places: readonly number[]): string {
  const shown = places.slice(0, 10).map((place) => formatNumber(place + 1));
  const more = places.length - shown.length;
  return (
    `${places.length === 1 ? 'answer' : 'answers'} ` +
    `${shown.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`
  );
}

function attachmentsNote({ names }: NoteOf<'attachments'>): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => safeLine(name, WORD) || 'unnamed file');
  const more = names.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join(', ');
  return (
    'Its ' +
    `${names.length === 1 ? "attachment wasn't" : `${formatNumber(names.length)} attachments weren't`} ` +
    `copied (${list}). Files can only be attached in the dashboard.`
  );
}

function assignmentsNote({ filters, setups }: NoteOf<'assignments'>): string {
  const users = [
    ...(filters > 0 ? [formatCount(filters, 'filter')] : []),
    ...(setups > 0 ? [formatCount(setups, 'auto bidding setup')] : []),
  ].join(' and ');
  const one = filters + setups === 1;
  return `${users} ${one ? 'keeps' : 'keep'} using the old template. Assign the new one in the dashboard.`;
}

function visibilityNote({ was }: NoteOf<'visibility'>): string {
  const before =
    was === undefined
      ? "The marketplace doesn't show who can see it"
      : `Its visibility was ${codeText(was, WORD)}, which can't be set here`;
  return `${before}. The new template uses “${VISIBILITY_LABELS.shared_admins}” unless you change it.`;
}

/** A sentence. mrkdwn. */
export function templateCopyNoteText(note: NotCarriedOverNote): string {
  switch (note.kind) {
    case 'sender':
      return senderNote(note);
    case 'flexible-rate':
      return (
        `It has flexible rates${note.rules > 0 ? ` (${formatCount(note.rules, 'budget rule')})` : ''}, ` +
        'which can only be set in the dashboard. Choose fixed or smart.'
      );
    case 'visibility':
      return visibilityNote(note);
    case 'choice':
      return choiceNote(note);
    case 'match-types':
      return (
        `Choose again how ${placesText(note.places)} ${note.places.length === 1 ? 'is' : 'are'} ` +
        "matched to client questions: Gigdesk doesn't support the original setting."
      );
    case 'answers':
      return (
        `${formatCount(note.dropped, 'answer')} beyond the limit of 50 ` +
        `${note.dropped === 1 ? 'was' : 'were'} left out.`
      );
    case 'attachments':
      return attachmentsNote(note);
    case 'letters':
      return "Its template structure is off, so the marketplace doesn't show its cover letters.";
    case 'assignments':
      return assignmentsNote(note);
  }
}

/** `template “Calm” (#12)`. mrkdwn. */
export function sourceTemplateText({ template, name }: Pick<TemplateOrigin, 'template' | 'name'>): string {
  const words = safeLine(name ?? '', 80);
  return words ? `template “${words}” (#${template})` : `template #${template}`;
}

/** A draft's source, and everything that was not copied. mrkdwn, at most about 2,500 characters. */
export function templateCopyNotesText(from: TemplateOrigin): string {
  return [
    `Started from ${sourceTemplateText(from)}.`,
    ...from.notes.map((note) => `• ${templateCopyNoteText(note)}`),
  ].join('\n');
}
