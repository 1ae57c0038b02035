/** All flags of kube-apiserver that its stand-in accepts. */
import {
  admission,
  auditing,
  authentication,
  authorization,
  cloud,
  egress,
  enablement,
  features,
} from './access-flags.js';
import type { ApiServerFlag, ApiServerFlagGroup } from './api-server-flag.js';
import { etcd, generic, global, logs, metrics, misc, otherReleases, secureServing, traces } from './serving-flags.js';

export { otherReleases };

/** The flags of kube-apiserver 1.27, in the order of its help. */
export const apiServerFlags: readonly ApiServerFlagGroup[] = [
  generic,
  etcd,
  secureServing,
  auditing,
  features,
  authentication,
  authorization,
  cloud,
  enablement,
  egress,
  admission,
  metrics,
  logs,
  traces,
  misc,
  global,
];

const byName: ReadonlyMap<string, ApiServerFlag> = new Map(
  [...apiServerFlags, otherReleases].flatMap(({ flags }) => flags).map((flag) => [flag.name, flag]),
);

/** Finds a flag by its name, in which an underscore counts as a dash. */
export const findFlag = (name: string): ApiServerFlag | undefined => byName.get(name.replaceAll('_', '-'));
