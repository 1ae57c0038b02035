/** The environments of expressions, by release. */
import { emulate, type Lifetime, type Release } from '../objects/release.js';
import type { EnvironmentOptions, Library } from './environment.js';
import {
  authorizerSelectorsLibrary,
  baseLibraries,
  bindingsLibrary,
  extraLibraries,
  formatsLibrary,
  laterListsLibrary,
  laterStringsLibrary,
  networkLibrary,
  optionalListsLibrary,
  optionalsLibrary,
  quantityLibrary,
  semverLibrary,
  setsLibrary,
  twoVariablesLibrary,
} from './library/index.js';
import { earlyIndexing } from './library/operators.js';

/** A part of the environment that a release added. */
interface Addition extends Lifetime {
  readonly introduced: string;
  readonly libraries?: readonly Library[];
  readonly mixedComparisons?: true;
  readonly checkedLiterals?: true;
  /** Whether it is a part of the language. New expressions may then use it at once. */
  readonly isLanguage?: true;
  /** The text for the docs. */
  readonly about: string;
}

/** The additions in the order of releases. */
export const additions: readonly Addition[] = [
  {
    introduced: '1.28',
    libraries: [optionalsLibrary],
    about: 'optional values: `a.?b`, `optional.of`, `orValue`, `optMap`',
  },
  { introduced: '1.28', libraries: [quantityLibrary], about: 'quantities: `quantity`, `isQuantity`' },
  {
    introduced: '1.28',
    mixedComparisons: true,
    about: 'comparisons between numbers of different types',
  },
  {
    introduced: '1.29',
    libraries: [setsLibrary],
    about: 'sets: `sets.contains`, `sets.equivalent`, `sets.intersects`',
  },
  { introduced: '1.29', libraries: [laterStringsLibrary], about: 'strings: `format`, `strings.quote`' },
  {
    introduced: '1.29',
    checkedLiterals: true,
    about: 'errors for literals that are not a pattern, duration or timestamp',
  },
  {
    introduced: '1.30',
    libraries: [networkLibrary],
    about: 'IP addresses and ranges: `ip`, `isIP`, `ip.isCanonical`, `cidr`, `isCIDR`',
  },
  {
    introduced: '1.31',
    libraries: [authorizerSelectorsLibrary],
    about: 'selectors in questions to the authorizer: `fieldSelector`, `labelSelector`',
  },
  { introduced: '1.31', libraries: [formatsLibrary], about: 'named formats: `format.dns1123Label`, `format.named`' },
  {
    introduced: '1.32',
    libraries: [twoVariablesLibrary],
    about:
      'macros with two variables: `all`, `exists`, `existsOne`, `transformList`, `transformMap`, `transformMapEntry`',
  },
  { introduced: '1.33', libraries: [semverLibrary], about: 'semantic versions: `semver`, `isSemver`' },
  {
    introduced: '1.34',
    libraries: [laterListsLibrary],
    about: 'lists: `slice`, `flatten`, `distinct`, `reverse`, `sort`, `sortBy`, `lists.range`',
  },
  {
    introduced: '1.34',
    libraries: [optionalListsLibrary],
    isLanguage: true,
    about: '`first` and `last` of lists, `unwrapOpt`',
  },
];

/** The libraries that conditions on devices have in every release. */
export const deviceLibraries: readonly Library[] = [bindingsLibrary, semverLibrary];

/** The environment of release 1.27. */
export const baseEnvironment: EnvironmentOptions = {
  libraries: [...baseLibraries, { name: 'early-indexing', functions: earlyIndexing }],
  earlyMessages: true,
  earlyEstimates: true,
};

/** The largest environment: everything of the latest release, and functions that no release has. */
export const laterEnvironment: EnvironmentOptions = {
  ...environmentWith(additions),
  libraries: [...environmentWith(additions).libraries, ...extraLibraries],
};

function environmentWith(added: readonly Addition[]): EnvironmentOptions {
  return {
    libraries: [...baseLibraries, ...added.flatMap(({ libraries = [] }) => libraries)],
    mixedComparisons: added.some(({ mixedComparisons }) => mixedComparisons),
    checkedLiterals: added.some(({ checkedLiterals }) => checkedLiterals),
  };
}

/** Environments for new expressions. */
const narrow = new Map<Release, EnvironmentOptions>();

/**
 * Returns the environment of a release for new or for stored expressions. Stored ones stay valid: they may use
 * everything. New ones may use only what the release before has too, so that it can serve them after a step back.
 */
export function environmentOf(release: Release, use: 'new' | 'stored'): EnvironmentOptions {
  if (!release.does('laterExpressions')) return baseEnvironment;
  if (use === 'stored' || release === emulate()) return laterEnvironment;
  const known = narrow.get(release);
  if (known !== undefined) return known;
  const has = (addition: Addition): boolean =>
    (addition.isLanguage ? release : release.compatible).has(addition, 'machinery');
  const made = environmentWith(additions.filter(has));
  narrow.set(release, made);
  return made;
}
