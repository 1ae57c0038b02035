/** Requests that hide others: the server refuses ambiguous ones, and serves nothing hidden. */
import { beforeEach, describe, expect, it } from 'vitest';
import { startWitnessedApi } from '../../../../support/witnessed-api.js';
import { exchangeWith, hidden, last, message, paths } from '../../../../support/witnessed-exchange.js';

const witness = await startWitnessedApi();
const listening = await witness.api.listen();
const codesOf = exchangeWith(witness, listening.url);
const { closed, open } = paths;
beforeEach(() => witness.reset());

it('the witness sees the served request', async () => {
  expect(await codesOf(message(`GET ${open}/a`, [last]))).toEqual([200]);
  expect(witness.allowed).toMatchObject([{ verb: 'get', namespace: 'open', name: 'a', user: { name: 'tester' } }]);
  expect(await codesOf(message('GET /hook/open', [last]))).toEqual([200]);
  expect(await codesOf(message(`GET ${closed}/a`, [last]))).toEqual([403]);
  expect(witness.unauthorized('mark:closed/a:')).toHaveLength(1);
  expect(witness.unauthorized('mark:open/b:')).toHaveLength(1);
});

describe('request smuggling', () => {
  const post = (headers: readonly string[], rest: string): string => message(`POST ${open}`, headers, rest);
  const chunked = 'Transfer-Encoding: chunked';
  const length = `Content-Length: ${hidden.length}`;
  it.each<[string, string, readonly number[]]>([
    ['a length and chunks', post([length, chunked], `0\r\n\r\n${hidden}`), [400]],
    ['chunks and a length', post([chunked, length], `0\r\n\r\n${hidden}`), [400]],
    ['chunks and a length of nothing', post([chunked, 'Content-Length: 0'], `0\r\n\r\n${hidden}`), [400]],
    ['chunks by another name', post([length, 'Transfer-Encoding: xchunked'], hidden), [400]],
    ['chunks in quotes', post([length, 'Transfer-Encoding: "chunked"'], hidden), [400]],
    ['chunks after another coding', post([length, 'Transfer-Encoding: gzip, chunked'], hidden), [400]],
    ['chunks before another coding', post(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${hidden}`), [400]],
    ['chunks twice', post([chunked, chunked], `0\r\n\r\n${hidden}`), [400]],
    ['a coding that is none', post([length, 'Transfer-Encoding: identity'], hidden), [400]],
    ['an empty coding', post([length, 'Transfer-Encoding:'], hidden), [400]],
    ['a tab before chunks', post([length, 'Transfer-Encoding:\tchunked'], `0\r\n\r\n${hidden}`), [400]],
    ['a vertical tab before chunks', post([length, 'Transfer-Encoding: \vchunked'], `0\r\n\r\n${hidden}`), [400]],
    ['a space before the colon', post([length, 'Transfer-Encoding : chunked'], `0\r\n\r\n${hidden}`), [400]],
    ['an underscore', post(['Transfer_Encoding: chunked', 'Content-Length: 0', last], ''), [400]],
    ['a folded coding', post([length, 'Transfer-Encoding:\r\n chunked'], `0\r\n\r\n${hidden}`), [400]],
    ['a folded header', post([length, 'X-A: b\r\n Transfer-Encoding: chunked'], hidden), [400]],
    [
      'a header after a bare line feed',
      post([length, 'X-A: b\nTransfer-Encoding: chunked'], `0\r\n\r\n${hidden}`),
      [400],
    ],
    ['a header after a bare carriage return', post([length, 'X-A: b\rTransfer-Encoding: chunked'], hidden), [400]],
    ['a null in a header', post([length, 'X-A: b\0c'], hidden), [400]],
    ['lengths that differ', post([length, 'Content-Length: 0'], hidden), [400]],
    ['the same length twice', post([length, length], hidden), [400]],
    ['a list of lengths', post([`Content-Length: 0, ${hidden.length}`], hidden), [400]],
    ['a length with a sign', post(['Content-Length: +0'], hidden), [400]],
    ['a length below nothing', post(['Content-Length: -1'], hidden), [400]],
    ['a length in hexadecimal', post(['Content-Length: 0x0'], hidden), [400]],
    ['a length beyond all numbers', post(['Content-Length: 18446744073709551616'], hidden), [400]],
    ['an empty length', post(['Content-Length:'], hidden), [400]],
    ['a chunk of a size with a sign', post([chunked], `+0\r\n\r\n${hidden}`), [400]],
    ['a chunk of a size in hexadecimal twice', post([chunked], `0x0\r\n\r\n${hidden}`), [400]],
    ['a chunk that ends with a bare line feed', post([chunked], `2\n{}\n0\n\n${hidden}`), [400]],
    ['a chunk that is longer than it says', post([chunked], `1\r\n{}\r\n0\r\n\r\n${hidden}`), [400]],
    ['a chunk with an extension', post([chunked, last], `2;a=b\r\n{}\r\n0\r\n\r\n`), [400]],
    ['a chunk with a line feed in its extension', post([chunked], `2;a\nb\r\n{}\r\n0\r\n\r\n${hidden}`), [400]],
    ['a chunk beyond all sizes', post([chunked], `10000000000000002\r\n{}\r\n0\r\n\r\n${hidden}`), [400]],
    ['trailers', post([chunked, last], `2\r\n{}\r\n0\r\nAuthorization: Bearer anna\r\n\r\n`), [400]],
    ['a request line that ends with a bare line feed', `GET ${open}/a HTTP/1.1\nHost: localhost\n\n${hidden}`, [400]],
    [
      'a request line with a carriage return',
      `GET ${open}/a\rGET ${closed}/a HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      [400],
    ],
    ['a request line with two spaces', `GET  ${closed}/a HTTP/1.1\r\nHost: localhost\r\n${last}\r\n\r\n`, [403]],
    ['a request line with three parts more', `GET ${open}/a ${closed}/a HTTP/1.1\r\nHost: localhost\r\n\r\n`, [400]],
    ['a tab in the request line', `GET\t${closed}/a\tHTTP/1.1\r\nHost: localhost\r\n\r\n`, [400]],
    ['a method in small letters', message(`get ${closed}/a`, [last]), [400]],
    ['a body of a get', message(`GET ${open}/a`, [length, last], hidden), [200]],
    [
      'a body of a get, and a request after it',
      message(`GET ${open}/a`, ['Content-Length: 1'], `x${hidden}`),
      [200, 403],
    ],
    [
      'requests one after the other',
      `${message(`GET ${open}/a`)}${hidden.replace(last, 'X-A: b')}${message(`GET ${open}/b`, [last])}`,
      [200, 403, 200],
    ],
    ['a request after one with Connection: close', message(`GET ${open}/a`, [last], hidden), [400]],
    [
      'HTTP/1.0 with chunks',
      `POST ${open} HTTP/1.0\r\nHost: localhost\r\n${chunked}\r\n\r\n0\r\n\r\n${hidden}`,
      [400, 400],
    ],
    ['chunks of another coding', post(['Transfer-Encoding: gzip, chunked', last], `2\r\n{}\r\n0\r\n\r\n`), [501]],
    [
      'Connection: names a header that counts',
      message(`GET ${open}/a`, ['Connection: close, authorization', 'Authorization: Bearer eve']),
      [403],
    ],
    ['Expect', post(['Expect: 100-continue', 'Content-Length: 2', last], '{}'), [100, 400]],
    ['an unknown expectation', post(['Expect: nothing', 'Content-Length: 2', last], '{}'), [417]],
  ])('%s', async (_what, text, codes) => {
    expect(await codesOf(text)).toEqual(codes);
  });
});
