import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../../../client/node/session.js';

const proxies = { HTTPS_PROXY: 'http://secure:3128', http_proxy: 'plain:3128' };
const proxyOf = (url: string, exceptions = ''): string | undefined =>
  proxyFor(new URL(url), { ...proxies, NO_PROXY: exceptions });

describe('proxyFor', () => {
  it('has one for each scheme', () => {
    expect(proxyOf('https://a.example.com')).toBe('http://secure:3128');
    expect(proxyOf('http://a.example.com')).toBe('http://plain:3128');
    expect(proxyFor(new URL('https://a.example.com'), {})).toBeUndefined();
  });

  it.each(['https://localhost:6443', 'https://127.0.0.1', 'https://127.1.2.3', 'https://[::1]:6443'])(
    'has none for this machine: %s',
    (url) => expect(proxyOf(url)).toBeUndefined(),
  );

  it.each([
    ['https://a.example.com', '*'],
    ['https://a.example.com', 'example.com'],
    ['https://example.com', 'other, EXAMPLE.com'],
    ['https://a.example.com', '.example.com'],
    ['https://a.example.com', 'a.example.com:443'],
    ['https://a.example.com:6443', 'a.example.com:6443'],
    ['https://10.1.2.3', '10.0.0.0/8'],
    ['https://10.1.2.3', '10.1.2.3'],
    ['https://[fd00::1]', 'fd00::/16'],
    ['https://[fd00::1]:6443', '[fd00::1]:6443'],
    ['https://a.example.com', '*.example.com'],
    ['https://a.b.example.com:6443', '*.example.com:6443'],
    ['https://[fd00::1]', 'fd00:0:0:0:0:0:0:1'],
    ['https://[fd00::1]:6443', '[FD00:0000::0001]:6443'],
    ['https://10.1.2.3', '::ffff:10.1.2.3'],
    ['https://[::ffff:10.1.2.3]', '10.1.2.3'],
  ])('has none for %s if NO_PROXY is %s', (url, exceptions) => expect(proxyOf(url, exceptions)).toBeUndefined());

  it.each([
    ['https://example.com', '.example.com'],
    ['https://badexample.com', 'example.com'],
    ['https://a.example.com:6443', 'a.example.com:443'],
    ['https://11.1.2.3', '10.0.0.0/8'],
    ['https://a.example.com', '10.0.0.0/8'],
    ['https://10.1.2.3', '10.0.0.0/99'],
    ['https://10.1.2.31', '10.1.2.3'],
    ['https://example.com', '*.example.com'],
    ['https://badexample.com', '*.example.com'],
    ['https://[fd00::2]', 'fd00:0:0:0:0:0:0:1'],
    ['https://127.example.com', 'other'],
  ])('has one for %s if NO_PROXY is %s', (url, exceptions) =>
    expect(proxyOf(url, exceptions)).toBe('http://secure:3128'),
  );
});
