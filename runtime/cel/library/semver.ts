/** Semantic versions, as `1.2.3-rc.1+build`. */
import { parseUint64 } from '../../objects/scan/numbers.js';
import { bool, int, opaque, string } from '../check/types.js';
import type { Library } from '../environment.js';
import { fail } from '../values/error.js';
import { toInt } from '../values/int.js';
import { type CelValue, type Int, Opaque } from '../values/value.js';
import { declare, member, overload } from './declare.js';

const typeName = 'kubernetes.Semver';
const semver = opaque(typeName);

export const semverLibrary: Library = {
  name: 'semver',
  types: { [typeName]: semver },
  functions: [
    declare(
      'semver',
      overload('string_to_semver', [string], semver, (text: string) => toSemver(text)),
      overload('string_bool_to_semver', [string, bool], semver, (text: string, loosely: boolean) =>
        toSemver(text, loosely),
      ),
    ),
    declare(
      'isSemver',
      overload('is_semver_string', [string], bool, (text: string) => isSemver(text)),
      overload('is_semver_string_bool', [string, bool], bool, (text: string, loosely: boolean) =>
        isSemver(text, loosely),
      ),
    ),
    declare('major', member('semver_major', [semver], int, numberOf(0))),
    declare('minor', member('semver_minor', [semver], int, numberOf(1))),
    declare('patch', member('semver_patch', [semver], int, numberOf(2))),
    declare(
      'isGreaterThan',
      member('semver_is_greater_than', [semver, semver], bool, (a: SemverValue, b: SemverValue) => order(a, b) > 0),
    ),
    declare(
      'isLessThan',
      member('semver_is_less_than', [semver, semver], bool, (a: SemverValue, b: SemverValue) => order(a, b) < 0),
    ),
    declare('compareTo', member('semver_compare_to', [semver, semver], int, order)),
  ],
};

/** A part of a pre-release: numbers come before texts. */
type Identifier = bigint | string;

interface Version {
  readonly core: readonly [major: bigint, minor: bigint, patch: bigint];
  /** Empty for a release. */
  readonly pre: readonly Identifier[];
}

class SemverValue extends Opaque {
  readonly typeName = typeName;

  constructor(readonly version: Version) {
    super();
  }

  /** Compares versions. Ignores the text after a `+`. */
  equals(other: CelValue): boolean {
    return other instanceof SemverValue && order(this, other) === 0;
  }
}

/** Reads a version, or returns the problem of a text that is not a version. */
function parse(text: string): Version | string {
  if (text === '') return 'Version string empty';
  const [majorText, minorText, ...rest] = text.split('.');
  if (majorText === undefined || minorText === undefined || rest.length === 0) {
    return 'No Major.Minor.Patch elements found';
  }
  const [, patchText = '', pre, build] = /^([^+-]*)(?:-([^+]*))?(?:\+([\s\S]*))?$/.exec(rest.join('.')) ?? [];
  const major = coreNumber(majorText, 'Major');
  if (typeof major === 'string') return major;
  const minor = coreNumber(minorText, 'Minor');
  if (typeof minor === 'string') return minor;
  const patch = coreNumber(patchText, 'Patch');
  if (typeof patch === 'string') return patch;
  const identifiers: Identifier[] = [];
  for (const part of pre?.split('.') ?? []) {
    const read = identifier(part);
    if ('problem' in read) return read.problem;
    identifiers.push(read.value);
  }
  for (const part of build?.split('.') ?? []) {
    if (part === '') return 'Build meta data is empty';
    if (!isWord(part)) return `Invalid character(s) found in build meta data ${JSON.stringify(part)}`;
  }
  return { core: [major, minor, patch], pre: identifiers };
}

const isWord = (text: string): boolean => /^[0-9A-Za-z-]*$/.test(text);
const isPadded = (digits: string): boolean => /^0./.test(digits);

function coreNumber(text: string, name: string): bigint | string {
  if (!/^\d*$/.test(text)) {
    return `Invalid character(s) found in ${name.toLowerCase()} number ${JSON.stringify(text)}`;
  }
  if (isPadded(text)) return `${name} number must not contain leading zeroes ${JSON.stringify(text)}`;
  return wholeNumber(text);
}

function identifier(text: string): { readonly value: Identifier } | { readonly problem: string } {
  if (text === '') return { problem: 'Prerelease is empty' };
  if (!isWord(text)) return { problem: `Invalid character(s) found in prerelease ${JSON.stringify(text)}` };
  if (!/^\d+$/.test(text)) return { value: text };
  if (isPadded(text)) {
    return { problem: `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(text)}` };
  }
  const value = wholeNumber(text);
  return typeof value === 'string' ? { problem: value } : { value };
}

function wholeNumber(text: string): bigint | string {
  const read = text.length > 20 ? undefined : parseUint64(text);
  if (read?.ok) return read.value;
  const problem = text === '' ? 'invalid syntax' : 'value out of range';
  return `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`;
}

/**
 * Reads a version as people write it. Accepts a leading `v`, missing parts and leading zeros. A version of fewer than
 * three parts cannot be a pre-release.
 */
function parseLoosely(text: string): Version | string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])];
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    return 'short version cannot contain PreRelease/Build meta data';
  }
  const padded = [...parts.map(withoutZeros), '0', '0'].slice(0, 3);
  return parse(padded.join('.'));
}

function withoutZeros(part: string): string {
  if (part.length < 2) return part;
  const bare = part.replace(/^0+/, '');
  return /^\d/.test(bare) ? bare : `0${bare}`;
}

const read = (text: string, loosely: boolean): Version | string => (loosely ? parseLoosely(text) : parse(text));

function toSemver(text: string, loosely = false): SemverValue {
  const version = read(text, loosely);
  return typeof version === 'string' ? fail(version) : new SemverValue(version);
}

const isSemver = (text: string, loosely = false): boolean => typeof read(text, loosely) !== 'string';

/** Compares versions as semver.org says: a pre-release comes before its release. */
function order({ version: a }: SemverValue, { version: b }: SemverValue): number {
  const core = orderOfParts(a.core, b.core);
  if (core !== 0 || a.pre.length === 0 || b.pre.length === 0) {
    return core || Number(a.pre.length === 0) - Number(b.pre.length === 0);
  }
  return orderOfParts(a.pre, b.pre);
}

/** Compares part by part. If all common parts are equal, the longer list comes later. */
function orderOfParts(a: readonly Identifier[], b: readonly Identifier[]): number {
  for (const [i, part] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (part === other) continue;
    if (typeof part !== typeof other) return typeof part === 'bigint' ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return a.length < b.length ? -1 : 0;
}

function numberOf(index: 0 | 1 | 2): (value: SemverValue) => Int {
  return ({ version }) => toInt(BigInt.asIntN(64, version.core[index]));
}
