/** Behaviours of the server that differ between releases, and that no definition can say. */

/** The releases with a behaviour, and its description. */
export interface BehaviourLife {
  /** The first release with it. */
  readonly introduced: string;
  /** The first release without it. */
  readonly removed?: string;
  /** Whether it is part of the machinery for custom resources, which is the latest if no release is emulated. */
  readonly machinery?: true;
  /** A sentence about the server, for `kindforge releases` and the docs. */
  readonly about: string;
}

/** By name, sorted. */
export const behaviours = {
  addressParentsByName: {
    introduced: '1.29',
    about: 'IPAddresses name their services without a UID.',
  },
  canonicalAddressWords: {
    introduced: '1.33',
    about: 'Errors about names of IPAddresses say the canonical form.',
  },
  decisionsExcludedTogether: {
    introduced: '1.34',
    about: 'That a certificate signing request is both approved and denied is an error of the list of conditions.',
  },
  driverChangesCounted: {
    introduced: '1.29',
    about: 'Each change of the spec of a CSIDriver makes a new generation.',
  },
  exemptPriorityLevels: {
    introduced: '1.28',
    about: 'Priority levels of type Exempt reserve and lend shares; errors about types of levels have other words.',
  },
  laterExpressions: {
    introduced: '1.28',
    machinery: true,
    about: 'Rules of definitions may use the libraries and fields that came after 1.27.',
  },
  missingBeforeUid: {
    introduced: '1.33',
    about: 'A replacement of an object that is not there is a 404, even with a uid.',
  },
  valuesInRuleErrors: {
    introduced: '1.35',
    about: 'Errors of broken rules print texts, numbers and booleans, and no types.',
  },
} as const satisfies Readonly<Record<string, BehaviourLife>>;

/** The name of a behaviour. */
export type Behaviour = keyof typeof behaviours;
