import { describe, expect, test } from 'vitest';
import { decided, requestFacts } from '../../../../../../packages/console/src/pages/object/actions/approval.js';

const csr = (spec: unknown, status?: unknown) => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'jane' },
  spec,
  ...(status === undefined ? {} : { status }),
});

describe('requestFacts', () => {
  test('shows the requester, and explains why a request cannot be read', () => {
    const facts = requestFacts(csr({ signerName: 'a/b', username: 'jane', groups: ['x'], request: 'aGVsbG8=' }));
    expect(facts.items).toEqual([
      { label: 'Signer', value: 'a/b' },
      { label: 'Requested by', value: 'jane, x' },
    ]);
    expect(facts.warning).toBe('The request cannot be read: it has no CERTIFICATE REQUEST.');
  });

  test('accepts an object without a spec', () => {
    expect(requestFacts(csr(undefined)).warning).toContain('cannot be read');
  });
});

describe('decided', () => {
  test('adds the decision to the existing conditions, with the time in seconds', () => {
    const failed = { type: 'Failed', status: 'True' };
    const { status } = decided(csr({}, { conditions: [failed] }), 'Denied', '', new Date('2026-01-02T03:04:05.678Z'));
    expect(status).toEqual({
      conditions: [
        failed,
        {
          type: 'Denied',
          status: 'True',
          reason: 'ConsoleDecision',
          message: 'Denied in the console',
          lastUpdateTime: '2026-01-02T03:04:05Z',
          lastTransitionTime: '2026-01-02T03:04:05Z',
        },
      ],
    });
  });
});
