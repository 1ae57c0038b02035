/** The settings that pod security judges by, once the server knows them. */
import type { ApiObject, JsonObject, Observer } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { memoizeByObject } from '../../../runtime/objects/memoize.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import type { PodSecurityConfiguration } from './configuration.js';
import { type ReadPolicies, readPolicies } from './policies.js';
import { defineJudge, type Judge } from './standard.js';

export interface Settings extends PodSecurityConfiguration {
  /** Before `enforce` and the like in keys of labels and audit annotations. */
  readonly prefix: string;
  readonly judge: Judge;
  /** The policies of a namespace, read once for all its pods. */
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

/** Whether pods of a runtime class are not judged. */
export const isExemptClass = ({ exemptions }: Settings, spec: JsonObject | undefined): boolean =>
  exemptions.runtimeClasses.has(stringAt(spec, 'runtimeClassName'));
