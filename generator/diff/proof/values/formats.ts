/** Texts that fit string formats, each in several forms, as formats that look alike differ in some of them. */

const SAMPLES: readonly string[] = [
  '2001-02-03',
  '2001-02-03T04:05:06Z',
  '2001-02-03T04:05:06.123456+01:00',
  '10.0.0.1',
  '10.0.0.0/8',
  '::1',
  'fd00::/64',
  'a.example.com',
  'http://a.example.com/b',
  'a@example.com',
  '1h',
  '1h30m',
  '24h0m0s',
  '3 days',
  'YQ==',
  '123e4567-e89b-12d3-a456-426614174000',
  '123e4567-e89b-32d3-a456-426614174000',
  '123e4567-e89b-42d3-a456-426614174000',
  '123e4567-e89b-52d3-a456-426614174000',
  '00:00:5e:00:53:01',
  '#ffffff',
  'rgb(1,2,3)',
  '0123456789abcdef01234567',
  '4111111111111111',
  '0306406152',
  '9780306406157',
  '123-45-6789',
  '250m',
  '3Gi',
  '2001-02-03T04:05:06.000007Z',
];

/** Texts of all formats. */
export const formatSamples = (): readonly string[] => SAMPLES;
