/** The configuration of PodSecurity: the default policies of namespaces, and exemptions. */
import type { ApiObject, JsonObject, Observer } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { memoizeByObject } from '../../../runtime/objects/memoize.js';
import { dns1123Label, dns1123Subdomain, type NameCheck } from '../../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { checked, fields, list, optional, type Schema, text } from '../configuration.js';
import type { ConfigurationDefinition } from '../define-admission-plugin.js';
import {
  type Level,
  latest,
  levelRule,
  type Policies,
  parseLevel,
  parseVersion,
  privilegedPolicies,
  type ReadPolicies,
  readPolicies,
  type Version,
  versionRule,
} from './policies.js';
import { defineJudge, type Judge } from './standard.js';

export interface PodSecurityConfiguration {
  readonly defaults: Policies;
  readonly exemptions: {
    readonly usernames: ReadonlySet<string>;
    readonly namespaces: ReadonlySet<string>;
    readonly runtimeClasses: ReadonlySet<string>;
  };
}

/** Reads a string that is parsed further; an empty or missing one is the default. */
const parsed =
  <T>(parse: (text: string) => T | undefined, rule: string, byDefault: T): Schema<T> =>
  (value, path, refuse) => {
    const read = optional(text, '')(value, path, refuse);
    if (!read || read.value === '') return read && { value: byDefault };
    const found = parse(read.value);
    if (found === undefined) refuse(path, `${JSON.stringify(read.value)} ${rule}`);
    return found === undefined ? undefined : { value: found };
  };

const level: Schema<Level> = parsed(parseLevel, levelRule, 'privileged');
const version: Schema<Version> = parsed(parseVersion, versionRule, latest);

/** Reads a list of unique names. */
function names(check: NameCheck): Schema<ReadonlySet<string>> {
  const listed = checked(list(text), (given, path, refuse) => {
    for (const [index, name] of given.entries()) {
      const [problem] = check(name);
      if (problem !== undefined) refuse([...path, index], `${JSON.stringify(name)}: ${problem}`);
      else if (given.indexOf(name) < index) refuse([...path, index], `${JSON.stringify(name)} is listed twice`);
    }
  });
  return (...what) => {
    const read = listed(...what);
    return read && { value: new Set(read.value) };
  };
}

const defaults = fields({
  enforce: level,
  'enforce-version': version,
  audit: level,
  'audit-version': version,
  warn: level,
  'warn-version': version,
});

const exemptions = fields({
  usernames: names((name) => (name === '' ? ['must not be empty'] : [])),
  namespaces: names(dns1123Label),
  runtimeClasses: names(dns1123Subdomain),
});

const noExemptions = { usernames: new Set<string>(), namespaces: new Set<string>(), runtimeClasses: new Set<string>() };

const parts = fields({ defaults: optional(defaults, undefined), exemptions: optional(exemptions, noExemptions) });

/** Without a configuration, the labels of namespaces decide. */
export const withoutConfiguration: PodSecurityConfiguration = {
  defaults: privilegedPolicies,
  exemptions: noExemptions,
};

export const podSecurityConfiguration: ConfigurationDefinition<PodSecurityConfiguration> = {
  apiVersions: ['v1', 'v1beta1', 'v1alpha1'].map((one) => `pod-security.admission.config.platform.io/${one}`),
  kind: 'PodSecurityConfiguration',
  schema: (...what) => {
    const read = parts(...what);
    if (!read) return undefined;
    const given = read.value.defaults;
    const policies = given && {
      enforce: { level: given.enforce, version: given['enforce-version'] },
      audit: { level: given.audit, version: given['audit-version'] },
      warn: { level: given.warn, version: given['warn-version'] },
    };
    return { value: { defaults: policies ?? privilegedPolicies, exemptions: read.value.exemptions } };
  },
  byDefault: withoutConfiguration,
};

export interface Settings extends PodSecurityConfiguration {
  /** The prefix of `enforce` and the other modes in label and annotation keys. */
  readonly prefix: string;
  readonly judge: Judge;
  /** Returns the policies of a namespace, read once for all its pods. */
  readonly policiesOf: (namespace: ApiObject) => ReadPolicies;
  readonly observer: Observer | undefined;
}

export function settingsOf(names: Naming, configuration: PodSecurityConfiguration, observer?: Observer): Settings {
  const prefix = names.rename('pod-security.platform.io/');
  const { defaults } = configuration;
  return {
    ...configuration,
    prefix,
    judge: defineJudge(names),
    policiesOf: memoizeByObject(({ metadata }) => readPolicies(objectAt(metadata, 'labels'), prefix, defaults)),
    observer,
  };
}

/** Returns whether pods of a runtime class are exempt. */
export const isExemptClass = ({ exemptions }: Settings, spec: JsonObject | undefined): boolean =>
  exemptions.runtimeClasses.has(stringAt(spec, 'runtimeClassName'));
