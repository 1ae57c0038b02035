import { describe, expect, it } from 'vitest';
import { connectionHint, reportFailure } from '../../../../bin/objects/failure.js';
import { ApiError, ConnectionError } from '../../../../client/index.js';

/** Returns the error of a request that failed with an error of Node. */
const failed = (code: string): ConnectionError =>
  new ConnectionError('no answer from https://there', Object.assign(new Error('said by Node'), { code }));

describe('a server that cannot be reached', () => {
  it.each([
    ['ECONNREFUSED', 'Is the server running?', '; is the server running, and is this its address?'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'does not trust its authority', 'does not trust its authority'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'does not trust its authority', 'does not trust its authority'],
    ['CERT_HAS_EXPIRED', 'check its names and dates', 'check its names and dates'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'check its names and dates', 'check its names and dates'],
  ])('gets advice for %s', (code, advice, hint) => {
    const { ending, lines } = reportFailure(failed(code));
    expect(ending).toBe('failed');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(advice);
    expect(connectionHint(failed(code))).toContain(hint);
  });
});

it('names each field of a conflict once', () => {
  const message = 'Apply failed with 1 conflict: conflict with "other": .spec.size';
  const causes = [{ reason: 'FieldManagerConflict', message: 'conflict with "other"', field: '.spec.size' }];
  const kind = { apiVersion: 'v1', kind: 'Status', metadata: {} } as const;
  const { lines } = reportFailure(new ApiError(409, { ...kind, reason: 'Conflict', message, details: { causes } }));
  expect(lines).toEqual([
    'kindforge: the server refused (Conflict): Apply failed with 1 conflict',
    '  .spec.size: conflict with "other"',
    '  → Leave these fields out, or take them over with --force-conflicts',
  ]);
});
