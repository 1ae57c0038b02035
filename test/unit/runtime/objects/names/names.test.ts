import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../../../../runtime/objects/field-error.js';
import {
  finalizerAdvice,
  maxAnnotationBytes,
  validateAnnotations,
  validateFinalizers,
  validateLabels,
  validateStandardFinalizers,
} from '../../../../../runtime/objects/names/metadata-rules.js';
import {
  compareVersions,
  csiDriverName,
  defaultListKind,
  formatGroupVersion,
  formatKind,
  generateNameStem,
  groupVersionProblem,
  nameFormat,
  nameFormats,
  objectNameProblems,
  parseGroupVersion,
  qualifiedName,
} from '../../../../../runtime/objects/names/names.js';
import { portNumberProblems, rangeProblems } from '../../../../../runtime/objects/names/network-names.js';
import { tableRows, tablesAbsent } from '../shared-data.js';

function problems(format: string, name: string): readonly string[] {
  const check = nameFormat(format);
  if (check === undefined) throw new Error(`no format ${format}`);
  return check(name);
}

const qualified =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

describe('name formats', () => {
  it('are found by id', () => {
    expect(nameFormat('no-such-format')).toBeUndefined();
    expect(nameFormats).toContain('dns-1123-subdomain');
  });

  it.each([
    ['dns-1123-subdomain', 'a-1.b', []],
    [
      'dns-1123-subdomain',
      'A',
      [
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    ['dns-1123-subdomain', 'a'.repeat(254), ['must be no more than 253 characters']],
    ['dns-1123-label', 'a.b', ['must not contain dots']],
    ['dns-1123-label', 'a'.repeat(64), ['must be no more than 63 characters']],
    [
      'dns-1123-label',
      'A_',
      [
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      'dns-1035-label',
      '1a',
      [
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    ['qualified-name', 'example.com/', ['name part must be non-empty', `name part ${qualified}`]],
    ['qualified-name', '/a', ['prefix part must be non-empty']],
    [
      'qualified-name',
      'a/b/c',
      [`a qualified name ${qualified} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
    ],
    ['qualified-name', 'k'.repeat(64), ['name part must be no more than 63 characters']],
    [
      'qualified-name',
      'a//b',
      [`a qualified name ${qualified} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
    ],
    ['domain-name', 'com', ['should be a domain with at least two segments separated by dots']],
    ['domain-name', '', ['Required value']],
    ['domain-prefixed-path', 'a.com', ['must be a domain-prefixed path (such as "acme.io/foo")']],
    ['label-value', '', []],
    [
      'label-value',
      '-a',
      [
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
    ],
    ['annotation-key', 'Example.com/a', []],
    ['path-segment', '..', ["may not be '..'"]],
    ['path-segment', 'a/%', ["may not contain '/'", "may not contain '%'"]],
    ['config-map-key', '..', ["must not be '..'"]],
    ['config-map-key', '..a', ["must not start with '..'"]],
    [
      'config-map-key',
      'a b',
      [
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
    ],
    ['env-var-name', 'a.B-c_1', []],
    [
      'env-var-name',
      '1a',
      [
        "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
      ],
    ],
    ['port-name', 'two--hyphens-', ['must not contain consecutive hyphens', 'must not begin or end with a hyphen']],
    [
      'port-name',
      '1_',
      [
        'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'must contain at least one letter (a-z)',
      ],
    ],
    ['port-name', 'a'.repeat(16), ['must be no more than 15 characters']],
    ['ip', '10.0.0.1', []],
    ['ip', '10.0.0', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
    ['finalizer-name', 'noslash', ['name is neither a standard finalizer name nor is it fully qualified']],
    ['finalizer-name', 'example.com/f', []],
    ['finalizer-name', 'orphan', []],
    ['any', 'Any Thing', []],
  ])('%s of %s', (format, name, expected) => {
    expect(problems(format, name)).toEqual(expected);
  });

  it('take linear time for long names', () => {
    const long = `${'a'.repeat(500_000)}!`;
    for (const format of nameFormats) expect(Array.isArray(problems(format, long))).toBe(true);
  });
});

describe('driver names', () => {
  it.each(['a', 'A', 'Driver.Example-1.COM', '0a', 'a.b', 'x'.repeat(63)])('may be %s', (name) => {
    expect(csiDriverName(name)).toEqual([]);
  });

  it.each(['', '-a', 'a-', '.a', 'a_b', 'a b', 'a..b', 'a.-b', 'x'.repeat(64)])('may not be %j', (name) => {
    expect(csiDriverName(name)).toHaveLength(1);
  });
});

describe('object names', () => {
  const subdomain = nameFormat('dns-1123-subdomain') ?? (() => []);

  it('report the format first, and the path only if the format is valid', () => {
    expect(objectNameProblems(subdomain, 'a/b')[0]).toContain('RFC 1123');
    expect(objectNameProblems(() => [], 'a/b')).toEqual(["may not contain '/'"]);
    expect(objectNameProblems(() => [], '.')).toEqual(["may not be '.'"]);
  });

  it('allow a generateName with a dash at the end', () => {
    expect(generateNameStem('gen-')).toBe('gea');
    expect(generateNameStem('-')).toBe('-');
    expect(generateNameStem('gen')).toBe('gen');
  });
});

describe('metadata', () => {
  it('reports labels at the map', () => {
    expect(
      validateLabels({ 'a b': '-' }, 'metadata.labels').map((error) => `${error.field} ${error.message.slice(0, 22)}`),
    ).toEqual(['metadata.labels Invalid value: "a b": ', 'metadata.labels Invalid value: "-": a ']);
    expect(validateLabels({ a: 'b' }, 'metadata.labels')).toEqual([]);
  });

  it('counts the bytes of annotations', () => {
    const room = maxAnnotationBytes - 'key'.length;
    expect(validateAnnotations({ key: 'x'.repeat(room) }, 'm')).toEqual([]);
    expect(validateAnnotations({ key: 'x'.repeat(room + 1) }, 'm').map(fieldErrorText)).toEqual([
      'm: Too long: must have at most 262144 bytes',
    ]);
    expect(validateAnnotations({ key: 'é'.repeat(room / 2 + 1) }, 'm')).toHaveLength(1);
  });

  it('checks standard finalizers of built-in kinds only', () => {
    expect(validateFinalizers(['noslash'], 'm.f')).toEqual([]);
    expect(validateStandardFinalizers(['a/b', 'noslash'], 'm.f').map(({ field }) => field)).toEqual(['m.f[1]']);
    expect(validateStandardFinalizers(['orphan'], 'm.f')).toEqual([]);
    expect(finalizerAdvice(['b', 'a/b', 'orphan', 'a'], 'm.f')).toEqual([
      expect.stringMatching(/^m\.f: "a": prefer a domain-qualified/),
      expect.stringMatching(/^m\.f: "b": prefer a domain-qualified/),
    ]);
    expect(validateFinalizers(['orphan', 'foregroundDeletion'], 'm.f').map(fieldErrorText)).toEqual([
      'm.f: Invalid value: []string{"orphan", "foregroundDeletion"}: finalizer orphan and foregroundDeletion cannot be both set',
    ]);
  });

  it('checks ranges', () => {
    expect(portNumberProblems(0)).toEqual(['must be between 1 and 65535, inclusive']);
    expect([portNumberProblems(1), portNumberProblems(65535), rangeProblems(5, 1, 5)]).toEqual([[], [], []]);
  });
});

/** Rows of one test have the good ones first and then the bad ones; `good` is the number of good ones. */
const tables: readonly [string, string, number][] = [
  ['TestIsDNS1123Label', 'dns-1123-label', 13],
  ['TestIsDNS1123Subdomain', 'dns-1123-subdomain', 40],
  ['TestIsDNS1035Label', 'dns-1035-label', 7],
  ['TestIsCIdentifier', 'c-identifier', 20],
  ['TestIsValidPortName', 'port-name', 8],
  ['TestIsQualifiedName', 'qualified-name', 17],
  ['TestIsValidLabelValue', 'label-value', 7],
  ['TestIsHTTPHeaderName', 'http-header-name', 24],
  ['TestIsValidPercent', 'percent', 7],
  ['TestIsConfigMapKey', 'config-map-key', 8],
  ['TestIsWildcardDNS1123Subdomain', 'wildcard-subdomain', 3],
  ['TestIsFullyQualifiedDomainName', 'domain-name', 11],
  ['TestIsDomainPrefixedPath', 'domain-prefixed-path', 13],
];

describe.skipIf(tablesAbsent)('public tables', () => {
  it.each(tables)('%s', (test, format, good) => {
    const rows = tableRows('apimachinery_pkg_util_validation', test).filter((row) => typeof row.case === 'string');
    const verdicts = rows.map((row) => [row.case, problems(format, String(row.case)).length === 0]);
    expect(verdicts).toEqual(rows.map((row, index) => [row.case, index < good]));
    expect(rows.length).toBeGreaterThan(good);
  });

  it.each([
    ['TestIsValidIP', 'ip'],
    ['TestIsValidCIDR', 'cidr'],
  ])('%s', (test, format) => {
    const rows = tableRows('apimachinery_pkg_util_validation', test);
    for (const row of rows) {
      const { in: text, err } = Object(row.case);
      expect([text, problems(format, text).join()]).toEqual([text, err === '' ? '' : expect.stringContaining(err)]);
    }
    expect(rows.length).toBeGreaterThan(20);
  });
});

describe('group versions', () => {
  it.each([
    ['v1', '', 'v1'],
    ['apps/v1', 'apps', 'v1'],
    ['', '', ''],
    ['/', '', ''],
    ['/v1', '', 'v1'],
    ['apps/', 'apps', ''],
  ])('reads %j', (text, group, version) => {
    expect(parseGroupVersion(text)).toEqual({ group, version });
  });

  it('refuses more than one slash', () => {
    expect(parseGroupVersion('a/b/c')).toBeUndefined();
    expect(groupVersionProblem('a/b/c')).toBe('unexpected GroupVersion string: a/b/c');
  });

  it('have their form in messages', () => {
    expect([formatGroupVersion('', 'v1'), formatGroupVersion('apps', 'v1')]).toEqual(['v1', 'apps/v1']);
    expect([qualifiedName('', 'pods'), qualifiedName('apps', 'deployments')]).toEqual(['pods', 'deployments.apps']);
    expect(formatKind({ group: '', version: 'v1', kind: 'Pod' })).toBe('/v1, Kind=Pod');
    expect(defaultListKind('IPAddress')).toBe('IPAddressList');
  });
});

describe('order of versions', () => {
  it('prefers stable to beta to alpha, then higher numbers, then the alphabet', () => {
    const preferred = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
    expect([...preferred].reverse().sort(compareVersions)).toEqual(preferred);
  });

  it('is right for numbers beyond 2^53', () => {
    expect(compareVersions('v9007199254740993', 'v9007199254740992')).toBe(-1);
    expect(compareVersions('v1', 'v1')).toBe(0);
  });
});
