/** Formats of strings: what each takes and what it refuses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKnownFormat, stringFormat } from '../../../../../../runtime/schema/support/formats/index.js';

/** Texts that a format takes, and texts that it refuses. */
const examples: Readonly<Record<string, readonly [taken: readonly string[], refused: readonly string[]]>> = {
  bsonobjectid: [['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901', '507f1f77bcf86cd79943901g', '']],
  byte: [
    ['aGk=', 'aGkh', 'QQ=='],
    ['', 'aGk', 'a===', 'aG k', 'a-_='],
  ],
  cidr: [
    ['10.0.0.0/8', '10.1.2.3/32', '2001:db8::/32', '::/0'],
    ['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0/8', '010.0.0.0/8', ''],
  ],
  creditcard: [
    ['4111 1111 1111 1111', '4111-1111-1111-1111', '378282246310005', '5555555555554444'],
    ['4111111111111112', '1234', ''],
  ],
  date: [
    ['2024-02-29', '2000-02-29', '1999-12-31'],
    ['2023-02-29', '1900-02-29', '2024-13-01', '2024-00-01', '2024-01-00', '24-01-01', '2024-1-1', ''],
  ],
  'date-time': [
    [
      '2024-02-29T12:00:00Z',
      '2024-02-29t12:00:00z',
      '2024-02-29T12:00:00.123456789+02:00',
      '2024-02-29T23:59:59-12:30',
    ],
    [
      '2024-02-30T12:00:00Z',
      '2024-02-29',
      '2024-02-29T12:00:00',
      '2024-02-29T24:00:00Z',
      '2024-02-29T12:60:00Z',
      '2024-02-29T12:00:60Z',
      '2024-02-29 12:00:00Z',
    ],
  ],
  duration: [
    ['0.5 hours', '1h 30', '1h30m', '1.5s', '-10ms', '0', '3 days', '1 week 2 days', '1us', '.5m'],
    ['', '1', 'h', '5 parsecs', 'three days'],
  ],
  email: [
    [
      'a@example.com',
      'A B <a@example.com>',
      '"quoted text"@example.com',
      'a@[192.168.0.1]',
      'é@example.com',
      'a (why) <a@b>',
    ],
    ['a', '@example.com', 'a@', 'a b@example.com', 'a@b@c', '<a@example.com', 'a..b@example.com', '(a@example.com'],
  ],
  hexcolor: [
    ['#fff', '#C0FFEE', 'abc'],
    ['#ffff', '#ggg', '', '##fff'],
  ],
  hostname: [
    ['localhost', 'example.com', 'a-b.example.com', '1.example.com', 'bücher.example'],
    ['', '-a', 'a..b', 'example.c', `${'a'.repeat(64)}.com`, 'a_b.com', 'example.123'],
  ],
  ipv4: [
    ['1.2.3.4', '255.255.255.255', '::ffff:1.2.3.4'],
    ['1.2.3', '256.1.1.1', '01.2.3.4', '::ffff:01.2.3.4', '::1', ''],
  ],
  ipv6: [
    ['::1', '2001:db8::8:800:200c:417a', '::ffff:1.2.3.4'],
    ['1.2.3.4', ':::', '2001:db8::g', ''],
  ],
  isbn: [
    ['0-306-40615-2', '978-0-306-40615-7', '080442957X'],
    ['0-306-40615-3', '978-0-306-40615-8', '123', ''],
  ],
  isbn10: [['0306406152'], ['9780306406157', '0306406153']],
  isbn13: [['9780306406157'], ['0306406152', '9780306406158']],
  mac: [
    ['00:00:5e:00:53:01', '00-00-5E-00-53-01', '0000.5e00.5301', '02:00:5e:10:00:00:00:01'],
    ['00:00:5e:00:53', '00:00:5e-00:53:01', '0000.5e00.530', ''],
  ],
  password: [['anything', ''], []],
  rgbcolor: [
    ['rgb(0,0,0)', 'rgb( 255 , 12 , 7 )'],
    ['rgb(256,0,0)', 'rgb(0,0)', 'rgba(0,0,0)', 'rgb(00,0,0)'],
  ],
  ssn: [
    ['123-45-6789', '123 45 6789', '123456789'],
    ['12-345-6789', '123-45-678', ''],
  ],
  uri: [
    ['http://example.com/a?b=c', 'mailto:a@b', '/path', '*', 'urn:a:b', 'http://[::1]:8080/'],
    ['', 'example.com', 'http://a b/', 'http://a:b:c/', '/%zz', 'http://%41/', 'http://x/\u0001'],
  ],
  uuid: [
    ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
    ['123e4567-e89b-12d3-a456-42661417400', 'g23e4567-e89b-12d3-a456-426614174000', ''],
  ],
  uuid3: [['123e4567-e89b-32d3-a456-426614174000'], ['123e4567-e89b-42d3-a456-426614174000']],
  uuid4: [
    ['123e4567-e89b-42d3-a456-426614174000'],
    ['123e4567-e89b-42d3-c456-426614174000', '123e4567-e89b-32d3-a456-426614174000'],
  ],
  uuid5: [
    ['123e4567-e89b-52d3-a456-426614174000'],
    ['123e4567-e89b-52d3-c456-426614174000', '123e4567-e89b-42d3-a456-426614174000'],
  ],
};

describe('formats of strings', () => {
  const cases = Object.entries(examples).map(([name, [taken, refused]]) => ({ name, taken, refused }));

  it.each(cases)('$name', ({ name, taken, refused }) => {
    const { matches } = stringFormat(name);
    expect(taken.filter((text) => !matches(text))).toEqual([]);
    expect(refused.filter(matches)).toEqual([]);
  });

  it('are known with and without dashes, and others ignored', () => {
    expect(['date-time', 'datetime', 'u-u-i-d'].map(isKnownFormat)).toEqual([true, true, true]);
    expect(['', 'int32', 'constructor', 'no-such-format'].map(isKnownFormat)).toEqual([false, false, false, false]);
    expect(stringFormat('constructor').matches('anything')).toBe(true);
  });

  it('keep the name that the schema gives them', () => expect(stringFormat('date-time').name).toBe('date-time'));

  it('take any text without failing', () => {
    const names = fc.constantFrom(...Object.keys(examples));
    const property = fc.property(names, fc.string({ unit: 'binary' }), (name, text) => {
      expect(typeof stringFormat(name).matches(text)).toBe('boolean');
    });
    fc.assert(property, { seed: 11, numRuns: 3000 });
  });

  // Texts made to make a backtracking matcher try everything; with one, this would not end.
  it.each(Object.keys(examples))('%s reads long texts once', (name) => {
    const size = 200_000;
    const texts = ['a', '1', '1 ', '.', '-', '(', '"', 'a.', 'a@', '\\', ':', '%', ' ', '1h', '::', '1day'].map(
      (part) => part.repeat(size / part.length),
    );
    for (const text of texts) {
      stringFormat(name).matches(text);
      stringFormat(name).matches(`${text}\n!`);
    }
    expect(stringFormat(name).name).toBe(name);
  });
});
