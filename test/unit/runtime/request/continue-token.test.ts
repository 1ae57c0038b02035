/** Tokens of paged lists: only the server that sealed them opens them, and only unchanged ones. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Continuation, defineContinueTokens } from '../../../../runtime/request/continue-token.js';

const tokens = defineContinueTokens(Buffer.from('secret'));
const continuation: Continuation = { revision: 7, after: 'default/a', began: 1_700_000_000_000 };

describe('continue tokens', () => {
  it('return the sealed values, as text that a query can hold', () => {
    fc.assert(
      fc.property(fc.nat(), fc.string({ unit: 'grapheme' }), fc.nat(), (revision, after, began) => {
        const token = tokens.seal({ revision, after, began });
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(tokens.open(token)).toEqual({ revision, after, began });
      }),
    );
  });

  it('do not open when a byte is changed, anywhere', () => {
    const sealed = Buffer.from(tokens.seal(continuation), 'base64url');
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(sealed.readUInt8(i) ^ 1, i);
      expect(tokens.open(changed.toString('base64url'))).toBeUndefined();
    }
  });

  it('are the same for the same position, and differ if any part of it differs', () => {
    const token = tokens.seal(continuation);
    expect(tokens.seal({ ...continuation })).toBe(token);
    for (const other of [{ revision: 8 }, { after: 'default/b' }, { began: 1 }]) {
      expect(tokens.open(tokens.seal({ ...continuation, ...other }))).toEqual({ ...continuation, ...other });
      expect(tokens.seal(continuation)).toBe(token);
    }
  });

  it('do not open under another secret', () => {
    expect(defineContinueTokens(Buffer.from('other')).open(tokens.seal(continuation))).toBeUndefined();
    expect(defineContinueTokens(Buffer.from('secret')).open(tokens.seal(continuation))).toEqual(continuation);
  });

  it('cannot be guessed', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(tokens.open(text)).toBeUndefined();
      }),
    );
    expect(tokens.open(tokens.seal(continuation).slice(0, 20))).toBeUndefined();
  });
});
