/** What could not be carried over from the template that somebody started from, and what to do about it. Pure. */
import type { Note } from '../../templates/from-template.ts';
import type { Origin } from '../../templates/records.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import { codeText } from './mistake.ts';
import { FIELD_LABELS, FREQUENCY_LABELS, PRICE_TYPE_LABELS, VISIBILITY_LABELS } from './template-words.ts';

const WORD = 60;
const MOST_NAMES = 5;

type NoteOf<K extends Note['kind']> = Extract<Note, { kind: K }>;

function senderNote({ name, type, organization }: NoteOf<'sender'>): string {
  const who = safeLine(name ?? '', WORD);
  const kind = [type, organization].map((word) => safeLine(word ?? '', WORD)).filter((word) => word !== '');
  const was = who + (kind.length > 0 ? ` (${kind.join(' ')})` : '');
  return was.trim() === ''
    ? 'Choose its sender: the marketplace does not tell whose it was.'
    : `Choose its sender again: the marketplace tells only the name, ${was.trim()}.`;
}

function choiceNote({ field, was }: NoteOf<'choice'>): string {
  const label = FIELD_LABELS[field];
  const word = codeText(was, WORD);
  switch (field) {
    case 'hourly.mode':
      return `${label} were ${word}, which I don't know: choose fixed or smart.`;
    case 'hourly.increaseFrequency':
      return `${label} was ${word}, which I don't know. It is “${FREQUENCY_LABELS.never}” now, unless you choose otherwise.`;
    case 'fixedPrice.type':
      return `${label} were ${word}, which I don't know. It is “${PRICE_TYPE_LABELS['by-job-terms']}” now, unless you choose otherwise.`;
  }
}

function placesText(places: readonly number[]): string {
  const shown = places.slice(0, 10).map((place) => number(place + 1));
  const more = places.length - shown.length;
  return `${places.length === 1 ? 'answer' : 'answers'} ${shown.join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}`;
}

function attachmentsNote({ names }: NoteOf<'attachments'>): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => safeLine(name, WORD) || 'without a name');
  const more = names.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`${number(more)} more`] : [])].join(', ');
  return `Its ${names.length === 1 ? 'attachment stays' : `${number(names.length)} attachments stay`} behind (${list}): files can only be attached in the dashboard.`;
}

function assignmentsNote({ filters, setups }: NoteOf<'assignments'>): string {
  const users = [
    ...(filters > 0 ? [count(filters, 'filter')] : []),
    ...(setups > 0 ? [count(setups, 'auto bidding setup')] : []),
  ].join(' and ');
  const one = filters + setups === 1;
  return `${users} ${one ? 'uses' : 'use'} the old template and ${one ? 'goes' : 'go'} on with it; the dashboard assigns the new one.`;
}

/** A sentence. mrkdwn. */
export function noteText(note: Note): string {
  switch (note.kind) {
    case 'sender':
      return senderNote(note);
    case 'flexible-rate':
      return `It has flexible rates${note.rules > 0 ? ` (${count(note.rules, 'budget rule')})` : ''}, which only the dashboard can set: choose fixed or smart.`;
    case 'visibility':
      return `${note.was === undefined ? 'The marketplace does not tell who can see it' : `Its visibility was ${codeText(note.was, WORD)}, which can't be set here`}. It is “${VISIBILITY_LABELS.shared_admins}” now, unless you choose otherwise.`;
    case 'choice':
      return choiceNote(note);
    case 'match-types':
      return `I don't know how ${placesText(note.places)} ${note.places.length === 1 ? 'is' : 'are'} compared with a client's question: choose that anew.`;
    case 'answers':
      return `${count(note.dropped, 'answer')} beyond the 50 that fit ${note.dropped === 1 ? 'was' : 'were'} left out.`;
    case 'attachments':
      return attachmentsNote(note);
    case 'letters':
      return 'Its template structure is off, and the marketplace does not tell its cover letters then.';
    case 'assignments':
      return assignmentsNote(note);
  }
}

/** `template “Calm” (#12)`. mrkdwn. */
export function templateName({ template, name }: Pick<Origin, 'template' | 'name'>): string {
  const words = safeLine(name ?? '', 80);
  return words ? `template “${words}” (#${template})` : `template #${template}`;
}

/** Where a draft comes from, and all that was not carried over. mrkdwn, at most about 2,500 characters. */
export function notesText(from: Origin): string {
  return [`Started from ${templateName(from)}.`, ...from.notes.map((note) => `• ${noteText(note)}`)].join(
    '\n',
  );
}
