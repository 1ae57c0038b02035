/** The value of the head key of etcd keeps the size of a transaction and the last states in it. */
import { describe, expect, it } from 'vitest';
import { decodeHead, encodeHead } from '../../../../../runtime/storage/etcd/layout.js';

const nothing = { size: 1, last: new Map() };

describe('the value of the head', () => {
  it('has the size, and last states with any bytes', () => {
    expect(decodeHead(encodeHead(100, []))).toEqual({ size: 100, last: new Map() });
    const last = [
      { key: 'g/things/a "b"', value: Buffer.from('{"ü":"\n𝄞"}\n') },
      { key: 'g/things/ü', value: Buffer.alloc(0) },
      { key: 'g/things/c', value: Buffer.from('{}') },
    ];
    expect(decodeHead(encodeHead(7, last))).toEqual({
      size: 7,
      last: new Map(last.map(({ key, value }) => [key, value])),
    });
  });

  it('means nothing if another program has written it', () => {
    for (const text of [
      '',
      '{"kind":"Thing"}',
      '{"size":0}\n',
      '{"size":2,"last":7}\n',
      '{"size":2,"last":[["a"]]}\n',
      'null\n',
    ]) {
      expect(decodeHead(Buffer.from(text))).toEqual(nothing);
    }
    expect(decodeHead(undefined)).toEqual(nothing);
  });
});
