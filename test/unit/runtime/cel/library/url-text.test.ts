/** URLs are split into parts, and refused if they are not valid for a request. */
import { describe, expect, it } from 'vitest';
import { hostname, parseUrl, port, queryValues } from '../../../../../runtime/cel/library/url-text.js';

describe('parseUrl', () => {
  it.each([
    [
      'https://user:pass@example.com:80/path?q=1#part',
      { scheme: 'https', host: 'example.com:80', path: '/path', query: 'q=1' },
    ],
    ['/a path', { scheme: '', host: '', path: '/a%20path', query: '' }],
    ['HTTP://[::1]:80', { scheme: 'http', host: '[::1]:80', path: '', query: '' }],
    ['mailto:a@b', { scheme: 'mailto', host: '', path: '', query: '' }],
  ])('reads %s', (text, parts) => {
    expect(parseUrl(text)).toEqual(parts);
  });

  it.each([
    '',
    'a',
    '../a',
    ':a',
    'http://a:b',
    'http://a b/',
    'http://a\\b/',
    'http://[::1',
    'http://#@a',
    '/%zz',
    '/a\n',
    `/${'a'.repeat(70_000)}`,
  ])('refuses %j', (text) => {
    expect(parseUrl(text)).toMatch(/^(?:parse "|too long)/);
  });

  it('separates hosts from ports', () => {
    expect([hostname('[::1]:80'), port('[::1]:80'), hostname('a:'), port('a'), port('[::1]')]).toEqual([
      '::1',
      '80',
      'a',
      '',
      '',
    ]);
  });

  it('collects the values of a query', () => {
    expect(Object.fromEntries(queryValues('a=1&b=%20&a=2&c&%zz=1'))).toEqual({ a: ['1', '2'], b: [' '], c: [''] });
  });
});
