/** Semantic versions as in https://semver.org: three numbers, and what is before a release. */

/** A version without its build, which does not count in its order. */
export interface SemanticVersion {
  readonly numbers: readonly bigint[];
  /** Empty for a release. */
  readonly before: readonly string[];
}

const number = '(?:0|[1-9]\\d*)';
const identifier = `(?:${number}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const list = (item: string): string => `${item}(?:\\.${item})*`;
const pattern = new RegExp(
  `^(${number})\\.(${number})\\.(${number})(?:-(${list(identifier)}))?(?:\\+${list('[0-9A-Za-z-]+')})?$`,
);

/** Reads a version as in `1.36.0-beta.1`; returns `undefined` for any other text. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, major = '', minor = '', patch = '', before] = match;
  return { numbers: [major, minor, patch].map(BigInt), before: before?.split('.') ?? [] };
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
