/** Derives private keys from a secret of the data, so that servers over the same data have the same ones, now and later. */
import { createECDH, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';

const curve = 'prime256v1';
const scalarBytes = 32;

/** A private key on the curve P-256 that follows from a secret; another one for each purpose. */
export function deriveKey(secret: Uint8Array, purpose: string): KeyObject {
  for (let attempt = 0; ; attempt++) {
    const scalar = Buffer.from(hkdfSync('sha256', secret, '', `${purpose} ${attempt}`, scalarBytes));
    const key = keyOfScalar(scalar);
    // Some scalars are larger than the order of the curve: one in four thousand millions.
    if (key) return key;
  }
}

function keyOfScalar(scalar: Buffer): KeyObject | undefined {
  const pair = createECDH(curve);
  try {
    pair.setPrivateKey(scalar);
  } catch {
    return undefined;
  }
  const point = pair.getPublicKey();
  const coordinate = (from: number): string => point.subarray(from, from + scalarBytes).toString('base64url');
  const key = {
    kty: 'EC',
    crv: 'P-256',
    x: coordinate(1),
    y: coordinate(1 + scalarBytes),
    d: scalar.toString('base64url'),
  };
  return createPrivateKey({ key, format: 'jwk' });
}
