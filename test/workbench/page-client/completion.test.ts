/** Suggestions while typing slash commands, and how the page handles a sent text. */
import { describe, expect, it } from 'vitest';
import { completeCommand, decideHowToSendText } from '../../../src/workbench/page/client/completion.ts';
import type { PageCommand } from '../../../src/workbench/page/protocol.ts';

const COMMANDS: readonly PageCommand[] = [
  { word: 'subscribe', usage: ['subscribe filter <id>'], summary: 'New projects come here.' },
  { word: 'status', usage: ['status'], summary: 'Whether all is well.' },
  { word: 'budget', usage: ['budget [<credits>]'], summary: 'What this channel may spend.' },
];

function offered(text: string): readonly string[] {
  return completeCommand(text, COMMANDS).matches.map(({ word }) => word);
}

describe('completion', () => {
  it.each(['/', '/g', '/GIG', '/gig '])('%j offers every command', (text) => {
    expect(offered(text)).toEqual(['subscribe', 'status', 'budget']);
  });

  it.each([
    ['/gig s', ['subscribe', 'status']],
    ['/gig ST', ['status']],
    ['/gig spend', ['budget']],
    ['/gig nothing', []],
  ])('%j narrows by the word, then by what the summary says', (text, words) => {
    expect(offered(text)).toEqual(words);
  });

  it.each(['gig s', 'see /gig s', '/other s', '/gig s\nmore', ''])('%j is no command', (text) => {
    expect(completeCommand(text, COMMANDS)).toEqual({ matches: [] });
  });

  it('while arguments are typed, the usage of their command is shown and nothing is offered', () => {
    const { matches, typing } = completeCommand('/gig subscribe filter 1', COMMANDS);
    expect(matches).toEqual([]);
    expect(typing?.usage).toEqual(['subscribe filter <id>']);
  });
});

describe('sending', () => {
  it('a text is said, a command is sent, and nothing is nothing', () => {
    expect(decideHowToSendText('  hello\nyou ', false)).toEqual({ kind: 'say', text: 'hello\nyou' });
    expect(decideHowToSendText('/gig status ', false)).toEqual({ kind: 'command', text: '/gig status' });
    expect(decideHowToSendText(' \n ', false)).toEqual({ kind: 'nothing' });
  });

  it('an unknown command is not posted for all to see', () => {
    expect(decideHowToSendText('/gib status', false)).toMatchObject({ kind: 'refused' });
  });

  it('a command in a thread is refused, as Slack does; a path or a lonely slash is mere text', () => {
    expect(decideHowToSendText('/gig status', true)).toMatchObject({ kind: 'refused' });
    expect(decideHowToSendText('/ is a slash', true)).toMatchObject({ kind: 'say' });
  });
});
