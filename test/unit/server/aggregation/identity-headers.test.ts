/** The headers that name a user, and how the authenticator of a server behind this one reads them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extrasOfHeaders } from '../../../../runtime/objects/tracing.js';
import { identityHeaders } from '../../../../server/aggregation/identity-headers.js';

const jane = { name: 'jane', uid: '', groups: ['makers'], extra: {} };

describe('the headers of a user', () => {
  it('name the user, each group, and the uid only if there is one', () => {
    expect(identityHeaders(jane)).toEqual(['X-Remote-User', 'jane', 'X-Remote-Group', 'makers']);
    expect(identityHeaders({ ...jane, uid: 'u-1', groups: [] })).toEqual([
      'X-Remote-User',
      'jane',
      'X-Remote-Uid',
      'u-1',
    ]);
  });

  it.each([
    ['a line break in the name', { name: 'jane\r\nX-Remote-Group: system:masters' }],
    ['a blank at the end of the name', { name: 'admin ' }],
    ['a blank before a group', { groups: [' system:masters'] }],
    ['a zero byte in an extra', { extra: { key: ['a\0'] } }],
  ])('are absent for %s', (_what, change) => {
    expect(identityHeaders({ ...jane, ...change })).toBeUndefined();
  });

  it('can have the key of any extra', () => {
    const key = fc
      .string({ minLength: 1, maxLength: 12, unit: 'binary' })
      .filter((text) => text === text.toLowerCase());
    fc.assert(
      fc.property(key, (name) => {
        const headers = identityHeaders({ ...jane, groups: [], extra: { [name]: ['1'] } }) ?? [];
        expect(headers[2]).toMatch(/^X-Remote-Extra-[!#$%&'*+.^_`|~0-9A-Za-z-]+$/);
        const sent = { headers: { [(headers[2] ?? '').toLowerCase()]: '1' } };
        expect(extrasOfHeaders(sent, ['x-remote-extra-'])).toEqual({ [name]: ['1'] });
      }),
    );
  });
});
