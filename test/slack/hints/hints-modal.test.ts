/** The form with the address for hints: whole, so that it can be copied, with and without a known server. */
import { expect, it } from 'vitest';
import { FilterId } from '../../../src/ids.ts';
import { Secret } from '../../../src/secret.ts';
import { hintsModal } from '../../../src/slack/hints/hints.ts';
import { checkView } from '../../../src/slack/kit/check-limits.ts';

const SECRET = `T0123ABCD-${'a_-Z'.repeat(8)}`;
const address = { secret: new Secret(SECRET), version: 3 };
const textOf = (server: Parameters<typeof hintsModal>[0]['server']) => {
  const view = hintsModal({ address, server, summary: { today: 0 } });
  checkView(view);
  return JSON.stringify(view.blocks);
};

it('has the whole address of a server that is known, and a path to complete otherwise', () => {
  const known = textOf({ publicUrl: 'https://gigdesk.example.com', port: 3000 });
  expect(known).toContain(`https://gigdesk.example.com/hooks/${SECRET}`);
  expect(known).not.toContain('YOUR-SERVER');
  expect(textOf({ port: 3000 })).toContain(`http://YOUR-SERVER:3000/hooks/${SECRET}`);
  expect(textOf({ port: 0 })).toContain(`http://YOUR-SERVER/hooks/${SECRET}`);
});

it('has the secret in its blocks alone: nothing that comes back with a press', () => {
  const summary = { today: 2, last: { at: 0, filter: FilterId.parse(7), wasFollowed: false } };
  const view = hintsModal({ address, server: { port: 3000 }, summary, note: 'rotated' });
  checkView(view);
  const { private_metadata: metadata, callback_id: callback, title } = view;
  expect(JSON.stringify([metadata, callback, title])).not.toContain(SECRET);
  const actions = view.blocks.filter(({ type }) => type === 'actions');
  expect(actions).toHaveLength(1);
  expect(JSON.stringify(actions)).not.toContain(SECRET);
});
