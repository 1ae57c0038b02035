import { describe, expect, it } from 'vitest';
import { readUnstorage } from '../../../../server/text/unstorage.js';

const refusal = (text: string) => {
  const read = readUnstorage(text);
  return read.ok ? undefined : read.failure.message;
};

/** Returns the driver with the options that it gets. */
function read(text: string): unknown[] {
  const setting = readUnstorage(text);
  if (!setting.ok) throw new Error(setting.failure.message);
  const { driver, options, files } = setting.value;
  return [driver, options, files];
}

describe('storage in unstorage', () => {
  it('accepts a driver, with or without options', () => {
    expect(read('memory')).toEqual(['memory', {}, {}]);
    expect(read('fs?base=a/b%20c')).toEqual(['fs', { base: 'a/b c' }, {}]);
    expect(read('db0?connector=libsql-node&url=file:a.db?x=1')).toEqual([
      'db0',
      { connector: 'libsql-node', url: 'file:a.db?x=1' },
      {},
    ]);
  });

  it('passes booleans and whole numbers as such, unless every driver takes them as text, or they are quoted', () => {
    const search =
      'db=2&tls=true&lazyConnect=false&base=7&password=12&name=%2212%22&a=007&b=1.5&c=-1&d=1234567890123456789';
    expect(read(`redis?${search}`)).toEqual([
      'redis',
      {
        db: 2,
        tls: true,
        lazyConnect: false,
        base: '7',
        password: '12',
        name: '12',
        a: '007',
        b: '1.5',
        c: '-1',
        d: '1234567890123456789',
      },
      {},
    ]);
  });

  it('reads values from files', () =>
    expect(read('redis?host=h&password-file=/run/secret')).toEqual([
      'redis',
      { host: 'h' },
      { password: '/run/secret' },
    ]));

  it('reports mistakes', () => {
    expect(refusal('')).toContain('"": must be a driver');
    expect(refusal('../x')).toContain('"../x": must be a driver');
    expect(refusal('fs?base=a&base=b')).toContain('option base is given twice');
    expect(refusal('redis?password=a&password-file=b')).toContain('option password is given twice');
    expect(refusal('fs?__proto__=1')).toContain('"__proto__" is not an option');
    expect(refusal('fs?=1')).toContain('"" is not an option');
  });
});
