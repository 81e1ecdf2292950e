import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { machineRandomBytes } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { isSealedWith, openSealed, SealError, seal } from '../../src/seal.ts';
import { Secret } from '../../src/secret.ts';
import { keysNamed } from './keys.ts';

const TOKEN = 'xoxb-very-secret';
const place = { team: TeamId.parse('T1'), field: 'bot_token' };
const keys = keysNamed('2026');
const [key] = keys;
const sealToken = (by = key) => seal(new Secret(TOKEN), place, by, machineRandomBytes);

/** The error, which must not name the token or a key. */
function refusal(open: () => Secret): SealError {
  try {
    open();
  } catch (thrown) {
    if (!(thrown instanceof SealError)) throw thrown;
    const shown = inspect(thrown, { depth: 9, showHidden: true });
    expect(shown).not.toContain(TOKEN);
    expect(shown).not.toContain(key.base64.reveal());
    return thrown;
  }
  throw new Error('it opened');
}

describe('a sealed token', () => {
  it('opens for its team and field, whatever it contains', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        fc.string({ minLength: 1 }),
        (text, field, id) => {
          const at = { field, team: TeamId.parse(id) };
          const sealed = seal(new Secret(text), at, key, machineRandomBytes);
          expect(openSealed(sealed, at, keys).reveal()).toBe(text);
        },
      ),
    );
  });

  it('hides the token, and looks different each time', () => {
    const sealed = sealToken();
    expect(sealed).not.toContain(TOKEN);
    expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('xoxb');
    expect(sealToken()).not.toBe(sealed);
  });

  it("doesn't open with another key, even under the same ID", () => {
    expect(refusal(() => openSealed(sealToken(), place, keysNamed('2025', '2027'))).code).toBe('unknown-key');
    const [other] = keysNamed('other');
    expect(refusal(() => openSealed(sealToken(), place, [{ ...other, id: key.id }])).code).toBe('changed');
  });

  it.each([
    ['team', { ...place, team: TeamId.parse('T2') }],
    ['field', { ...place, field: 'marketplace_token' }],
    ['team and field whose texts join to the same', { team: TeamId.parse('T1"'), field: ',"bot_token' }],
  ])("doesn't open for another %s", (_, other) => {
    expect(refusal(() => openSealed(sealToken(), other, keys))).toMatchObject({ code: 'changed' });
  });

  it("doesn't open once any byte was changed or cut off", () => {
    const sealed = sealToken();
    const [format, id, encoded = ''] = sealed.split('.');
    const bytes = Buffer.from(encoded, 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      for (const wrong of [changed, bytes.subarray(0, at)])
        expect(
          refusal(() => openSealed([format, id, wrong.toString('base64url')].join('.'), place, keys)).code,
        ).toBe('changed');
    }
    for (const nonsense of ['', 'v1', 'v2.2026.AAAA', TOKEN, `v2.${id}.${encoded}`])
      expect(() => openSealed(nonsense, place, keys)).toThrow(SealError);
  });

  it('opens with each listed key while keys rotate, and tells which one sealed it', () => {
    const both = keysNamed('new', '2026');
    const [first] = both;
    const sealed = sealToken();
    expect(openSealed(sealed, place, both).reveal()).toBe(TOKEN);
    expect([isSealedWith(sealed, place, key), isSealedWith(sealed, place, first)]).toEqual([true, false]);
    const resealed = sealToken(first);
    expect(openSealed(resealed, place, both).reveal()).toBe(TOKEN);
    expect(isSealedWith(resealed, place, first)).toBe(true);
    expect(openSealed(resealed, place, [{ ...first, id: 'renamed' }]).reveal()).toBe(TOKEN);
  });
});
