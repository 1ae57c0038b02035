/** Levels of pod security and versions of their rules, as labels and configurations write them. */

/** From the laxest to the strictest. */
export const levels = ['privileged', 'baseline', 'restricted'] as const;

export type Level = (typeof levels)[number];

/** The minor version of rules 1.x; infinite for the latest ones. */
export type Version = number;

export const latest: Version = Number.POSITIVE_INFINITY;

/** The newest version of which rules are known; later ones have the same rules for now. */
export const newestVersion: Version = 27;

/** A level as it was defined in a version. */
export interface Policy {
  readonly level: Level;
  readonly version: Version;
}

/** The end of messages about texts that are none of these. */
export const levelRule = `must be one of ${levels.join(', ')}`;
export const versionRule = 'must be "latest" or "v1.x"';

export const parseLevel = (text: string): Level | undefined => levels.find((level) => level === text);

export function parseVersion(text: string): Version | undefined {
  if (text === 'latest') return latest;
  const minor = Number(/^v1\.(0|[1-9]\d*)$/.exec(text)?.[1]);
  return Number.isSafeInteger(minor) ? minor : undefined;
}

export const versionText = (version: Version): string => (version === latest ? 'latest' : `v1.${version}`);

/** As in `baseline:v1.27`. */
export const policyText = ({ level, version }: Policy): string => `${level}:${versionText(version)}`;

/** Whether two policies are the same, whatever their rules are. */
export const samePolicy = (a: Policy, b: Policy): boolean => a.level === b.level && a.version === b.version;

export const isStricter = (a: Level, b: Level): boolean => levels.indexOf(a) > levels.indexOf(b);
