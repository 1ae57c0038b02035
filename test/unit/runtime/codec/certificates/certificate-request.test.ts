/** Certificate requests: their content, and whether their signature is valid. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseCertificateRequest } from '../../../../../runtime/codec/certificates/certificate-request.js';
import { pemBlocks } from '../../../../../runtime/codec/certificates/pem.js';
import { type AlgorithmName, algorithms, makeRequest, pem } from '../../../../support/certificates.js';

const parse = (text: string) => parseCertificateRequest(Buffer.from(text));

const names = Object.keys(algorithms).filter((name): name is AlgorithmName => name in algorithms);

describe('parseCertificateRequest', () => {
  let text = '';
  let der = Buffer.alloc(0);
  beforeAll(async () => {
    text = await makeRequest('O=devs, O=testers, CN=alice');
    der = Buffer.from(pemBlocks(Buffer.from(text))[0]?.bytes ?? []);
  });

  it.each(names)('verifies a signature by %s', async (name) => {
    const parsed = parse(await makeRequest('CN=someone', name));
    expect(parsed.ok && parsed.request.verify()).toBeUndefined();
    expect(parsed).toMatchObject({ ok: true, request: { subject: { commonName: 'someone', organizations: [] } } });
  });

  it('reads the subject', () => {
    expect(parse(text)).toMatchObject({
      request: { subject: { commonName: 'alice', organizations: ['devs', 'testers'] } },
    });
  });

  it('reads names beyond ASCII', async () => {
    expect(parse(await makeRequest('CN=Zoë Ω'))).toMatchObject({ request: { subject: { commonName: 'Zoë Ω' } } });
  });

  it.each([
    ['', 'nothing'],
    ['plain text', 'no block'],
    [pem('CERTIFICATE', Buffer.from('x')), 'a block of another type'],
    [pem('NEW CERTIFICATE REQUEST', Buffer.from('x')), 'a block of the older type'],
  ])('must be a block of its type: %#', (pemText) => {
    expect(parse(pemText)).toEqual({ ok: false, problem: 'PEM block type must be CERTIFICATE REQUEST' });
  });

  it('refuses a block that is cut off, continues, or holds something else', () => {
    for (const bytes of [
      der.subarray(0, -1),
      Buffer.concat([der, Buffer.from([0])]),
      Buffer.concat([der, Buffer.from([5, 0])]),
      Buffer.from('30020500', 'hex'),
    ]) {
      expect(parse(pem('CERTIFICATE REQUEST', bytes))).toMatchObject({ ok: false });
    }
  });

  it('reports every changed byte, as an invalid request or a bad signature', () => {
    fc.assert(
      fc.property(fc.nat({ max: der.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(der);
        changed[at] = (changed[at] ?? 0) ^ change;
        const parsed = parse(pem('CERTIFICATE REQUEST', changed));
        expect(parsed.ok && parsed.request.verify() === undefined).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('refuses a signature by another kind of key', async () => {
    const other = pemBlocks(Buffer.from(await makeRequest('CN=x', 'Ed25519')))[0]?.bytes ?? new Uint8Array();
    const ecdsa = Buffer.from('06082a8648ce3d040302', 'hex');
    const ed25519 = Buffer.from('06032b6570', 'hex');
    // Swaps the algorithm at the end of the request, and corrects the lengths by hand.
    const at = Buffer.from(other).lastIndexOf(ed25519);
    const algorithm = Buffer.concat([Buffer.from([0x30, ecdsa.length]), ecdsa]);
    const body = Buffer.concat([
      Buffer.from(other).subarray(0, at - 2),
      algorithm,
      Buffer.from(other).subarray(at + 5),
    ]);
    const head = body[1] === 0x81 ? 2 : 1;
    body[head] = body.length - head - 1;
    const parsed = parse(pem('CERTIFICATE REQUEST', body));
    expect(parsed.ok && parsed.request.verify()).toMatch(
      /specifies an ec public key, but have public key of type ed25519/,
    );
  });
});
