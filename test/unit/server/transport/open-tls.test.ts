import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openTls } from '../../../../server/transport/open-tls.js';

const day = 86_400_000;
afterEach(() => vi.useRealTimers());

const open = () =>
  openTls({
    given: { certificate: undefined, named: [], clientAuthorities: undefined, proxyAuthorities: undefined },
    option: {},
    secret: Buffer.alloc(32, 1),
    kept: undefined,
    names: ['localhost'],
  });

describe('certificates that the server makes', () => {
  it('are renewed when a third of their time is left, and their authorities stay', () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01') });
    const tls = open();
    const [first, authority] = [tls.settings(), tls.trusted()];
    const administrator = tls.administrator();
    let changes = 0;
    const stop = tls.follow(
      () => changes++,
      () => undefined,
    );
    vi.advanceTimersByTime(240 * day);
    expect(changes).toBe(0);
    vi.advanceTimersByTime(5 * day);
    expect(changes).toBe(1);
    expect(tls.settings().cert).not.toBe(first.cert);
    expect(tls.administrator()).not.toEqual(administrator);
    expect(tls.trusted()).toBe(authority);
    const renewed = new X509Certificate(tls.settings().cert);
    expect(Date.parse(renewed.validTo)).toBeGreaterThan(Date.now() + 360 * day);
    expect(renewed.verify(new X509Certificate(authority).publicKey)).toBe(true);
    stop();
    vi.advanceTimersByTime(400 * day);
    expect(changes).toBe(1);
  });

  it('have an authority that is renewed before it ends, with the same key', () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01') });
    const tls = open();
    const authority = tls.trusted();
    const stop = tls.follow(
      () => undefined,
      () => undefined,
    );
    vi.setSystemTime(Date.parse('2034-06-01'));
    vi.advanceTimersByTime(day);
    const renewed = new X509Certificate(tls.trusted());
    expect(tls.trusted()).not.toBe(authority);
    expect(renewed.publicKey.equals(new X509Certificate(authority).publicKey)).toBe(true);
    stop();
  });
});
