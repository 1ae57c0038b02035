/** Formats of strings: accepted and refused texts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKnownFormat, stringFormat } from '../../../../runtime/schema/formats.js';

/** Texts that a format accepts, and texts that it refuses. */
const examples: Readonly<Record<string, readonly [taken: readonly string[], refused: readonly string[]]>> = {
  bsonobjectid: [['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901', '507f1f77bcf86cd79943901g', '']],
  byte: [
    ['aGk=', 'aGkh', 'QQ=='],
    ['', 'aGk', 'a===', 'aG k', 'a-_='],
  ],
  cidr: [
    [
      '10.0.0.0/8',
      '10.1.2.3/32',
      '2001:db8::/32',
      '::/0',
      '010.00.0.0000/08',
      '192.168.000.001/000',
      '::ffff:01.2.3.4/128',
      '2001:00db8::00000/032',
    ],
    [
      '10.0.0.0',
      '10.0.0.0/33',
      '::/129',
      '10.0.0/8',
      '0256.0.0.0/8',
      '10.0.0.0/',
      '10.0.0.0/-1',
      '10.0.0.0/+8',
      '10.0.0.0/8/8',
      '/8',
      '10.0.0.0 /8',
      '1.2.3.4.5/8',
      '0x0a.0.0.0/8',
      '::12345/64',
      'fe80::1%eth0/64',
      '',
    ],
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
      '2024-02-29T23:59:59,5Z',
      '2024-02-29T23:59:59é5z',
      '2024-02-29T12:00:00+99:99',
      '2024-02-29T12:00:00ZT',
      '0000-01-01T00:00:00Z',
    ],
    [
      '2024-02-30T12:00:00Z',
      '2024-02-29',
      '2024-02-29T12:00:00',
      '2024-02-29T24:00:00Z',
      '2024-02-29T12:60:00Z',
      '2024-02-29T12:00:60Z',
      '2024-02-29 12:00:00Z',
      '2024-02-29T12:00:00.Z',
      '2024-02-29T12:00:00.5',
      '2024-02-29T12:00:00\n5Z',
      '2024-02-29T12:00:00+0100',
      '2024-02-29T12:00Z',
      '2024-02-29T1:00:00Z',
      'T12:00:00Z',
      '',
    ],
  ],
  duration: [
    [
      '0.5 hours',
      '1h 30',
      '1h30m',
      '1.5s',
      '-10ms',
      '0',
      '3 days',
      '1 week 2 days',
      '1us',
      '.5m',
      '1µs',
      '1μs',
      '+1h',
      '-0',
      '2562047h47m16.854775807s',
      '-9223372036854775808ns',
      '2562048h',
      '00000000000000000000001 day',
      '1.99999999999999999999h',
      '5 WEEKS',
      '1 hr',
      '2 wk',
    ],
    [
      '',
      '1',
      'h',
      '5 parsecs',
      'three days',
      '9223372036854775808ns',
      '99999999999999999999 days',
      '1 day 99999999999999999999 stars',
      '1\u00a0day',
      '.s',
    ],
  ],
  email: [
    ['a@example.com', 'A B <a@example.com>', '"quoted text"@example.com', 'é@example.com', 'a (why) <a@b>'],
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
    [
      '1.2.3.4',
      '255.255.255.255',
      '0.0.0.0',
      '01.2.3.4',
      '192.168.000.0000001',
      '::ffff:1.2.3.4',
      '::ffff:01.2.3.4',
      '64:ff9b::1.2.3.4',
    ],
    [
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '0256.1.1.1',
      '1.2.3.',
      '.1.2.3',
      '1..2.3',
      ' 1.2.3.4',
      '1.2.3.4 ',
      '+1.2.3.4',
      '1.2.3.-4',
      '0x1.2.3.4',
      '1.2.3.4/32',
      '::1',
      '::ffff:1.2.3.256',
      '1:2:3:4:5:6:7:1.2.3.4',
      '',
    ],
  ],
  ipv6: [
    ['::1', '::', '2001:db8::8:800:200c:417a', '2001:DB8::', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8'],
    [
      '1.2.3.4',
      ':::',
      '2001:db8::g',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4:5:6:7::8',
      '1::2::3',
      '::ffff:01.2.3.4',
      '::12345',
      'fe80::1%eth0',
      '[::1]',
      '',
    ],
  ],
  isbn: [
    ['0-306-40615-2', '978-0-306-40615-7', '080442957X', '-0--306 40615\t2 ', '9780306406157\n'],
    ['0-306-40615-3', '978-0-306-40615-8', '080442957x', 'X804429570', '0\u00a0306406152', '0306406152a', '123', ''],
  ],
  isbn10: [['0306406152'], ['9780306406157', '0306406153']],
  isbn13: [['9780306406157'], ['0306406152', '9780306406158']],
  mac: [
    [
      '00:00:5e:00:53:01',
      '00-00-5E-00-53-01',
      '0000.5e00.5301',
      '02:00:5e:10:00:00:00:01',
      '00-00-00-00-fe-80-00-00-00-00-00-00-02-00-5e-10-00-00-00-01',
      '0200.5e10.0000.0001',
      '0000.0000.fe80.0000.0000.0000.0200.5e10.0000.0001',
    ],
    [
      '00:00:5e:00:53',
      '00:00:5e-00:53:01',
      '00:00:5e:00:53:01:02',
      '00:00:5e:00:53:1',
      '00:00:5e:00:53:0g',
      '00:00:5e:00:53:01:',
      '00005e005301',
      '0000.5e00.530',
      '0000:5e00:5301',
      '0000.5e00.5301.0000.0000',
      '',
    ],
  ],
  password: [['anything', '', '\u0000'], []],
  rgbcolor: [
    ['rgb(0,0,0)', 'rgb( 255 , 12 , 7 )', 'rgb(\t1,\n2,\r3)'],
    ['rgb(256,0,0)', 'rgb(0,0)', 'rgba(0,0,0)', 'rgb(00,0,0)', 'RGB(0,0,0)', 'rgb (0,0,0)', 'rgb(\u00a00,0,0)'],
  ],
  ssn: [
    ['123-45-6789', '123 45 6789', '123-45 6789', '000-00-0000'],
    [
      '123456789',
      '123-456789',
      '12345-6789',
      '12-345-6789',
      '123-45-678',
      '123--45-6789',
      '123_45_6789',
      '१२३-45-6789',
      '123-45-6789\n',
      '',
    ],
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

  it('are known with and without dashes, and others are ignored', () => {
    expect(['date-time', 'datetime', 'u-u-i-d'].map((format) => isKnownFormat(format))).toEqual([true, true, true]);
    expect(['', 'int32', 'constructor', 'no-such-format'].map((format) => isKnownFormat(format))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(stringFormat('constructor').matches('anything')).toBe(true);
  });

  it('keep their name in the schema', () => expect(stringFormat('date-time').name).toBe('date-time'));

  it('accept any text without failing', () => {
    const names = fc.constantFrom(...Object.keys(examples));
    const property = fc.property(names, fc.string({ unit: 'binary' }), (name, text) => {
      expect(typeof stringFormat(name).matches(text)).toBe('boolean');
    });
    fc.assert(property, { seed: 11, numRuns: 3000 });
  });

  // Texts that make a backtracking matcher try everything; with one, this would not end.
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
