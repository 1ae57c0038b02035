/** Semantic versions as in https://semver.org: three numbers and the pre-release part. */

/** A version without its build, because builds do not count when versions are compared. */
export interface SemanticVersion {
  readonly numbers: readonly bigint[];
  /** Empty for a release. */
  readonly before: readonly string[];
}

const pattern = /^([0-9]+)\.([0-9]+)\.([0-9]+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;

/** Reports if a number is written without zeros in front, and a text is not empty. */
const isIdentifier = (text: string): boolean => text !== '' && !/^0[0-9]+$/.test(text);

/** Reads a version as in `1.36.0-beta.1`; returns `undefined` for any other text. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, major = '', minor = '', patch = '', before, build] = match;
  const numbers = [major, minor, patch];
  const parts = before?.split('.') ?? [];
  const isSound = [...numbers, ...parts].every(isIdentifier) && !build?.split('.').includes('');
  return isSound ? { numbers: numbers.map(BigInt), before: parts } : undefined;
}

/** Compares versions: negative if `a` comes before `b`, 0 if both are equal. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [i, left] of a.numbers.entries()) {
    const right = b.numbers[i] ?? 0n;
    if (left !== right) return left < right ? -1 : 1;
  }
  if (a.before.length === 0 || b.before.length === 0) return b.before.length - a.before.length;
  for (let i = 0; i < Math.max(a.before.length, b.before.length); i++) {
    const order = compareIdentifiers(a.before[i], b.before[i]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers come before texts, and a shorter list before a longer one. */
function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  const [numberA, numberB] = [a, b].map((text) => (/^\d+$/.test(text) ? BigInt(text) : undefined));
  if (numberA !== undefined && numberB !== undefined) return numberA < numberB ? -1 : 1;
  if (numberA !== undefined || numberB !== undefined) return numberA !== undefined ? -1 : 1;
  return a < b ? -1 : 1;
}
