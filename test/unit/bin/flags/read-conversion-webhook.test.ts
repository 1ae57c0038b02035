import { describe, expect, it } from 'vitest';
import {
  type ConversionWebhookFlags,
  readPrinted,
  readWebhook,
} from '../../../../bin/flags/read-conversion-webhook.js';

const usual: ConversionWebhookFlags = {
  schemas: '.',
  naming: 'kubernetes',
  host: '127.0.0.1',
  port: '9443',
  tlsSan: [],
  maxBodyBytes: '64Mi',
  shutdownGrace: '10s',
};

describe('flags of a webhook', () => {
  it('have defaults', () => {
    expect(readWebhook(usual)).toMatchObject({ port: 9443, maxBodyBytes: 64 * 1024 * 1024, graceMs: 10_000 });
    expect(readWebhook({ ...usual, port: 'auto' }).port).toBe(0);
    expect(readPrinted(usual)).toBeUndefined();
  });

  it('name the service in its certificate', () => {
    const { certificate } = readWebhook({ ...usual, tlsSan: ['x'], service: 'a/b' });
    expect(certificate.names).toEqual(['x', 'b.a.svc', 'b.a.svc.cluster.local']);
  });

  it.each<[Partial<ConversionWebhookFlags>, RegExp]>([
    [{ schemas: '/nowhere' }, /\/nowhere: must be a folder/],
    [{ port: '70000' }, /--port 70000: must be a port/],
    [{ port: '' }, /--port \(nothing\): must be a port/],
    [{ tlsCertFile: 'a' }, /go together/],
    [{ maxBodyBytes: 'x' }, /^--max-body-bytes x/],
    [{ shutdownGrace: '1' }, /^--shutdown-grace 1: must be a duration/],
    [{ service: 'a' }, /--service a: must be a service/],
  ])('%j are refused', (flags, message) => expect(() => readWebhook({ ...usual, ...flags })).toThrow(message));

  it('contain the address for servers', () => {
    const print = { ...usual, print: 'crd', certDir: 'certs' } as const;
    expect(readPrinted(print)).toEqual({ what: 'crd', place: undefined });
    expect(readPrinted({ ...print, url: 'https://a/b' })).toEqual({ what: 'crd', place: { url: 'https://a/b' } });
    const service = { namespace: 'a', name: 'b', port: 443 };
    expect(readPrinted({ ...print, service: 'a/b' })).toEqual({ what: 'crd', place: { service } });
    expect(readPrinted({ ...print, service: 'a/b:1' })?.place).toEqual({ service: { ...service, port: 1 } });
  });

  it.each<[Partial<ConversionWebhookFlags>, RegExp]>([
    [{}, /--print needs --cert-dir/],
    [{ certDir: 'a', port: 'auto' }, /needs --url or --service/],
    [{ certDir: 'a', url: 'http://a' }, /--url http:\/\/a: must be an HTTPS URL/],
    [{ certDir: 'a', url: 'https://a', service: 'a/b' }, /either/],
  ])('%j print nothing', (flags, message) =>
    expect(() => readPrinted({ ...usual, print: 'patch', ...flags })).toThrow(message),
  );
});
