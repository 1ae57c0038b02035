/** The policies of a namespace, read from its labels. */
import type { FieldError, JsonObject } from '../../../runtime/contract/index.js';
import { invalidValue } from '../../../runtime/objects/field-error.js';
import { isString } from '../../../runtime/objects/guards.js';

/** From the least to the most strict. */
const levels = ['privileged', 'baseline', 'restricted'] as const;

export type Level = (typeof levels)[number];

/** The minor version of release 1.x; infinite for the latest. */
export type Version = number;

export const latest: Version = Number.POSITIVE_INFINITY;

/** The newest version with rules of its own; later versions have the same rules. */
export const newestVersion: Version = 27;

export interface Policy {
  readonly level: Level;
  readonly version: Version;
}

/** The end of messages about an invalid level. */
export const levelRule = `must be one of ${levels.join(', ')}`;
export const versionRule = 'must be "latest" or "v1.x"';

export const parseLevel = (text: string): Level | undefined => levels.find((level) => level === text);

export function parseVersion(text: string): Version | undefined {
  if (text === 'latest') return latest;
  const minor = Number(/^v1\.(0|[1-9]\d*)$/.exec(text)?.[1]);
  return Number.isSafeInteger(minor) ? minor : undefined;
}

export const versionText = (version: Version): string => (version === latest ? 'latest' : `v1.${version}`);

/** Returns a policy as in `baseline:v1.27`. */
export const policyText = ({ level, version }: Policy): string => `${level}:${versionText(version)}`;

/** Compares policies by level and version, even if their rules are equal. */
export const samePolicy = (a: Policy, b: Policy): boolean => a.level === b.level && a.version === b.version;

export const isStricter = (a: Level, b: Level): boolean => levels.indexOf(a) > levels.indexOf(b);

/** The consequences if a pod breaks a policy: a refusal, an audit annotation, a warning. */
export const modes = ['enforce', 'audit', 'warn'] as const;

export type Mode = (typeof modes)[number];

export type Policies = { readonly [M in Mode]: Policy };

/** The default policies. */
export const privilegedPolicies: Policies = {
  enforce: { level: 'privileged', version: latest },
  audit: { level: 'privileged', version: latest },
  warn: { level: 'privileged', version: latest },
};

/** The policies in force, and the mistakes in the labels. */
export interface ReadPolicies {
  readonly policies: Policies;
  readonly errors: readonly FieldError[];
}

/** How a label is read, and which value counts if it is wrong or missing. */
interface Reading<T> {
  readonly parse: (text: string) => T | undefined;
  readonly rule: string;
  readonly wrong: T;
  readonly byDefault: T;
}

/**
 * Reads policies from labels; each label replaces one default. An invalid level counts as the strictest for `enforce`
 * and as the least strict for the other modes; an invalid version counts as the latest.
 */
export function readPolicies(labels: JsonObject | undefined, prefix: string, defaults: Policies): ReadPolicies {
  if (!labels) return { policies: defaults, errors: [] };
  const errors: FieldError[] = [];
  const labelled = <T>(label: string, { parse, rule, wrong, byDefault }: Reading<T>): T => {
    const key = `${prefix}${label}`;
    const text = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (!isString(text)) return byDefault;
    const value = parse(text);
    if (value === undefined) errors.push(invalidValue(`metadata.labels[${key}]`, text, rule));
    return value ?? wrong;
  };
  const read = (mode: Mode): Policy => {
    const { level, version } = defaults[mode];
    const wrong = mode === 'enforce' ? 'restricted' : 'privileged';
    return {
      level: labelled<Level>(mode, { parse: parseLevel, rule: levelRule, wrong, byDefault: level }),
      version: labelled(`${mode}-version`, {
        parse: parseVersion,
        rule: versionRule,
        wrong: latest,
        byDefault: version,
      }),
    };
  };
  // Read in this order, because errors are reported in it.
  const [enforce, audit, warn] = [read('enforce'), read('audit'), read('warn')];
  return { policies: { enforce, audit, warn }, errors };
}

/** Returns whether no pod can break any of the policies. */
export const allPrivileged = (policies: Policies): boolean =>
  modes.every((mode) => policies[mode].level === 'privileged');

/** Compares the effect of policies: all versions of the privileged level are equal. */
export const equivalent = (a: Policies, b: Policies): boolean =>
  modes.every((mode) => {
    const bothPrivileged = a[mode].level === 'privileged' && b[mode].level === 'privileged';
    return bothPrivileged || samePolicy(a[mode], b[mode]);
  });
